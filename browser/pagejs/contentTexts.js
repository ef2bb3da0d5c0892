const namingAttributes = ['aria-label', 'title', 'alt', 'placeholder', 'label', 'value', 'summary', 'aria-roledescription', 'aria-placeholder', 'aria-valuetext', 'aria-description'];

/**
 * The texts of this frame that selectors can ask about: words of the page, and values of attributes.
 * @param {{text: boolean, attrs: string[], all: boolean}} args
 * @returns {{texts: string[], cut: boolean}} cut: there are too many
 */
function contentTexts(args) {
  const texts = [];
  let left = 4e6;
  const add = (s) => {
    if (s && s.trim()) {
      texts.push(s);
      left -= s.length;
    }
    return left > 0;
  };
  const names = args.text ? args.attrs.concat(namingAttributes) : args.attrs;
  for (const scope of scopesBelow(document)) {
    if (args.text) {
      const walker = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) if (!add(walker.currentNode.data)) return { texts: [], cut: true };
    }
    for (const el of scope.querySelectorAll(args.all ? '*' : names.map((n) => `[${CSS.escape(n)}]`).join() || 'none')) {
      for (const name of args.all ? el.getAttributeNames() : names) {
        if (name === 'value' && isProtected(el)) continue; // that is refused in any case
        if (!add(el.getAttribute(name))) return { texts: [], cut: true };
      }
    }
  }
  return { texts, cut: false };
}
