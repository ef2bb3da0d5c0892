/**
 * What has become of an element.
 * @param {{ref: number, next: number}} args
 */
function elementState(args) {
  const weak = refElements.get(args.ref);
  const el = weak && weak.deref();
  if (!el || !el.isConnected) return { ref: args.ref, stillAttached: false, focused: false };
  return fieldState(el, { next: args.next || 1 });
}
