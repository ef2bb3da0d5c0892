// Refs name elements: eN, where N is unique in the tab. An element keeps its number as long as it is in the page. The Go
// side lends each call a range of numbers, because several frames and calls share them.

/** @type {WeakMap<Element, number>} */
const refNumbers = new WeakMap();
/** @type {Map<number, WeakRef<Element>>} */
const refElements = new Map();

/**
 * @typedef {{next: number}} Refs the numbers that a call may give away
 */

/** @returns {Refs} */
function lend(args) {
  return { next: args.next || 0 };
}

/**
 * The number of an element, a new one if it had none.
 * @param {Element} el
 * @param {Refs} refs
 * @returns {number}
 */
function refNumber(el, refs) {
  let n = refNumbers.get(el);
  if (n === undefined) {
    if (!refs.next) fail('bad-args', 'this call was lent no numbers for refs');
    n = refs.next++;
    refNumbers.set(el, n);
    refElements.set(n, new WeakRef(el));
  }
  return n;
}

/**
 * The element of a number. One that has left the document is an error.
 * @param {number} n
 * @returns {Element}
 */
function refElement(n) {
  const weak = refElements.get(n);
  const el = weak && weak.deref();
  if (!el || !el.isConnected) {
    if (weak && !el) refElements.delete(n);
    fail('stale', `e${n} is no longer in the page: take a new snapshot, or find the element again`, { ref: n });
  }
  return el;
}
