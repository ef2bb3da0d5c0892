// Accessible names, as accname-1.2 and HTML-AAM compute them.

/**
 * What one call has worked out already; the page may have changed by the next one.
 * @typedef {{names: Map<Element, string>, sources: Map<Element, string>, roles: Map<Element, string>, made: boolean|undefined}} View
 */

/** @returns {View} */
function newView() {
  return { names: new Map(), sources: new Map(), roles: new Map(), made: undefined };
}

function squeeze(text) {
  return text.replace(/[\s\u200b\u00ad\ufeff]+/g, ' ').trim();
}

/** @param {Element} el @param {View} view */
function cachedRole(el, view) {
  let role = view.roles.get(el);
  if (role === undefined) view.roles.set(el, role = roleOf(el));
  return role;
}

/** @param {Element} el @param {View} view @returns {string} */
function nameOf(el, view) {
  let name = view.names.get(el);
  if (name === undefined) {
    view.names.set(el, ''); // a name that refers to itself is empty
    const [text, source] = computeName(el, cachedRole(el, view), view);
    name = squeeze(text);
    view.names.set(el, name);
    if (name) view.sources.set(el, source);
  }
  return name;
}

/** Where the name came from: 'labelledby', 'aria-label', 'label', 'native', 'content', 'title', 'placeholder'. */
function nameSource(el, view) {
  return view.sources.get(el) || '';
}

function computeName(el, role, view) {
  const by = el.getAttribute('aria-labelledby');
  if (by) {
    const text = labelledText(el, by, view);
    if (text.trim()) return [text, 'labelledby'];
  }
  const label = el.getAttribute('aria-label');
  if (label && label.trim()) return [label, 'aria-label'];
  const native = nativeName(el, role, view);
  if (native) return native;
  if (contentNamed.has(role)) {
    const text = contentText(el, view, {});
    if (text.trim()) return [text, 'content'];
  }
  const title = el.getAttribute('title');
  if (title && title.trim()) return [title, 'title'];
  const holder = el.localName === 'input' || el.localName === 'textarea' ? el.getAttribute('placeholder') : null;
  if (holder && holder.trim()) return [holder, 'placeholder'];
  const ariaHolder = el.getAttribute('aria-placeholder');
  return ariaHolder ? [ariaHolder, 'placeholder'] : ['', ''];
}

function labelledText(el, ids, view) {
  const scope = el.getRootNode();
  const parts = [];
  for (const id of ids.trim().split(/\s+/)) {
    const target = scope.getElementById && scope.getElementById(id);
    if (!target) continue;
    const state = { labelled: true, hidden: seen(target) !== SHOWN || !!target.closest('[aria-hidden="true"]'), self: el };
    parts.push(squeeze(partText(target, view, state)));
  }
  return parts.filter(Boolean).join(' ');
}

/** Names that HTML itself gives. @returns {[string, string]|null} */
function nativeName(el, role, view) {
  const tag = el.localName;
  switch (tag) {
    case 'input': {
      const type = el.type;
      if (type === 'button' || type === 'submit' || type === 'reset') {
        const text = labelsText(el, view);
        if (text) return [text, 'label'];
        if (el.value) return [el.value, 'native'];
        return type === 'submit' ? ['Submit', 'native'] : type === 'reset' ? ['Reset', 'native'] : null;
      }
      if (type === 'image') {
        const text = labelsText(el, view) || el.getAttribute('alt') || el.getAttribute('value') || el.getAttribute('title');
        return [text || 'Submit', 'native'];
      }
      const text = labelsText(el, view);
      return text ? [text, 'label'] : null;
    }
    case 'select': case 'textarea': case 'meter': case 'progress': case 'output': case 'button': {
      const text = labelsText(el, view);
      return text ? [text, 'label'] : null;
    }
    case 'img': case 'area': {
      const alt = el.getAttribute('alt');
      return alt ? [alt, 'native'] : null;
    }
    case 'fieldset': return childName(el, 'legend', view);
    case 'figure': return childName(el, 'figcaption', view);
    case 'table': return childName(el, 'caption', view);
    case 'svg': {
      for (let c = el.firstElementChild; c; c = c.nextElementSibling) if (c.localName === 'title' && c.textContent.trim()) return [c.textContent, 'native'];
      return null;
    }
    case 'option': return [el.getAttribute('label') || el.text, 'content'];
    case 'optgroup': return [el.label, 'native'];
  }
  return null;
}

function childName(el, tag, view) {
  for (let c = el.firstElementChild; c; c = c.nextElementSibling) {
    if (c.localName === tag) {
      const text = partText(c, view, {});
      return text.trim() ? [text, 'native'] : null;
    }
  }
  return null;
}

function labelsText(el, view) {
  const labels = el.labels;
  if (!labels || !labels.length) return '';
  const parts = [];
  for (const l of labels) parts.push(squeeze(partText(l, view, { self: el, hidden: seen(l) !== SHOWN })));
  return parts.filter(Boolean).join(' ');
}

/**
 * The text that an element contributes to the name of another.
 * @param {{self?: Element, labelled?: boolean, hidden?: boolean}} state
 */
function partText(el, view, state) {
  if (el === state.self && !state.labelled) return '';
  const by = !state.labelled && el.getAttribute('aria-labelledby');
  if (by) {
    const text = labelledText(el, by, view);
    if (text) return text;
  }
  const label = el.getAttribute('aria-label');
  const role = cachedRole(el, view);
  const own = el !== state.self || state.labelled;
  if (own) {
    const value = embeddedValue(el, role, state);
    if (value !== null) return value;
  }
  if (label && label.trim()) return label;
  const tag = el.localName;
  if (tag === 'br') return ' ';
  if (tag === 'script' || tag === 'style' || tag === 'noscript' || tag === 'template' || tag === 'title' && el.namespaceURI !== 'http://www.w3.org/1999/xhtml') return '';
  if (role !== 'none' || tag === 'input') {
    const native = tag === 'fieldset' || tag === 'table' || tag === 'figure' ? null : nativeName(el, role, view);
    if (native && native[0].trim()) return native[0];
  }
  if (tag === 'input' || tag === 'textarea' || tag === 'select') return el.getAttribute('title') || '';
  const text = contentText(el, view, state);
  if (text.trim()) return text;
  return el.getAttribute('title') || '';
}

/** What a control inside a label says: its value. Protected fields say nothing. @returns {string|null} */
function embeddedValue(el, role, state) {
  switch (role) {
    case 'textbox': case 'searchbox':
      if (el === state.self) return null;
      if (isProtected(el)) return '';
      return 'value' in el ? el.value : null;
    case 'combobox': case 'listbox':
      if (el.localName === 'select') return isProtected(el) ? '' : Array.from(el.selectedOptions, (o) => squeeze(o.label || o.text)).join(' ');
      if (el.localName === 'input') return isProtected(el) ? '' : el.value;
      return null;
    case 'slider': case 'spinbutton': case 'scrollbar': case 'progressbar': case 'meter':
      if (isProtected(el)) return '';
      return el.getAttribute('aria-valuetext') || el.getAttribute('aria-valuenow') || ('value' in el ? String(el.value) : null);
  }
  return null;
}

/** The text inside an element, in the order in which it is drawn. */
function contentText(el, view, state) {
  if (!el.firstElementChild && !el.shadowRoot && !anyAdopted && el.localName !== 'slot') {
    const text = el.firstChild ? el.textContent : '';
    if (view.made === false) return text;
  }
  if (view.made === undefined) view.made = stylesMakeText(document) || hasShadowStyles(el);
  let out = '';
  let apart = false; // what came last keeps a distance
  const add = (text, own) => {
    if (!text) return;
    if (out && (apart || own) && !/\s$/.test(out) && !/^\s/.test(text)) out += ' ';
    out += text;
    apart = own;
  };
  const made = view.made && !state.hidden;
  if (made) add(madeText(el, '::before'), false);
  eachFlatChild(el, (c) => {
    if (c.nodeType === 3) {
      const text = c.data;
      if (apart && out && !/^\s/.test(text) && text) out += ' ';
      if (text) {
        out += text;
        apart = false;
      }
    } else if (c.nodeType === 1) {
      if (c.localName === 'br') {
        add(' ', false);
        return;
      }
      let shown = SHOWN;
      if (!state.hidden) {
        shown = seen(c);
        if (shown === NONE || c.getAttribute('aria-hidden') === 'true') return;
      } else if (c.getAttribute('aria-hidden') === 'true') return;
      if (shown === PASS) {
        const text = hiddenButHolding(c, view, state);
        add(text, true);
        return;
      }
      const text = partText(c, view, state);
      if (!text) return;
      const touches = (out && !/\s$/.test(out) && !/^\s/.test(text)) || !/\s$/.test(text);
      add(text, touches && setsApart(c));
    }
  });
  if (made) add(madeText(el, '::after'), false);
  return out;
}

function hasShadowStyles(el) {
  const root = el.getRootNode();
  return root.nodeType === 11;
}

/** Text of the shown parts in an element that is itself invisible. */
function hiddenButHolding(el, view, state) {
  let out = '';
  eachFlatChild(el, (c) => {
    if (c.nodeType !== 1) return;
    const shown = seen(c);
    if (shown === SHOWN) out += ' ' + partText(c, view, state);
    else if (shown === PASS) out += hiddenButHolding(c, view, state);
  });
  return out;
}
