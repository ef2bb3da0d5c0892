/**
 * Notes that fields hold a secret: they are not shown, and not edited in part.
 * @param {{refs: number[]}} args
 */
function shield(args) {
  for (const ref of args.refs) {
    const weak = refElements.get(ref);
    const el = weak && weak.deref();
    if (!el) continue;
    const field = el.isContentEditable ? editingHost(el) : el;
    protectedFields.add(field);
    secretFields.add(field);
    if (!formTags.has(field.localName)) textsProtected = true;
  }
}
