/**
 * How many elements a target names in this frame.
 * @param {{ref?: number, selector?: string, contextRef?: number, visibleOnly?: boolean}} args
 * @returns {{count: number, next: number}}
 */
function countMatches(args) {
  let list;
  if (args.ref) {
    const weak = refElements.get(args.ref);
    const el = weak && weak.deref();
    list = el && el.isConnected ? [el] : [];
  } else list = queryAll(args.selector, args.contextRef ? refElement(args.contextRef) : document);
  if (args.visibleOnly) list = list.filter(visible);
  return { count: list.length, next: args.next };
}
