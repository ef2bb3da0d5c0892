/**
 * Finds the element of a target, waits until it can be acted on, and tells where.
 * @param {{ref?: number, selector?: string, contextRef?: number, next: number, limit: number, events?: boolean, enabled?: boolean, editable?: boolean, control?: boolean, still?: boolean, focus?: boolean, view?: boolean}} args
 */
async function resolve(args) {
  const refs = lend(args);
  beginWatch(args, refs);
  const { el, matched, point } = await actable(args, args);
  noteBefore(el, args.events ? point : null);
  if (args.focus) el.focus();
  if (args.view) el.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
  const r = boxOf(el);
  const view = newView();
  const select = el.localName === 'option' ? el.closest('select') : null;
  return {
    ref: refNumber(el, refs), select: select ? refNumber(select, refs) : 0, next: refs.next, matched,
    x: point ? point.x : r.x + r.width / 2, y: point ? point.y : r.y + r.height / 2,
    box: [r.x, r.y, r.width, r.height].map(Math.round),
    role: cachedRole(el, view) || el.localName, name: cut(nameOf(el, view), 200), tag: el.localName, type: el.localName === 'input' ? el.type : '',
    editable: (el.localName === 'input' && !/^(button|submit|reset|checkbox|radio|file|image|color|range|hidden)$/.test(el.type)) || el.localName === 'textarea' || !!hostOfEditing(el),
  };
}
