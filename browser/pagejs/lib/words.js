// The words of an element as a check of it needs them: whole, and without what protected fields hold.

/** How much text of one element is looked at. */
const mostWords = 200000;

/** How much of a text is handed to the Go side, which shortens it behind the mask: a cut here could keep half of a secret. */
const longText = 20000;

/** Whether a node is a field that keeps its value to itself, or stands inside editable text that does. */
function insideProtected(node) {
  for (let n = node; n; n = flatParent(n)) {
    if (n.nodeType !== 1) continue;
    if (isProtected(n)) return true;
    // Which option is chosen is the value of its menu.
    if ((n.localName === 'option' || n.localName === 'optgroup') && n.closest('select') && isProtected(n.closest('select'))) return true;
  }
  return false;
}

/**
 * What a person reads in an element; of one that is not drawn, what it says all the same.
 * @returns {{words: string, more: boolean}} more: there are more than are looked at
 */
function shownWords(el) {
  let text = '';
  const all = !visible(el);
  const walk = (n, shown) => {
    if (text.length > mostWords) return;
    if (n.nodeType === 3) {
      if (shown) text += n.data;
      return;
    }
    if (n.nodeType !== 1) return;
    if (n.localName === 'input') {
      if (shown) text += ' ' + ownWords(n) + ' ';
      return;
    }
    if (wordless.has(n.localName) || isProtected(n)) return;
    if (n.localName === 'br') {
      text += ' ';
      return;
    }
    const how = all ? SHOWN : seen(n);
    if (how === NONE) return;
    const apart = !inlineTags.has(n.localName);
    if (apart) text += ' ';
    eachFlatChild(n, (c) => walk(c, how === SHOWN));
    if (apart) text += ' ';
  };
  if (!insideProtected(el)) walk(el, true);
  const more = text.length > mostWords;
  return { words: squeeze(more ? text.slice(0, mostWords) : text), more };
}
