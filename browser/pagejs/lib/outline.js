// The outline of a page: what a reader needs of the flat tree, without the wrappers. A part of it is a string (running text),
// BREAK (a new line), or a Part.

/**
 * @typedef {object} Part
 * @property {string} head role, name and marks
 * @property {string} kind 'leaf', 'row', 'cell', 'item', 'text' (may be written on one line), 'block' (never)
 * @property {(string|Part|null)[]|null} items
 * @property {number} [frame] ref of an iframe whose content the Go side puts below
 */

const BREAK = null;

const skippedTags = new Set(['script', 'style', 'head', 'noscript', 'template', 'meta', 'link', 'title', 'base', 'datalist', 'source', 'track', 'param', 'col', 'colgroup', 'option', 'optgroup', 'wbr', 'rp']);

/** Roles that say nothing by themselves: their content stands for them. */
const plainRoles = new Set(['', 'none', 'paragraph', 'strong', 'emphasis', 'code', 'mark', 'time', 'subscript', 'superscript', 'insertion', 'deletion', 'rowgroup', 'document',
  'application', 'separator', 'caption', 'math', 'suggestion', 'comment', 'term', 'definition', 'blockquote']);

const blockRoles = new Set(['main', 'navigation', 'banner', 'contentinfo', 'complementary', 'region', 'search', 'form', 'dialog', 'alertdialog', 'article', 'feed',
  'list', 'table', 'grid', 'treegrid', 'tree', 'listbox', 'menu', 'menubar', 'toolbar', 'tablist', 'radiogroup', 'group', 'tabpanel', 'log']);

const nestedSignificant = 'a[href],button,input,select,textarea,summary,iframe,[tabindex],[role],[onclick],[contenteditable],[data-testid],[data-test],[data-cy],[data-qa],slot';

/** What closed shadow roots may hang on. */
const hostTags = new Set(['article', 'aside', 'blockquote', 'div', 'footer', 'header', 'main', 'nav', 'p', 'section', 'span']);

/** Hosts of which it is known that they have no closed root. @type {WeakSet<Element>} */
const rootless = new WeakSet();

/** Elements that an agent has been told of as being there, to tell what appeared since. @type {WeakSet<Element>} */
const toldOf = new WeakSet();

/**
 * @param {{testAttributes?: string[], omit?: string[], includeShadow?: boolean, maxNodes?: number, maxBytes?: number, after?: number, next?: number}} args
 */
function newOutline(args) {
  const modal = document.querySelector('[aria-modal="true"]');
  return {
    view: newView(),
    refs: lend(args),
    testAttributes: args.testAttributes && args.testAttributes.length ? args.testAttributes : ['data-testid', 'data-test', 'data-cy', 'data-qa'],
    omit: new Set(args.omit || []),
    shadow: args.includeShadow !== false,
    maxNodes: args.maxNodes || Infinity,
    maxBytes: args.maxBytes || Infinity,
    nodes: 0, bytes: 0, controls: 0, canvas: 0, text: 0,
    looks: 3000, // how many plain elements may be asked for their cursor
    stopped: false, whole: 0,
    /** @type {Element|null} */ last: null,
    /** @type {Element|null} */ after: null,
    /** @type {Set<Element>|null} */ path: null,
    started: true,
    owned: ownedElements(),
    modal: !!modal && modal.checkVisibility(withVisibility),
    /** @type {Element[]} */ hosts: [],
    optionRefs: false,
  };
}

function ownedElements() {
  const owners = document.querySelectorAll('[aria-owns]');
  if (!owners.length) return null;
  const owned = new Map();
  for (const o of owners) {
    for (const id of o.getAttribute('aria-owns').trim().split(/\s+/)) {
      const el = document.getElementById(id);
      if (el && !el.contains(o)) owned.set(el, o);
    }
  }
  return owned;
}

function quoted(text) {
  return '"' + text.replace(/["\\]/g, '\\$&') + '"';
}

/** @returns {string} ' [data-testid="x"]' or '' */
function testMark(el, out) {
  for (const a of out.testAttributes) {
    const v = el.getAttribute(a);
    if (v !== null) return ` [${a}=${quoted(cut(v, 100))}]`;
  }
  return '';
}

function valueMark(el, role) {
  const value = valueOf(el, role);
  if (!value) return '';
  if (value === 'filled' && isProtected(el)) return ' [value=filled]';
  return ` [value=${quoted(cut(squeeze(value), 200))}]`;
}

/** Outlines the children of an element into items. */
function outlineChildren(el, items, out, mute, click) {
  const root = out.shadow ? shadowOf(el) : null;
  if (root || el.localName === 'slot') {
    eachFlatChild(el, (c) => outlineNode(c, items, out, mute, click));
  } else {
    for (let c = el.firstChild; c; c = c.nextSibling) {
      outlineNode(c, items, out, mute, click);
      if (out.stopped) return;
    }
  }
  if (out.owned) for (const [e, o] of out.owned) if (o === el) outlineElement(e, items, out, mute, click, true);
}

function outlineNode(node, items, out, mute, click) {
  if (node.nodeType === 1) outlineElement(node, items, out, mute, click, false);
  else if (node.nodeType === 3 && !mute && out.started) {
    const text = node.data;
    if (text) {
      items.push(text);
      out.bytes += text.length;
    }
  }
}

/** @param {Element} el */
function outlineElement(el, items, out, mute, click, owned) {
  if (out.stopped) return;
  const tag = el.localName;
  if (skippedTags.has(tag)) return;
  if (tag === 'br') {
    items.push(' ');
    return;
  }
  if (!out.started) {
    if (el === out.after) {
      out.started = true;
      return;
    }
    if (!out.path.has(el)) return;
  } else if (!out.whole && (out.nodes >= out.maxNodes || out.bytes >= out.maxBytes)) {
    out.stopped = true;
    return;
  }
  if (out.owned && !owned && out.owned.has(el)) return;
  const shown = seen(el);
  if (shown === NONE) {
    if (!rootless.has(el.parentNode) && el.parentNode.nodeType === 1 && hostTags.has(el.parentNode.localName) && getComputedStyle(el).display === '') out.hosts.push(el.parentNode);
    return;
  }
  if (shown === PASS) {
    outlineHidden(el, items, out, mute, click);
    return;
  }
  const plain = !el.hasAttributes();
  if (!plain) {
    if (el.getAttribute('aria-hidden') === 'true') {
      if (!out.modal) outlineUnexposed(el, items, out);
      return;
    }
    if (el.hasAttribute('inert')) return;
  }
  outlineShown(el, tag, plain, items, out, mute, click);
  if (!out.stopped && out.started && !inlineTags.has(tag)) out.last = el;
}

/** The parts in an invisible element that are visible all the same. */
function outlineHidden(el, items, out, mute, click) {
  eachFlatChild(el, (c) => {
    if (c.nodeType === 1) outlineElement(c, items, out, mute, click, false);
  });
}

/** Controls that a person sees and the accessibility tree leaves out. */
function outlineUnexposed(el, items, out) {
  const list = el.matches(nestedSignificant) ? [el] : [];
  for (const scope of scopesBelow(el)) list.push(...scope.querySelectorAll('a[href],button,input,select,textarea,[role=button],[role=link],[onclick]'));
  for (const c of list) {
    if (!visible(c)) continue;
    const role = cachedRole(c, out.view);
    if (role === 'none') continue;
    let name = nameOf(c, out.view);
    if (!name && !contentNamed.has(role)) name = squeeze(contentText(c, out.view, {}));
    pushPart(items, out, c, role || 'generic', name, markRef(c, out) + testMark(c, out) + stateMarks(c, role) + valueMark(c, role) + ' [from-dom]', 'leaf', null);
  }
}

function markRef(el, out) {
  // Where it is now tells an action on it later whether it moves.
  sameBox(el, el.getBoundingClientRect());
  return ` [ref=e${refNumber(el, out.refs)}]`;
}

function pushPart(items, out, el, role, name, marks, kind, children) {
  const part = { head: role + (name ? ' ' + quoted(cut(name, 1000)) : '') + marks, kind, items: children };
  out.nodes++;
  out.bytes += part.head.length + 4;
  toldOf.add(el);
  items.push(part);
  return part;
}

function outlineShown(el, tag, plain, items, out, mute, click) {
  const role = plain ? plainRole(el, tag) : cachedRole(el, out.view);
  if (out.omit.size && out.omit.has(role || tag)) return;
  switch (role) {
    case 'cell': case 'gridcell': case 'columnheader': case 'rowheader':
      outlineCell(el, role, plain, items, out, mute, click);
      return;
    case 'row':
      outlineRow(el, plain, items, out, mute, click);
      return;
    case 'iframe':
      outlineFrame(el, items, out);
      return;
    case 'img': case 'canvas': case 'video': case 'audio':
      outlineMedia(el, role, items, out, mute, click);
      return;
  }
  if (actableRoles.has(role)) {
    outlineControl(el, tag, role, items, out);
    return;
  }
  if (tag === 'label') {
    outlineLabel(el, items, out, mute, click);
    return;
  }
  const test = plain ? '' : testMark(el, out);
  const why = click ? plain ? '' : otherReason(el, tag) : clickReason(el, tag, plain, out);
  const name = plain && !contentNamed.has(role) || plainRoles.has(role) && !el.hasAttribute('aria-label') && !el.hasAttribute('aria-labelledby') ? '' : nameOf(el, out.view);
  const collapses = plainRoles.has(role) || ((role === 'group' || role === 'form' || role === 'figure' || role === 'listitem' && false) && !name);
  if (collapses && !test && !why && !(name && role !== 'none')) {
    outlineThrough(el, tag, role, items, out, mute, click);
    return;
  }
  outlineContainer(el, tag, role, name, test, why, items, out, mute, click);
}

/** The role of an element without attributes. */
function plainRole(el, tag) {
  switch (tag) {
    case 'div': case 'span': case 'b': case 'i': case 'tbody': case 'thead': case 'tfoot': case 'p': case 'section': case 'label': case 'strong': case 'em': case 'small':
      return el.isContentEditable && hostOfEditing(el) ? 'textbox' : '';
    default:
      return roleOf(el);
  }
}

/** An element whose content stands for it. */
function outlineThrough(el, tag, role, items, out, mute, click) {
  if (!el.firstChild && !shadowOf(el)) {
    lookForHost(el, tag, out);
    return;
  }
  const block = !inlineTags.has(tag) && !tag.includes('-');
  if (block) {
    items.push(BREAK);
    outlineChildren(el, items, out, mute, click);
    items.push(BREAK);
    return;
  }
  if (tag.includes('-')) lookForHost(el, tag, out);
  const before = items.length;
  const last = items[before - 1];
  if (typeof last === 'string' && last && !/\s$/.test(last) && setsApart(el)) items.push(' ');
  outlineChildren(el, items, out, mute, click);
  const now = items[items.length - 1];
  if (items.length > before && typeof now === 'string' && !/\s$/.test(now) && el.nextSibling && !(el.nextSibling.nodeType === 3 && /^\s/.test(el.nextSibling.data)) && setsApart(el)) items.push(' ');
}

/** Notes an element that may hold a closed shadow root: a custom one, or a drawn one with nothing in it. */
function lookForHost(el, tag, out) {
  if (out.hosts.length > 200 || rootless.has(el) || shadowOf(el)) return;
  if (tag.includes('-')) out.hosts.push(el);
  else if (hostTags.has(tag) && el.offsetWidth * el.offsetHeight >= 400) out.hosts.push(el);
}

/** Why an agent may want to act on an element that has no role for it. '' for no reason. */
function otherReason(el, tag) {
  if (el.hasAttribute('tabindex') && el.tabIndex >= 0) return 'focus';
  if (el.draggable === true && tag !== 'img' && tag !== 'a') return 'drag';
  return '';
}

function clickReason(el, tag, plain, out) {
  if (!plain) {
    if (el.hasAttribute('onclick')) return 'click';
    const other = otherReason(el, tag);
    if (other) return other;
  } else if (out.looks-- <= 0) return '';
  if (tag === 'body' || tag === 'html' || tag === 'main' || tag === 'form') return scrollReason(el, tag);
  if (getComputedStyle(el).cursor === 'pointer') return 'click';
  return scrollReason(el, tag);
}

const scrollTags = new Set(['div', 'section', 'main', 'nav', 'aside', 'ul', 'ol', 'pre', 'article', 'dl', 'form', 'table', 'tbody']);

function scrollReason(el, tag) {
  if (!scrollTags.has(tag) && !tag.includes('-')) return '';
  return scrolls(el) ? 'scroll' : '';
}

/** Whether an element has a content larger than itself that can be scrolled. */
function scrolls(el) {
  const y = el.scrollHeight > el.clientHeight + 1 && el.clientHeight > 0, x = el.scrollWidth > el.clientWidth + 1 && el.clientWidth > 0;
  if (!x && !y) return false;
  const style = getComputedStyle(el);
  return (y && /auto|scroll|overlay/.test(style.overflowY)) || (x && /auto|scroll|overlay/.test(style.overflowX));
}

function onlyText(items) {
  return items.every((i) => i === BREAK || typeof i === 'string');
}

function outlineContainer(el, tag, role, name, test, why, items, out, mute, click) {
  const kind = blockRoles.has(role) ? 'block' : role === 'listitem' ? 'item' : 'text';
  let marks = '';
  if (test || why || role === 'dialog' || role === 'alertdialog') marks += markRef(el, out);
  marks += test;
  if (role === 'heading') marks += ` [level=${headingLevel(el)}]`;
  if (el.hasAttributes()) {
    marks += stateMarks(el, role);
    if (role === 'progressbar' || role === 'meter' || role === 'scrollbar' || role === 'separator') marks += valueMark(el, role);
  }
  if (why === 'scroll') marks += ' [scrollable]';
  else if (why === 'click' && role) marks += ' [clickable]';
  const unknown = (role === '' || role === 'none') && (test || (why && why !== 'scroll'));
  if (unknown) marks += ' [from-dom]';
  const below = [];
  const clicked = click || why === 'click';
  if (role === 'heading' || role === 'tooltip') {
    if (el.firstElementChild || shadowOf(el)) outlineChildren(el, below, out, mute, clicked);
    if (onlyText(below)) {
      if (!mute || marks.includes('[ref=')) pushPart(items, out, el, role, name, marks, 'leaf', null);
    } else pushPart(items, out, el, role, nameSource(el, out.view) === 'content' ? '' : name, marks, 'text', below);
    return;
  }
  if (role === 'progressbar' || role === 'meter' || role === 'scrollbar') {
    pushPart(items, out, el, role, name, marks, 'leaf', null);
    return;
  }
  const silent = mute && !marks.includes('[ref=');
  // The text of a legend, caption or figcaption has become the name.
  const at = out.nodes;
  outlineChildren(el, below, out, mute, clicked);
  if (silent) {
    items.push(BREAK, ...below, BREAK);
    return;
  }
  if (nameSource(el, out.view) === 'native' && name) dropNameText(below, name);
  if (role === 'listitem' && !name && !marks) {
    items.push({ head: '-', kind: 'item', items: below });
    out.nodes++;
    out.bytes += 4;
    toldOf.add(el);
    return;
  }
  if (unknown && !name && onlyText(below)) {
    const text = squeeze(below.map((i) => i === BREAK ? ' ' : i).join(''));
    if (text.length <= 150) {
      pushPart(items, out, el, 'generic', text, marks, 'leaf', null);
      return;
    }
  }
  if (at === out.nodes && !name && !marks && !below.some((i) => typeof i === 'string' && i.trim()) && role !== 'main' && role !== 'dialog') return; // nothing in it
  pushPart(items, out, el, role === 'none' || role === '' ? 'generic' : role, name, marks, kind, below);
}

function dropNameText(items, name) {
  const text = items.findIndex((i) => typeof i === 'string' && i.trim());
  if (text < 0) return;
  let joined = '', n = text;
  for (; n < items.length && typeof items[n] === 'string'; n++) joined += items[n];
  if (squeeze(joined) === name) items.splice(text, n - text);
}

function outlineRow(el, plain, items, out, mute, click) {
  let marks = '', why = '';
  if (!plain) {
    const test = testMark(el, out);
    why = clickReason(el, 'tr', plain, out);
    if (test || why) marks = markRef(el, out) + test;
    marks += stateMarks(el, 'row');
    if (why === 'click') marks += ' [clickable]';
  } else if (!click && out.looks-- > 0 && getComputedStyle(el).cursor === 'pointer') {
    why = 'click';
    marks = markRef(el, out) + ' [clickable]';
  }
  const cells = [];
  out.whole++;
  outlineChildren(el, cells, out, mute, click || why === 'click');
  out.whole--;
  if (!marks && !cells.some((c) => c && typeof c === 'object')) return;
  const header = cells.every((c) => c === BREAK || typeof c === 'string' || c.header);
  pushPart(items, out, el, header ? 'header' : 'row', plain ? '' : explicitName(el), marks, 'row', cells);
}

function explicitName(el) {
  return el.hasAttribute('aria-label') || el.hasAttribute('aria-labelledby') ? nameOf(el, newView()) : '';
}

function outlineCell(el, role, plain, items, out, mute, click) {
  let marks = '';
  let why = '';
  if (!plain) {
    const test = testMark(el, out);
    why = click ? otherReason(el, 'td') : clickReason(el, 'td', plain, out);
    if (test || why) marks = markRef(el, out) + test;
    marks += stateMarks(el, role);
    const sort = el.getAttribute('aria-sort');
    if (sort && sort !== 'none') marks += ` [sort=${sort}]`;
    if (why === 'click') marks += ' [clickable]';
    if (+el.getAttribute('colspan') > 1) marks += ` [colspan=${el.getAttribute('colspan')}]`;
  }
  let below;
  if (!el.firstElementChild && !shadowOf(el)) {
    const text = mute || !out.started ? '' : squeeze(el.textContent);
    out.bytes += text.length + 3;
    below = text ? [text] : [];
  } else {
    below = [];
    out.whole++;
    outlineChildren(el, below, out, mute, click || why === 'click');
    out.whole--;
  }
  if (marks) {
    out.nodes++;
    toldOf.add(el);
  }
  items.push({ head: marks ? 'cell' + marks : '', kind: 'cell', items: below, header: role === 'columnheader' });
}

function outlineFrame(el, items, out) {
  const part = pushPart(items, out, el, 'iframe', nameOf(el, out.view), markRef(el, out) + testMark(el, out), 'block', []);
  part.frame = refNumber(el, out.refs);
}

function outlineMedia(el, role, items, out, mute, click) {
  const name = nameOf(el, out.view);
  const test = testMark(el, out);
  const why = click ? otherReason(el, el.localName) : role === 'img' && !el.hasAttributes() ? '' : clickReason(el, el.localName, false, out);
  let marks = '';
  if (role === 'canvas') {
    out.canvas += el.offsetWidth * el.offsetHeight;
    if (el.offsetWidth * el.offsetHeight < 100 && !test && !why) return;
  }
  if (test || why || role !== 'img') marks = markRef(el, out) + test;
  if (why && role === 'img') marks += ' [clickable]';
  if (mute && !marks) return;
  if (role === 'img' && !name && !marks) return;
  pushPart(items, out, el, role, name, marks, 'leaf', null);
}

/** A link, a button, a field: everything that has a ref by its role. */
function outlineControl(el, tag, role, items, out) {
  out.controls++;
  const name = nameOf(el, out.view);
  const source = nameSource(el, out.view);
  let marks = markRef(el, out);
  const attrs = el.hasAttributes();
  if (attrs) marks += testMark(el, out);
  marks += stateMarks(el, role);
  if (role !== 'link' && role !== 'button') marks += valueMark(el, role);
  if (tag === 'input') {
    const type = el.type;
    if (momentTypes.has(type) || type === 'color' || type === 'file' || type === 'password') marks += ` [type=${type}]`;
    if (type === 'file' && el.value) marks += valueMark(el, 'textbox');
    const holder = el.placeholder;
    if (holder && source !== 'placeholder' && !el.value) marks += ` [placeholder=${quoted(cut(holder, 60))}]`;
    if (el.list && role === 'combobox') marks += optionMark(Array.from(el.list.options, (o) => o.value || o.label), 'suggestions');
  } else if (tag === 'select') {
    if (!out.optionRefs) marks += optionMark(Array.from(el.options, (o) => squeeze(o.label || o.text)), 'options');
  }
  const part = pushPart(items, out, el, role, name, marks, 'leaf', null);
  if (tag === 'input' || tag === 'textarea') return;
  if (tag === 'select') {
    if (out.optionRefs) outlineOptions(el, part, out);
    return;
  }
  if (!el.firstElementChild && !shadowOf(el)) {
    const text = source !== 'content' && name && contentNamed.has(role) ? squeeze(el.textContent) : '';
    if (text && !name.toLowerCase().includes(text.toLowerCase())) {
      part.items = [text];
      part.kind = 'text';
      out.bytes += text.length;
    }
    return;
  }
  if (role === 'textbox' || role === 'searchbox') return;
  const below = [];
  if (source === 'content' || !name) {
    if (!name || shadowOf(el) || el.querySelector(nestedSignificant)) outlineChildren(el, below, out, !!name, true);
  } else if (contentNamed.has(role)) {
    outlineChildren(el, below, out, false, true);
    if (onlyText(below) && name.toLowerCase().includes(squeeze(below.map((i) => i || ' ').join('')).toLowerCase())) below.length = 0;
  } else outlineChildren(el, below, out, role === 'combobox', role !== 'listbox');
  const kept = below.filter((i) => i !== BREAK && (typeof i !== 'string' || i.trim()));
  if (!kept.length) return;
  part.items = below;
  part.kind = role === 'listbox' ? 'block' : 'text';
}

function optionMark(texts, word) {
  if (!texts.length) return '';
  const most = 30;
  const shown = texts.slice(0, most).map((t) => cut(t, 40));
  return ` [${word}: ${shown.join(' | ')}${texts.length > most ? ` | … ${texts.length - most} more, see them with scope` : ''}]`;
}

/** The options of a native menu one by one, when it was asked for by scope. */
function outlineOptions(select, part, out) {
  part.items = [];
  part.kind = 'block';
  for (const o of select.options) {
    const marks = markRef(o, out) + (o.disabled ? ' [disabled]' : '') + (o.selected ? ' [selected]' : '') + (o.value !== o.text ? ` [value=${quoted(cut(o.value, 100))}]` : '');
    pushPart(part.items, out, o, 'option', squeeze(o.label || o.text), marks, 'leaf', null);
  }
}

function outlineLabel(el, items, out, mute, click) {
  const control = el.control;
  if (control) {
    if (seen(control) === SHOWN) {
      nameOf(control, out.view);
      outlineThrough(el, 'label', '', items, out, mute || nameSource(control, out.view) === 'label', true);
      return;
    }
    if (control.type !== 'hidden') {
      // The control itself is not drawn; the person clicks its label.
      const role = cachedRole(control, out.view);
      out.controls++;
      pushPart(items, out, el, role, squeeze(contentText(el, out.view, { self: control })), markRef(el, out) + testMark(el, out) + stateMarks(control, role) + ' [from-dom]', 'leaf', null);
      return;
    }
  }
  outlineThrough(el, 'label', '', items, out, mute, click);
}
