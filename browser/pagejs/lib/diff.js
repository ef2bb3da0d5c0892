// How elements stand before and after an action: their classes, styles and attributes.

/** Computed styles that are compared: those that say how an element looks and whether it can be used. */
const comparedStyles = ['display', 'visibility', 'opacity', 'color', 'background-color', 'border-top-color', 'outline-style', 'text-decoration-line', 'font-weight', 'transform', 'cursor', 'pointer-events'];

/** How many elements are compared, and of how many the computed styles are. */
const mostCompared = 8000, mostStyled = 2000;

/** @type {Map<number, {scope: Element, of: Map<Element, object>, more: boolean}>} */
const baselines = new Map();

function* inScope(scope) {
  let n = 0;
  const stack = [scope];
  while (stack.length) {
    const el = stack.pop();
    if (unseenTags.has(el.localName) && el.localName !== 'head') continue;
    if (++n > mostCompared) return;
    yield el;
    const below = [];
    const root = shadowOf(el);
    if (root) for (let c = root.firstElementChild; c; c = c.nextElementSibling) below.push(c);
    for (let c = el.firstElementChild; c; c = c.nextElementSibling) below.push(c);
    while (below.length) stack.push(below.pop());
  }
}

function standing(el, styled) {
  const attributes = new Map();
  for (const a of el.attributes) attributes.set(a.name, a.value);
  const looks = [];
  if (styled) {
    const style = getComputedStyle(el);
    for (const p of comparedStyles) looks.push(style.getPropertyValue(p));
  }
  return { attributes, looks, place: placeOf(el), tag: el.localName };
}

/** Where an element stands, in words that are short and need not be unique. */
function placeOf(el) {
  const steps = [];
  for (let n = el; n && n.nodeType === 1 && steps.length < 5; n = flatParent(n)) {
    let step = n.localName;
    if (n.id) step += '#' + n.id;
    else if (n.parentNode && n.parentNode.children) {
      const same = Array.from(n.parentNode.children).filter((s) => s.localName === n.localName);
      if (same.length > 1) step += `:nth-of-type(${same.indexOf(n) + 1})`;
    }
    steps.unshift(step);
    if (n.id || n.localName === 'body') break;
  }
  return steps.join(' > ');
}
