/**
 * Where filled fields stand whose value is never shown, in this frame's viewport.
 * @returns {{boxes: number[][]}}
 */
function protectedBoxes(args) {
  const boxes = [];
  for (const scope of scopesBelow(document)) {
    for (const el of scope.querySelectorAll('input,textarea,select,[contenteditable]')) {
      if (!protectedFields.has(el) && !isProtected(el)) continue;
      if (!(el.value || (el.value === undefined && el.textContent))) continue;
      const r = el.getBoundingClientRect();
      if (r.width && r.height) boxes.push([r.x, r.y, r.width, r.height]);
    }
  }
  return { boxes };
}
