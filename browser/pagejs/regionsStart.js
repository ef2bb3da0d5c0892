/**
 * Begins to note what comes and goes in this frame.
 * @param {{id: number, fresh: boolean}} args fresh: the document came while the watch ran, so all in it is new
 */
function regionsStart(args) {
  if (samplings.has(args.id)) return { next: args.next };
  const s = { observer: null, dirty: false, began: performance.now(), there: new Map(), past: [], looking: false, more: false };
  const look = () => {
    if (!samplings.has(args.id)) return;
    s.looking = false;
    sampleRegions(s);
  };
  // What is there for a moment only is seen too: a look follows each change, once its turn is over, at most every 40 ms.
  s.observer = new MutationObserver(() => {
    s.dirty = true;
    if (s.looking) return;
    s.looking = true;
    setTimeout(look, 40);
  });
  const { found, more } = lookRegions();
  s.more = more;
  for (const [el, is] of found) s.there.set(el, { ...is, el, from: args.fresh ? 0 : null });
  s.observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  for (const root of knownRoots) if (root.isConnected) s.observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
  samplings.set(args.id, s);
  return { next: args.next };
}
