// report tells the test what the page saw. It is synchronous, so that a report made before an action returns has arrived.
function report(what, data) {
  const x = new XMLHttpRequest()
  x.open('POST', '/saw', false)
  x.send(JSON.stringify({ what, data }))
}
