// Finding the element that an action is aimed at.

/**
 * @typedef {{ref?: number, selector?: string, contextRef?: number}} Target
 */

/**
 * @param {Target} target
 * @returns {{el: Element, matched: number}|null} null when a selector matches nothing
 */
function locate(target) {
  if (target.ref) return { el: refElement(target.ref), matched: 1 };
  const root = target.contextRef ? refElement(target.contextRef) : document;
  const list = queryAll(target.selector, root);
  if (!list.length) return null;
  return { el: list.find(visible) || list[0], matched: list.length };
}

function notFound(target) {
  fail('not-found', `no element matches ${JSON.stringify(cut(target.selector || '', 200))}`, {});
}

/** A label stands for the control that it labels. */
function controlOf(el) {
  if (el.localName === 'label' && el.control) return el.control;
  const inner = el.localName !== 'input' && el.localName !== 'textarea' && el.localName !== 'select' && !hostOfEditing(el) && el.getAttribute('role') === 'combobox'
    ? el.querySelector('input,textarea') : null;
  return inner || el;
}

/** How an element is called when an error speaks of it. */
function describe(el) {
  const id = el.id ? '#' + el.id : el.classList && el.classList.length ? '.' + el.classList[0] : '';
  const role = roleOf(el);
  const name = calledBy(el);
  return `${role || el.localName}${name ? ' ' + JSON.stringify(cut(name, 80)) : ''} <${el.localName}${id}>`;
}

/** The same in fewer words, where it is only to be recognised. */
function brief(el) {
  const role = roleOf(el);
  const name = calledBy(el);
  if (name) return `${role || el.localName} ${JSON.stringify(cut(name, 60))}`;
  return (role || el.localName) + (el.id ? ' #' + el.id : el.classList && el.classList.length ? ' .' + el.classList[0] : '');
}

/** Its name, or its text where that is short. */
function calledBy(el) {
  const name = nameOf(el, newView());
  if (name || el === document.body || el === document.documentElement || el.getElementsByTagName('*').length > 20) return name;
  const words = spacedWords(el);
  return words.length <= 60 ? words : '';
}

/** Where elements were last seen, to tell whether they move. @type {WeakMap<Element, {x: number, y: number, w: number, h: number, at: number}>} */
const boxesSeen = new WeakMap();

function boxOf(el) {
  let r = el.getBoundingClientRect();
  if ((!r.width || !r.height) && getComputedStyle(el).display === 'contents') {
    const range = document.createRange();
    range.selectNodeContents(el);
    r = range.getBoundingClientRect();
  }
  return r;
}

/** Notes where an element is. @returns {boolean} whether it was there an earlier frame too */
function sameBox(el, r) {
  const now = performance.now();
  const before = boxesSeen.get(el);
  const x = r.x + scrollX, y = r.y + scrollY;
  const same = !!before && Math.abs(before.x - x) < 1 && Math.abs(before.y - y) < 1 && before.w === r.width && before.h === r.height;
  if (same && now - before.at >= 32) return true;
  if (!same) boxesSeen.set(el, { x, y, w: r.width, h: r.height, at: now });
  return false;
}

/** Whether something moves that the element is part of. */
function animated(el) {
  for (const a of document.getAnimations()) {
    const target = a.effect && a.effect.target;
    if (a.playState === 'running' && target && target.contains(el)) {
      const timing = a.effect.getComputedTiming();
      if (timing.progress !== null && timing.duration) return true;
    }
  }
  return false;
}

/** The element at a point, inside shadow roots too. */
function deepElementAt(x, y) {
  let el = document.elementFromPoint(x, y);
  for (let root = el && shadowOf(el); root; root = shadowOf(el)) {
    const inner = root.elementFromPoint(x, y);
    if (!inner || inner === el) break;
    el = inner;
  }
  return el;
}

/** Whether what is hit at a point counts as the element. */
function hits(el, hit) {
  if (!hit) return false;
  if (flatContains(el, hit)) return true;
  const label = hit.closest && hit.closest('label');
  return !!label && label.control === el;
}

/** The middle of the part of an element that is in the viewport, or null. */
function pointOf(el) {
  let best = null;
  for (const r of el.getClientRects()) {
    const left = Math.max(0, r.left), right = Math.min(innerWidth, r.right), top = Math.max(0, r.top), bottom = Math.min(innerHeight, r.bottom);
    const area = Math.max(0, right - left) * Math.max(0, bottom - top);
    if (area > 0 && (!best || area > best.area)) best = { x: (left + right) / 2, y: (top + bottom) / 2, area, whole: left === r.left && right === r.right && top === r.top && bottom === r.bottom };
  }
  if (!best) {
    const r = boxOf(el);
    if (r.width && r.height && r.right > 0 && r.bottom > 0 && r.left < innerWidth && r.top < innerHeight) {
      best = { x: Math.min(innerWidth - 1, Math.max(0, r.x + r.width / 2)), y: Math.min(innerHeight - 1, Math.max(0, r.y + r.height / 2)), area: r.width * r.height, whole: true };
    }
  }
  return best;
}

/**
 * Waits until an element can be acted on, as the needs say, and brings it into view.
 * @param {Target} target
 * @param {{limit: number, events?: boolean, enabled?: boolean, editable?: boolean, control?: boolean, still?: boolean}} needs
 * @returns {Promise<{el: Element, matched: number, point: {x: number, y: number}|null}>}
 */
async function actable(target, needs) {
  const until = performance.now() + needs.limit;
  let trouble = null;
  let centred = false;
  for (let round = 0; ; round++) {
    const found = locate(target);
    if (!found) trouble = problem('not-found', `no element matches ${JSON.stringify(cut(target.selector || '', 200))}`, {});
    else {
      const el = needs.control ? controlOf(found.el) : found.el;
      trouble = unfit(el, needs);
      if (!trouble && (needs.still === false || (await standsStill(el, until)))) {
        if (!needs.events) return { el, matched: found.matched, point: null };
        const hit = await exposed(el, centred);
        if (hit.point) return { el, matched: found.matched, point: hit.point };
        trouble = hit.trouble;
        centred = true;
      } else if (!trouble) trouble = problem('not-stable', `${describe(el)} keeps moving`, {});
    }
    if (performance.now() >= until) throw trouble;
    await pause(round < 3 ? 20 : 80);
  }
}

/** What keeps an element from being acted on, apart from what covers it; null when nothing does. */
function unfit(el, needs) {
  if (el.localName === 'option') return null;
  if (!visible(el)) return problem('not-visible', `${describe(el)} is not visible`, {});
  if (needs.enabled && isDisabled(el)) return problem('not-enabled', `${describe(el)} is disabled`, {});
  if (needs.editable && isReadonly(el)) return problem('not-editable', `${describe(el)} is read-only`, {});
  return null;
}

async function standsStill(el, until) {
  for (;;) {
    if (!el.isConnected) return false;
    if (sameBox(el, boxOf(el)) && !animated(el)) return true;
    if (performance.now() >= until) return false;
    await drawn();
    const before = boxesSeen.get(el);
    // Two frames have passed when the same box is met again after a drawn frame.
    const r = boxOf(el);
    if (before && Math.abs(before.x - r.x - scrollX) < 1 && Math.abs(before.y - r.y - scrollY) < 1 && before.w === r.width && before.h === r.height && !animated(el)) return true;
  }
}

async function exposed(el, centred) {
  let point = centred ? null : pointOf(el);
  if (!point || !point.whole) {
    el.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    point = pointOf(el);
  }
  if (!point) return { trouble: problem('out-of-view', `${describe(el)} cannot be scrolled into view`, {}) };
  let hit = deepElementAt(point.x, point.y);
  if (hits(el, hit)) return { point };
  // A bar over a part of the page: another part of the element may lie free.
  const r = boxOf(el);
  for (const [fx, fy] of [[0.5, 0.2], [0.5, 0.8], [0.15, 0.5], [0.85, 0.5]]) {
    const x = r.x + r.width * fx, y = r.y + r.height * fy;
    if (x > 0 && y > 0 && x < innerWidth && y < innerHeight && hits(el, deepElementAt(x, y))) return { point: { x, y } };
  }
  if (!hit) return { trouble: problem('out-of-view', `${describe(el)} is outside the viewport`, {}) };
  let cover = hit;
  for (let p = hit; p && !flatContains(p, el); p = flatParent(p)) cover = p;
  const named = roleOf(cover) || nameOf(cover, newView()) ? cover : hit;
  return { trouble: problem('covered', `${describe(el)} is covered by ${describe(named)}`, { by: describe(named) }) };
}
