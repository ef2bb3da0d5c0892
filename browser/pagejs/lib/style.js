const withVisibility = { visibilityProperty: true };

const NONE = 0, SHOWN = 1, PASS = 2;

/**
 * How an element takes part in the picture: NONE: neither it nor anything in it; SHOWN; PASS: it is hidden itself, but what
 * it holds may be shown.
 * @param {Element} el
 */
function seen(el) {
  if (el.checkVisibility(withVisibility)) return SHOWN;
  const style = getComputedStyle(el);
  const display = style.display;
  if (display === 'none' || display === '') return NONE;
  if (display === 'contents') return style.visibility === 'visible' ? SHOWN : PASS;
  return style.visibility === 'visible' ? NONE : PASS;
}

/** Whether a person can see the element: drawn, not of size nothing. */
function visible(el) {
  if (!el.checkVisibility(withVisibility)) {
    if (el.localName === 'option' || el.localName === 'optgroup') {
      const select = el.closest('select');
      return !!select && visible(select);
    }
    if (getComputedStyle(el).display !== 'contents') return false;
    for (let c = el.firstElementChild; c; c = c.nextElementSibling) if (visible(c)) return true;
    return false;
  }
  const box = el.getBoundingClientRect();
  if (box.width > 0 && box.height > 0) return true;
  // A box of no size can hold what flows out of it.
  const style = getComputedStyle(el);
  if (style.overflowX !== 'visible' || style.overflowY !== 'visible') return false;
  const root = shadowOf(el) || el;
  for (let c = root.firstElementChild; c; c = c.nextElementSibling) if (visible(c)) return true;
  return false;
}

const inlineTags = new Set(['a', 'abbr', 'acronym', 'b', 'bdi', 'bdo', 'big', 'br', 'cite', 'code', 'data', 'del', 'dfn', 'em', 'font', 'i', 'ins', 'kbd',
  'label', 'mark', 'output', 'q', 'rp', 'rt', 'ruby', 's', 'samp', 'slot', 'small', 'span', 'strike', 'strong', 'sub', 'sup', 'time', 'tt', 'u', 'var', 'wbr', 'nobr']);

/** Whether what is before, in and after the element are words of their own. */
function setsApart(el) {
  if (!inlineTags.has(el.localName) && !el.localName.includes('-')) return true;
  const display = getComputedStyle(el).display;
  return display !== 'inline' && display !== 'contents' && !display.startsWith('ruby');
}

/** @type {WeakMap<CSSStyleSheet, [number, boolean]>} */
const sheetsSeen = new WeakMap();

function sheetMakesText(sheet) {
  let rules;
  try {
    rules = sheet.cssRules;
  } catch {
    return true;
  }
  const known = sheetsSeen.get(sheet);
  if (known && known[0] === rules.length) return known[1];
  const found = rulesMakeText(rules);
  sheetsSeen.set(sheet, [rules.length, found]);
  return found;
}

function rulesMakeText(rules) {
  for (const r of rules) {
    if (r.selectorText && /:(before|after)/.test(r.selectorText)) {
      const content = r.style && r.style.content;
      if (content && !/^(none|normal|""|'')$/.test(content)) return true;
    }
    if (r.styleSheet ? sheetMakesText(r.styleSheet) : r.cssRules && r.cssRules.length && rulesMakeText(r.cssRules)) return true;
  }
  return false;
}

/** Whether the style sheets of a tree scope put text before or after elements. Looking at each element costs too much without cause. */
function stylesMakeText(scope) {
  for (const s of scope.styleSheets || []) if (sheetMakesText(s)) return true;
  for (const s of scope.adoptedStyleSheets || []) if (sheetMakesText(s)) return true;
  return false;
}

/** The text that styles put before or after an element. @param {'::before'|'::after'} which */
function madeText(el, which) {
  const style = getComputedStyle(el, which);
  const content = style.content;
  if (content === 'none' || content === 'normal' || content === '' || style.display === 'none' || style.visibility !== 'visible') return '';
  let text = '';
  const slash = content.lastIndexOf('" / "');
  const part = slash >= 0 ? content.slice(slash + 4) : content;
  for (const m of part.matchAll(/"((?:[^"\\]|\\.)*)"|attr\(([\w-]+)\)/g)) {
    text += m[2] ? el.getAttribute(m[2]) || '' : m[1].replace(/\\([0-9a-fA-F]{1,6})\s?|\\(.)/g, (_, hex, ch) => (hex ? String.fromCodePoint(parseInt(hex, 16)) : ch));
  }
  return style.display === 'inline' ? text : ` ${text} `;
}
