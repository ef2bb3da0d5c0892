/**
 * What has the focus in this frame: a field, or the frame in which to go on looking.
 * @param {{next: number}} args
 * @returns {{ref: number, frame: boolean, field: boolean, role: string, name: string, protected: boolean, site: string, next: number}} ref: 0 for nothing
 */
function focusedField(args) {
  const refs = lend(args);
  const el = deepActive();
  const out = { ref: 0, frame: false, field: false, role: '', name: '', protected: false, site: siteOf(), next: refs.next };
  if (!el) return out;
  const view = newView();
  out.ref = refNumber(el, refs);
  out.frame = el.localName === 'iframe' || el.localName === 'frame';
  out.field = takesKeys(el);
  out.role = cachedRole(el, view) || el.localName;
  out.name = cut(nameOf(el, view), 200);
  out.protected = isProtected(el);
  out.next = refs.next;
  return out;
}

/** Whether keys that are pressed go into an element as text. */
function takesKeys(el) {
  if (el.localName === 'input') return untypable[el.type] === undefined && !momentForms[el.type] && el.type !== 'color' && el.type !== 'range' && !el.readOnly && !el.disabled;
  return (el.localName === 'textarea' && !el.readOnly && !el.disabled) || !!hostOfEditing(el);
}
