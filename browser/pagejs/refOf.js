/**
 * Gives an element a ref.
 * @param {{next: number}} args
 * @param {Element} el
 * @returns {{ref: number, next: number}}
 */
function refOf(args, el) {
  const refs = lend(args);
  return { ref: refNumber(el, refs), next: refs.next };
}
