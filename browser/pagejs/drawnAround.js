/**
 * Where a text, or the element that makes one, stands in this frame's viewport, and what draws it elsewhere too.
 * @param {{owner: boolean}} args owner: of a frame's element only what its surroundings do is asked for
 * @param {Node} node
 * @returns {{boxes: number[][], grow: number, all: boolean}} grow: how far beyond the boxes it may be drawn; all: anywhere
 */
function drawnAround(args, node) {
  const el = node.nodeType === 1 ? node : flatParent(node);
  if (!el) return { boxes: [], grow: 0, all: true };
  coveredNodes.add(node);
  const around = newSurroundings();
  const e = effectsOn(el, around);
  if (args.owner) return { boxes: [], grow: 0, all: e.all || e.grow > 0 };
  const boxes = [];
  let grow = e.grow + textGrowth(el, e, node === el);
  if (node !== el) {
    const range = document.createRange();
    range.selectNodeContents(node);
    addRects(boxes, range.getClientRects());
  }
  for (let p = el; p; p = flatParent(p)) {
    const style = getComputedStyle(p);
    for (const which of ['::first-line', '::first-letter']) grow = Math.max(grow, e.grow + 3 * pixels(getComputedStyle(p, which).textShadow) * zoomOf(p) * e.scale);
    // What is made before or after an element has no range that says where it is broken.
    if (node === el && (style.columnCount !== 'auto' || style.columnWidth !== 'auto')) addRects(boxes, p.getClientRects());
    if (p.localName === 'text' && p instanceof SVGElement) {
      addRects(boxes, [p.getBoundingClientRect()]);
      grow += parseFloat(style.fontSize) * e.scale || 0;
    }
    if (p.localName === 'img') addRects(boxes, [p.getBoundingClientRect()]);
  }
  return sized(boxes, grow, e.all || (node === el && el.getAnimations({ subtree: true }).some(movesByItself)));
}

/** What is found out once about all that draws things elsewhere. */
function newSurroundings() {
  return { known: new Map(), page: null };
}

function sized(boxes, grow, all) {
  return Number.isFinite(grow) ? { boxes, grow, all } : { boxes, grow: 0, all: true };
}

function addRects(boxes, rects) {
  for (const r of rects) if (r.width && r.height) boxes.push([r.x, r.y, r.width, r.height]);
}

/** The sum of the lengths in a computed value. */
function pixels(value) {
  let sum = 0;
  for (const m of (value || '').matchAll(/-?[\d.]+(?:e[-+]?\d+)?(?=px)/g)) sum += Math.abs(parseFloat(m[0]));
  return sum;
}

function zoomOf(el) {
  return el.currentCSSZoom || 1;
}

/** How much larger a transform draws. */
function scaleOf(style) {
  if (style.perspective !== 'none') return Infinity;
  let scale = 1;
  if (style.scale && style.scale !== 'none') scale = Math.max(...style.scale.split(' ').map((s) => Math.abs(parseFloat(s))));
  if (!style.transform || style.transform === 'none') return scale;
  const m = new DOMMatrix(style.transform);
  return scale * (m.m14 || m.m24 || m.m34 ? Infinity : Math.hypot(m.m11, m.m12, m.m13) + Math.hypot(m.m21, m.m22, m.m23));
}

const elsewhereTags = new Set(['defs', 'symbol', 'pattern', 'marker', 'mask', 'clipPath', 'filter', 'use']);

/**
 * What an element and those around it do to where it is drawn.
 * @returns {{grow: number, all: boolean, scale: number, svg: boolean}}
 */
function effectsOn(el, around) {
  if (around.known.has(el)) return around.known.get(el);
  const parent = flatParent(el);
  const e = parent ? { ...effectsOn(parent, around) } : { grow: 0, all: pageEffects(around).all, scale: 1, svg: false };
  const style = getComputedStyle(el);
  e.scale *= scaleOf(style);
  if (style.filter && style.filter !== 'none') {
    if (style.filter.includes('url(')) e.all = true;
    const far = pixels(style.filter);
    if (far) e.grow += 3 * far * zoomOf(el) * e.scale;
  }
  if (style.webkitBoxReflect && style.webkitBoxReflect !== 'none') e.all = true;
  if (el.getAnimations().some(movesByItself)) e.all = true;
  if (el instanceof SVGElement) {
    e.svg = true;
    if (elsewhereTags.has(el.localName)) e.all = true;
  }
  if (e.svg) {
    const page = pageEffects(around);
    if (page.moving || (el.id && page.used.has(el.id))) e.all = true;
  }
  if (!Number.isFinite(e.grow)) e.all = true;
  around.known.set(el, e);
  return e;
}

/** Whether an animation is run by the compositor, which does not stop for pictures. */
function movesByItself(animation) {
  if (animation.playState !== 'running' || !animation.effect || !animation.effect.getKeyframes) return false;
  return animation.effect.getKeyframes().some((k) => Object.keys(k).some((p) => /^(transform|translate|rotate|scale|offset|filter)/.test(p) && p !== 'offset'));
}

/** What the text of an element adds to that. */
function textGrowth(el, e, made) {
  const which = ['', '::selection', '::target-text', '::search-text', '::spelling-error', '::grammar-error'];
  if (made) which.push('::before', '::after', '::marker', '::placeholder', '::file-selector-button', '::details-content');
  if (globalThis.CSS && CSS.highlights) for (const name of CSS.highlights.keys()) which.push(`::highlight(${CSS.escape(name)})`);
  let far = 0;
  for (const w of which) {
    const style = w ? getComputedStyle(el, w) : getComputedStyle(el);
    let own = 3 * (pixels(style.textShadow) + pixels(style.webkitTextStrokeWidth));
    if (e.svg && style.stroke && style.stroke !== 'none') own += 3 * pixels(style.strokeWidth);
    if (w && style.filter && style.filter !== 'none') own += style.filter.includes('url(') ? Infinity : 3 * pixels(style.filter);
    if (w && style.webkitBoxReflect && style.webkitBoxReflect !== 'none') own = Infinity;
    far = Math.max(far, own);
  }
  return far && far * zoomOf(el) * e.scale;
}

/** What in this frame may draw anything anywhere: a view that changes over, a backdrop that is moved, parts of pictures that are used again. */
function pageEffects(around) {
  if (around.page) return around.page;
  const page = { all: false, moving: false, used: new Set() };
  around.page = page;
  const root = document.documentElement;
  try {
    if (root && root.matches(':active-view-transition')) page.all = true;
  } catch {
    // a browser that does not know the word
  }
  if (root && root.getAnimations({ subtree: true }).some((a) => a.effect && (a.effect.pseudoElement || '').startsWith('::view-transition'))) page.all = true;
  for (const scope of scopesBelow(document)) {
    for (const el of scope.querySelectorAll('*')) {
      const filter = getComputedStyle(el).backdropFilter;
      if (filter && filter !== 'none' && filter.includes('url(')) page.all = true;
      if (!(el instanceof SVGElement)) continue;
      if (el.localName === 'use' || el.localName === 'feImage') {
        const to = el.href && el.href.baseVal || '';
        const id = to.slice(to.indexOf('#') + 1);
        page.used.add(id);
        try {
          page.used.add(decodeURIComponent(id));
        } catch {
          // it is taken as it stands
        }
      } else if (/^(animate|animateTransform|animateMotion|set)$/.test(el.localName)) page.moving = true;
    }
  }
  return page;
}
