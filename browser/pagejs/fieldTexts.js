/**
 * What is shown that is no text of the page, such as what fields hold, and where it stands in this frame's viewport.
 * @returns {{fields: {text: string, boxes: number[][], all: boolean}[]}} all: something may draw it elsewhere too
 */
function fieldTexts(args) {
  const fields = [];
  const around = newSurroundings();
  const add = (el, text, beyond = 0) => {
    const own = [];
    addRects(own, el.getClientRects());
    if (!own.length) return;
    const e = fieldEffects(el, around);
    fields.push({ text, boxes: own.map((b) => grown(b, e.grow + beyond)), all: e.all });
  };
  for (const scope of scopesBelow(document)) {
    for (const el of scope.querySelectorAll('*')) {
      const text = ownTextOf(el);
      if (text) add(el, text);
      // What is put where words are broken is part of no text.
      const style = getComputedStyle(el), hyphen = style.hyphenateCharacter;
      if (hyphen && hyphen !== 'auto') add(el, hyphen.replace(/^"|"$/g, ''), hyphen.length * parseFloat(style.fontSize));
    }
  }
  return { fields };
}

function ownTextOf(el) {
  switch (el.localName) {
    case 'input':
      if (el.type === 'hidden' || isProtected(el)) return '';
      if (el.type === 'image') return el.alt || el.title || el.value;
      if (el.type === 'file') return Array.from(el.files || [], (f) => f.name).join('\n') || el.value;
      return el.value || el.placeholder;
    case 'textarea': return isProtected(el) ? '' : el.value || el.placeholder;
    case 'select': return Array.from(el.multiple || el.size > 1 ? el.options : el.selectedOptions, (o) => o.label || o.text).join('\n');
    case 'option': return el.label || el.text;
    case 'optgroup': return el.getAttribute('label') || '';
    case 'img': return el.complete && el.naturalWidth ? '' : el.alt || el.title;
  }
  return '';
}
