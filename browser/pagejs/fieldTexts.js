/**
 * What fields show, which is no text of the page, and where they stand in this frame's viewport.
 * @returns {{fields: {text: string, box: number[]}[]}}
 */
function fieldTexts(args) {
  const fields = [];
  for (const scope of scopesBelow(document)) {
    for (const el of scope.querySelectorAll('input,textarea,select')) {
      if (el.localName === 'input' && el.type === 'hidden') continue;
      const text = el.localName === 'select' ? Array.from(el.multiple || el.size > 1 ? el.options : el.selectedOptions, (o) => o.label || o.text).join('\n') : isProtected(el) ? '' : el.value || el.placeholder;
      if (!text) continue;
      const r = el.getBoundingClientRect();
      if (r.width && r.height) fields.push({ text, box: [r.x, r.y, r.width, r.height] });
    }
  }
  return { fields };
}
