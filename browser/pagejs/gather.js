/** The properties that may be read; what they hold is text, a number or yes and no. */
const gatherable = new Set(('textContent innerText value checked selected disabled href src currentSrc alt title id name type placeholder className tagName label min max step open hidden ' +
  'indeterminate readOnly required multiple naturalWidth naturalHeight childElementCount download target rel lang dir dateTime colSpan rowSpan rowIndex cellIndex htmlFor content action method ' +
  'defaultChecked valueAsNumber scrollTop scrollHeight clientWidth clientHeight').split(' '));

/** How much text one value, and how much all, may have. */
const mostGathered = 50000, mostGatheredAll = 400000;

/**
 * @typedef {object} Source
 * @property {'value'|'object'|'list'} kind
 * @property {string} [selector]
 * @property {string} [attr]
 * @property {string} [prop]
 * @property {string} [items] of a list: the selector of one item
 * @property {Object<string, Source>} [fields]
 * @property {Source} [item]
 */

/**
 * Reads values from the page, as the sources say.
 * @param {{ref?: number, selector?: string, contextRef?: number, source: Source, most: number, skip: number, next: number}} args
 */
function gather(args) {
  let root = document;
  if (args.ref || args.selector) {
    const found = locate(args);
    if (!found) notFound(args);
    root = found.el;
  }
  const budget = { left: mostGatheredAll };
  return { value: gatherFrom(root, args.source, args, budget, true), url: location.href, next: args.next };
}

function gatherFrom(root, source, args, budget, first) {
  const select = (s) => (s === ':scope' ? (root.nodeType === 1 ? [root] : [document.documentElement]) : queryAll(s, root));
  const list = source.selector ? select(source.selector) : null;
  if (list && !list.length && source.kind !== 'list') return { why: 'no-match' };
  const el = list ? list[0] : root;
  const matched = list ? list.length : 1;
  switch (source.kind) {
    case 'object': {
      const fields = Object.create(null);
      for (const [name, inner] of Object.entries(source.fields)) fields[name] = gatherFrom(el, inner, args, budget, false);
      return { fields, matched };
    }
    case 'list': {
      let items = list || [root];
      if (source.items) {
        const set = new Set();
        for (const r of items) for (const one of queryAll(source.items, r)) set.add(one);
        items = [...set];
      }
      const skip = first ? args.skip : 0;
      const out = [];
      let i = skip;
      for (; i < items.length && out.length < args.most && budget.left > 0; i++) out.push(gatherFrom(items[i], source.item, args, budget, false));
      return { items: out, total: items.length, skipped: Math.min(skip, items.length), left: Math.max(0, items.length - i) };
    }
    default: {
      const read = valueFrom(el.nodeType === 9 ? document.documentElement : el, source);
      if (typeof read.raw === 'string') {
        if (read.raw.length > mostGathered || read.raw.length > budget.left) return { why: 'too-long', matched };
        budget.left -= read.raw.length;
      }
      read.matched = matched;
      return read;
    }
  }
}

function valueFrom(el, source) {
  if (source.attr) {
    const name = source.attr.toLowerCase();
    if (name === 'value' && insideProtected(el)) return { why: 'protected' };
    const raw = el.getAttribute(source.attr);
    if (raw === null) return booleanAttributes.has(name) ? { raw: false, from: 'state' } : { why: 'no-attribute' };
    return booleanAttributes.has(name) ? { raw: true, from: 'state' } : { raw, from: 'attr' };
  }
  if (source.prop) {
    if (!gatherable.has(source.prop)) return { why: 'no-such-prop' };
    if (insideProtected(el) && !/^(id|name|type|placeholder|className|tagName|title|label|disabled|hidden|readOnly|required)$/.test(source.prop)) return { why: 'protected' };
    if (source.prop === 'textContent' || source.prop === 'innerText') return wordsFrom(el, source.prop === 'innerText');
    const raw = el[source.prop];
    if (raw === undefined || raw === null || raw !== raw) return { why: 'no-prop' };
    if (typeof raw === 'string' || typeof raw === 'number' || typeof raw === 'boolean') return { raw, from: 'prop' };
    return { why: 'no-prop' };
  }
  return wordsFrom(el, true);
}

const booleanAttributes = new Set(['disabled', 'checked', 'hidden', 'required', 'readonly', 'selected', 'open', 'multiple', 'autofocus', 'controls', 'loop', 'muted', 'novalidate', 'inert', 'reversed', 'async', 'defer']);

/** The words of an element: those that are read, or all of them. */
function wordsFrom(el, shown) {
  if (insideProtected(el)) return { why: 'protected' };
  const form = el.localName === 'input' || el.localName === 'textarea' || el.localName === 'select';
  if (form) {
    const value = valueOf(el, roleOf(el));
    return value === null ? { why: 'no-text' } : { raw: value, from: 'text' };
  }
  return { raw: shown ? shownWords(el).words : textOf(el).trim(), from: 'text' };
}
