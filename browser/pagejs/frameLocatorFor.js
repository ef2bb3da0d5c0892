/**
 * CSS that names an iframe of this frame, and nothing else in it.
 * @param {{ref: number, next: number}} args
 * @returns {{css: string, next: number}}
 */
function frameLocatorFor(args) {
  const el = refElement(args.ref);
  for (const a of ['name', 'title', 'id', 'data-testid']) {
    const value = el.getAttribute(a);
    if (!value || /\d{4,}/.test(value)) continue;
    const css = a === 'id' ? '#' + CSS.escape(value) : `${el.localName}[${a}=${JSON.stringify(value)}]`;
    const list = queryAll(css, document);
    if (list.length === 1) return { css, next: args.next };
  }
  const css = cssPathOf(el);
  if (!css) fail('not-found', `nothing was found that names the frame ${describe(el)} and nothing else`, {});
  return { css, next: args.next };
}
