/**
 * Notes how the elements of a part of the page stand.
 * @param {{id: number, ref?: number, selector?: string, contextRef?: number, next: number}} args
 */
function diffStart(args) {
  let scope = document.documentElement;
  if (args.ref || args.selector) {
    const found = locate(args);
    if (!found) notFound(args);
    scope = found.el;
  }
  const of = new Map();
  for (const el of inScope(scope)) of.set(el, standing(el, of.size < mostStyled));
  // What nobody came back for is forgotten.
  for (const old of baselines.keys()) if (baselines.size >= 4) baselines.delete(old);
  baselines.set(args.id, { scope, of, more: of.size >= mostCompared });
  return { elements: of.size, next: args.next };
}
