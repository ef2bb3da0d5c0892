/**
 * Where filled fields stand whose value is never shown, in this frame's viewport.
 * @returns {{boxes: number[][], all: boolean}} all: something may draw them elsewhere too, nobody knows where
 */
function protectedBoxes(args) {
  const boxes = [];
  let all = false;
  coveredNodes.clear();
  const around = newSurroundings();
  for (const scope of scopesBelow(document)) {
    for (const el of scope.querySelectorAll('input,textarea,select,[contenteditable]')) {
      if (!protectedFields.has(el) && !isProtected(el)) continue;
      if (!(el.value || (el.value === undefined && el.textContent))) continue;
      const own = [];
      addRects(own, el.getClientRects());
      if (el.value === undefined) {
        const range = document.createRange();
        range.selectNodeContents(el);
        addRects(own, range.getClientRects());
      }
      if (!own.length) continue;
      const e = fieldEffects(el, around);
      coveredNodes.add(el);
      all ||= e.all;
      boxes.push(...own.map((b) => grown(b, e.grow)));
    }
  }
  return { boxes, all };
}

/** What draws a field elsewhere. Its own text is cut off at its edges. */
function fieldEffects(el, around) {
  const e = effectsOn(el, around);
  return sized(null, e.grow + (el.value === undefined || getComputedStyle(el).textShadow !== 'none' ? textGrowth(el, e, true) : 0), e.all);
}

function grown(b, by) {
  return [b[0] - by, b[1] - by, b[2] + 2 * by, b[3] + 2 * by];
}
