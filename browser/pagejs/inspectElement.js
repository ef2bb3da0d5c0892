const usualStyles = ['display', 'position', 'visibility', 'opacity', 'color', 'background-color', 'background-image', 'font-size', 'font-weight', 'font-family', 'line-height',
  'text-align', 'margin', 'padding', 'border', 'width', 'height', 'overflow-x', 'overflow-y', 'z-index', 'cursor', 'pointer-events'];

/**
 * How an element is laid out and drawn.
 * @param {{ref?: number, selector?: string, contextRef?: number, styles?: string[], next: number}} args styles: names of properties, and '::before', '::after'
 */
function inspectElement(args) {
  const refs = lend(args);
  const found = locate(args);
  if (!found) return { found: false, next: refs.next };
  const el = found.el;
  const role = roleOf(el);
  const r = boxOf(el);
  const style = getComputedStyle(el);
  const out = { found: true, matched: found.matched, ref: refNumber(el, refs), role: role || el.localName, name: nameOf(el, newView()), tag: el.localName, visible: visible(el), styles: {}, pseudo: {}, unknown: [], childCount: el.childElementCount, hidden: 0 };
  out.next = refs.next;
  out.box = [r.x, r.y, r.width, r.height].map((n) => Math.round(n * 100) / 100);
  out.overflowing = { x: el.scrollWidth > el.clientWidth + 1, y: el.scrollHeight > el.clientHeight + 1 };
  let asked = args.styles && args.styles.length ? args.styles : usualStyles;
  if (insideProtected(el)) {
    // What a field measures can tell how long its value is.
    out.protected = true;
    out.overflowing = { x: false, y: false };
    if (!formTags.has(el.localName) || style.fieldSizing === 'content') {
      out.box = null;
      asked = asked.filter((p) => !/width|height|size|inset|perspective-origin|transform-origin|^(left|right|top|bottom)$/.test(p));
    }
  }
  for (const name of asked) {
    if (name === '::before' || name === '::after') {
      const made = getComputedStyle(el, name);
      out.pseudo[name] = { content: made.content, display: made.display, visibility: made.visibility };
      continue;
    }
    const property = name.startsWith('--') ? name : name.replace(/[A-Z]/g, (c) => '-' + c.toLowerCase());
    const value = style.getPropertyValue(property);
    if (value === '' && !name.startsWith('--') && !CSS.supports(property, 'inherit')) out.unknown.push(name);
    else out.styles[name] = value;
  }
  return out;
}
