/**
 * Waits until the mouse has come to the point of the watched action in this frame, or was let go in it. The browser answers for
 * a frame in another process at times before the frame has got the event; and just after scrolling it sends it elsewhere.
 * @param {{watch: number, released: boolean, limit: number}} args
 * @returns {Promise<{arrived: boolean}>}
 */
async function mouseArrived(args) {
  const mine = watch && watch.id === args.watch ? watch : null;
  if (!mine) return { arrived: true };
  const until = performance.now() + args.limit;
  const there = () => (args.released ? mine.released : !!mine.mouse && !!mine.point && Math.hypot(mine.mouse.x - mine.point.x, mine.mouse.y - mine.point.y) < 3);
  while (!there() && performance.now() < until) {
    await Promise.race([new Promise((resolve) => { mine.wake = resolve; }), pause(until - performance.now())]);
  }
  if (args.released) await turn();
  return { arrived: there() };
}
