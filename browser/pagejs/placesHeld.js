/** What the last look around found to be covered in this frame, and frames that hold such. @type {Set<Node>} */
const coveredNodes = new Set();
/** @type {Map<number, {moved: boolean, over: boolean}>} */
const placesWatched = new Map();

/**
 * Watches, from one call to the next of the same number, whether what is to be covered moves, also when it comes back.
 * @param {{watch: number, start: boolean}} args
 * @returns {{moved: boolean}}
 */
function placesHeld(args) {
  if (!args.start) {
    const ended = placesWatched.get(args.watch);
    placesWatched.delete(args.watch);
    if (ended) ended.over = true;
    return { moved: !ended || ended.moved };
  }
  const watch = { moved: false, over: false };
  placesWatched.set(args.watch, watch);
  const nodes = [...coveredNodes];
  if (!nodes.length) return { moved: false };
  const first = nodes.map(placeNow).join();
  const until = performance.now() + 30000; // one that nobody ends
  const look = () => {
    if (!watch.over && nodes.map(placeNow).join() !== first) watch.moved = true;
  };
  const channel = new MessageChannel();
  channel.port1.onmessage = look;
  const frame = () => {
    if (watch.over || watch.moved || performance.now() > until) {
      channel.port1.close();
      return;
    }
    look();
    channel.port2.postMessage(0); // after what the page does in this frame
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  return { moved: false };
}

function placeNow(node) {
  let of = node;
  if (node.nodeType !== 1) {
    of = document.createRange();
    of.selectNodeContents(node);
  }
  const r = of.getBoundingClientRect();
  return [r.x, r.y, r.width, r.height].join(' ');
}
