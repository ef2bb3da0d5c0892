/** Fails unless the element of a ref is still in the page. @param {{ref: number}} args */
function alive(args) {
  return refElement(args.ref).isConnected;
}
