// The flat tree: what is drawn, with shadow roots in the place of their hosts' children and slots filled.

/** Closed shadow roots that the Go side has handed over. @type {WeakMap<Element, ShadowRoot>} */
const adoptedRoots = new WeakMap();
let anyAdopted = false;

/** @param {Element} el @returns {ShadowRoot|null} */
function shadowOf(el) {
  const root = el.shadowRoot || (anyAdopted && adoptedRoots.get(el)) || null;
  if (root) knownRoots.add(root);
  return root;
}

/**
 * Visits the children of an element in the flat tree.
 * @param {Element} el
 * @param {(n: Node) => void} visit
 */
function eachFlatChild(el, visit) {
  const root = shadowOf(el);
  if (root) {
    for (let c = root.firstChild; c; c = c.nextSibling) visit(c);
    return;
  }
  if (el.localName === 'slot') {
    const assigned = el.assignedNodes();
    if (assigned.length) {
      for (const n of assigned) visit(n);
      return;
    }
  }
  for (let c = el.firstChild; c; c = c.nextSibling) visit(c);
}

/** @param {Node} node @returns {Element|null} the element that holds it in the flat tree */
function flatParent(node) {
  if (node.nodeType === 1 || node.nodeType === 3) {
    if (node.assignedSlot) return node.assignedSlot;
  }
  const p = node.parentNode;
  if (!p) return null;
  if (p.nodeType === 11) return p.host || null;
  if (p.nodeType !== 1) return null;
  const root = anyAdopted && adoptedRoots.get(p);
  if (root) {
    const name = (node.nodeType === 1 && node.getAttribute('slot')) || '';
    for (const s of root.querySelectorAll('slot')) if ((s.getAttribute('name') || '') === name) return s;
  }
  return p;
}

/** Whether a holds b, or is b, in the flat tree. */
function flatContains(a, b) {
  for (let n = b; n; n = flatParent(n)) if (n === a) return true;
  return false;
}

/** Visits an element and every element below it, shadow roots included, document order. Stops when visit answers true. */
function eachElement(el, visit) {
  if (visit(el)) return true;
  const root = shadowOf(el);
  if (root) for (let c = root.firstElementChild; c; c = c.nextElementSibling) if (eachElement(c, visit)) return true;
  for (let c = el.firstElementChild; c; c = c.nextElementSibling) if (eachElement(c, visit)) return true;
  return false;
}

/** Every tree scope at or below a node: itself, and the shadow roots inside. @returns {(Document|ShadowRoot|Element)[]} */
function scopesBelow(node) {
  const scopes = [node];
  const own = node.nodeType === 1 && shadowOf(node);
  if (own) scopes.push(...scopesBelow(own));
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_ELEMENT);
  for (let e = walker.nextNode(); e; e = walker.nextNode()) {
    const root = shadowOf(e);
    if (root) scopes.push(...scopesBelow(root));
  }
  return scopes;
}

/** The focused element, inside whatever shadow roots. */
function deepActive() {
  let el = document.activeElement;
  for (let root = el && shadowOf(el); root && root.activeElement; root = shadowOf(el)) el = root.activeElement;
  return el === document.body || el === document.documentElement ? null : el;
}
