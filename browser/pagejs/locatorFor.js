/**
 * What names an element for Playwright, and nothing else in this frame: the sturdiest first.
 * @param {{ref: number, testAttributes?: string[], next: number}} args
 * @returns {{locator: string, kind: string, others: string[], warnings: string[], what: string, next: number}} locator: what follows "page."
 */
function locatorFor(args) {
  const el = refElement(args.ref);
  const out = { locator: '', kind: '', others: [], warnings: [], what: describe(el), next: args.next };
  for (let n = el; n; n = flatParent(n)) {
    const root = n.getRootNode();
    if (root.nodeType === 11 && root.mode === 'closed') fail('not-found', `${describe(el)} stands in a closed shadow root, into which Playwright cannot look`, {});
  }
  for (const way of waysTo(el, args.testAttributes || [])) {
    const hits = way.hits();
    if (hits.length === 1 && hits[0] === el) {
      if (!out.locator) {
        out.locator = way.text;
        out.kind = way.kind;
      } else if (out.others.length < 3) out.others.push(way.text);
    }
  }
  if (!out.locator) {
    // What names several, inside of something that names one.
    for (let p = flatParent(el), steps = 0; p && steps < 8 && !out.locator; p = flatParent(p), steps++) {
      const outer = p.nodeType === 1 && [...waysTo(p, args.testAttributes || [])].find((w) => {
        const hits = w.hits();
        return hits.length === 1 && hits[0] === p;
      });
      if (!outer) continue;
      const inner = waysTo(el, args.testAttributes || []).find((w) => {
        const hits = w.hits().filter((h) => h !== p && flatContains(p, h));
        return hits.length === 1 && hits[0] === el;
      });
      if (inner) {
        out.locator = `${outer.text}.${inner.text}`;
        out.kind = inner.kind;
      }
    }
  }
  if (!out.locator) {
    const path = cssPathOf(el);
    if (path) {
      out.locator = `locator(${quoteJS(path)})`;
      out.kind = 'css';
      out.warnings.push('it names a place in the document, which a change of the page moves: a test id or a label would be sturdier');
    }
  }
  if (!out.locator) fail('not-found', `nothing was found that names ${describe(el)} and nothing else`, {});
  return out;
}

function quoteJS(s) {
  return "'" + s.replace(/[\\']/g, '\\$&').replace(/\n/g, '\\n').replace(/\r/g, '\\r').replace(/\u2028/g, '\\u2028').replace(/\u2029/g, '\\u2029') + "'";
}

/** @returns {{kind: string, text: string, hits: () => Element[]}[]} */
function waysTo(el, attributes) {
  const view = newView();
  const role = cachedRole(el, view);
  const name = nameOf(el, view);
  const ways = [];
  const all = (test) => {
    const out = [];
    eachElement(document.documentElement, (e) => {
      if (test(e)) out.push(e);
      return false;
    });
    return out;
  };
  const drawn = seen(el) === SHOWN && !hiddenFromRoles(el);
  const playwright = role && role !== 'none' && role !== 'canvas' && role !== 'video' && role !== 'audio' && role !== 'iframe' && knownRoles.has(role);
  if (playwright && name && name.length <= 100 && drawn) {
    ways.push({ kind: 'role', text: `getByRole(${quoteJS(role)}, { name: ${quoteJS(name)}, exact: true })`, hits: () => all((e) => cachedRole(e, view) === role && nameOf(e, view) === name && seen(e) !== NONE) });
  }
  const label = labelOf(el, view);
  if (label && label.length <= 100) {
    ways.push({ kind: 'label', text: `getByLabel(${quoteJS(label)}, { exact: true })`, hits: () => all((e) => labelOf(e, view) === label || squeeze(e.getAttribute('aria-label') || '') === label) });
  }
  const holder = el.getAttribute('placeholder');
  if (holder && squeeze(holder) === holder && holder.length <= 100) {
    ways.push({ kind: 'placeholder', text: `getByPlaceholder(${quoteJS(holder)}, { exact: true })`, hits: () => all((e) => squeeze(e.getAttribute('placeholder') || '') === holder) });
  }
  if (el.localName === 'img' && el.getAttribute('alt')) {
    const alt = squeeze(el.getAttribute('alt'));
    ways.push({ kind: 'alt', text: `getByAltText(${quoteJS(alt)}, { exact: true })`, hits: () => all((e) => squeeze(e.getAttribute('alt') || '') === alt) });
  }
  const words = ownWords(el);
  if (words && words.length <= 80 && !el.querySelector('input,select,textarea')) {
    // Playwright takes the innermost element that says it.
    const says = (e) => !wordless.has(e.localName) && ownWords(e) === words;
    ways.push({ kind: 'text', text: `getByText(${quoteJS(words)}, { exact: true })`, hits: () => all((e) => says(e) && !Array.from((shadowOf(e) || e).children).some(says)) });
  }
  const attribute = attributes.find((a) => el.getAttribute(a));
  if (attribute) {
    const id = el.getAttribute(attribute);
    const same = () => all((e) => e.getAttribute(attribute) === id);
    if (attribute === 'data-testid') ways.push({ kind: 'testid', text: `getByTestId(${quoteJS(id)})`, hits: same });
    else ways.push({ kind: 'testid', text: `locator(${quoteJS(`[${attribute}=${JSON.stringify(id)}]`)})`, hits: same });
  }
  return ways;
}

function labelOf(el, view) {
  const by = el.getAttribute('aria-labelledby');
  if (by) return squeeze(labelledText(el, by, view));
  const own = squeeze(el.getAttribute('aria-label') || '');
  if (own) return own;
  if (!el.labels || !el.labels.length) return '';
  return squeeze(textOf(el.labels[0]));
}

function hiddenFromRoles(el) {
  for (let p = el; p; p = flatParent(p)) if (p.getAttribute('aria-hidden') === 'true') return true;
  return false;
}

/** CSS that names this element alone; Playwright's descends into open shadow roots. '' where there is none. */
function cssPathOf(el) {
  const one = (s) => {
    try {
      const l = queryAll(s, document);
      return l.length === 1 && l[0] === el;
    } catch {
      return false;
    }
  };
  if (el.id && !/\d{4,}/.test(el.id) && one('#' + CSS.escape(el.id))) return '#' + CSS.escape(el.id);
  const field = el.getAttribute('name');
  if (field && one(`${el.localName}[name=${JSON.stringify(field)}]`)) return `${el.localName}[name=${JSON.stringify(field)}]`;
  if (el.localName === 'html') return 'html';
  let path = pathOf(el);
  if (one(path)) return path;
  for (let root = el.getRootNode(); root.nodeType === 11; root = root.host.getRootNode()) {
    path = `${pathOf(root.host)} >> ${path}`;
    if (one(path)) return path;
  }
  path = `html > ${path}`;
  return one(path) ? path : '';
}
