/**
 * What lies at a point of this frame's viewport, the topmost first, inside shadow roots too. Where that is a frame, inner says
 * which and where the point is in it.
 * @param {{x: number, y: number, most: number, testAttributes?: string[], next: number}} args
 */
function probeAt(args) {
  const refs = lend(args);
  const view = newView();
  const all = stackAt(document, args.x, args.y);
  const top = all[0] || null;
  const out = { stack: all.slice(0, args.most).map((el) => probed(el, args, refs, view)), left: Math.max(0, all.length - args.most), inner: null, scrollContainer: null, clickableAncestor: null };
  for (let p = top; p; p = flatParent(p)) {
    if (!out.scrollContainer && scrollsHere(p)) out.scrollContainer = { ref: 'e' + refNumber(p, refs), tag: p.localName, scrollTop: Math.round(p.scrollTop), scrollLeft: Math.round(p.scrollLeft), scrollHeight: p.scrollHeight, scrollWidth: p.scrollWidth };
    if (!out.clickableAncestor && clickable(p, view)) out.clickableAncestor = { ref: 'e' + refNumber(p, refs), tag: p.localName, role: cachedRole(p, view), name: nameOf(p, view), distance: depthBetween(p, top) };
  }
  if (top && (top.localName === 'iframe' || top.localName === 'frame')) {
    const r = top.getBoundingClientRect();
    const style = getComputedStyle(top);
    const zoomX = top.offsetWidth ? r.width / top.offsetWidth : 1, zoomY = top.offsetHeight ? r.height / top.offsetHeight : 1;
    const x = r.x + (top.clientLeft + parseFloat(style.paddingLeft)) * zoomX, y = r.y + (top.clientTop + parseFloat(style.paddingTop)) * zoomY;
    out.inner = { ref: refNumber(top, refs), x, y, zoomX, zoomY };
  }
  out.next = refs.next;
  return out;
}

/** @returns {Element[]} */
function stackAt(root, x, y) {
  const out = [];
  for (const el of root.elementsFromPoint(x, y)) {
    if (el.getRootNode() !== root) continue;
    const inner = shadowOf(el);
    if (inner) out.push(...stackAt(inner, x, y));
    out.push(el);
  }
  return out;
}

function probed(el, args, refs, view) {
  const style = getComputedStyle(el);
  const r = el.getBoundingClientRect();
  const around = flatParent(el);
  const words = (n) => (n && n.nodeType === 1 && n !== document.body && n !== document.documentElement && !insideProtected(n) ? squeeze(textOf(n)).slice(0, longText) : '');
  return {
    ref: 'e' + refNumber(el, refs), tag: el.localName, id: el.id, testId: testIdOf(el, args.testAttributes || []), role: cachedRole(el, view), name: nameOf(el, view),
    classes: Array.from(el.classList), textContent: words(el), ancestorText: words(around), pointerEvents: style.pointerEvents, visibility: style.visibility, zIndex: style.zIndex,
    cursor: style.cursor, bbox: [r.x, r.y, r.width, r.height],
  };
}

function scrollsHere(el) {
  if (el.scrollHeight <= el.clientHeight + 1 && el.scrollWidth <= el.clientWidth + 1) return false;
  if (el === document.scrollingElement) return true;
  const style = getComputedStyle(el);
  return /auto|scroll/.test(style.overflowX + style.overflowY);
}

/** Whether a click is meant for an element, as far as it shows: its listeners cannot be seen. */
function clickable(el, view) {
  if (actableRoles.has(cachedRole(el, view)) || el.hasAttribute('onclick') || el.localName === 'label') return true;
  const p = flatParent(el);
  return getComputedStyle(el).cursor === 'pointer' && (!p || getComputedStyle(p).cursor !== 'pointer');
}

function depthBetween(ancestor, el) {
  let n = 0;
  for (let p = el; p && p !== ancestor; p = flatParent(p)) n++;
  return n;
}
