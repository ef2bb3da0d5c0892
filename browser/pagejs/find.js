const findable = 'a[href],button,input,select,textarea,summary,label,option,h1,h2,h3,h4,h5,h6,img,iframe,[role],[tabindex],[onclick],[contenteditable],[data-testid],[data-test],[data-cy],[data-qa],td,th,li,p,span,div';
const roleWords = { button: 'button', link: 'link', field: 'textbox', input: 'textbox', textbox: 'textbox', box: 'textbox', checkbox: 'checkbox', radio: 'radio', tab: 'tab', menu: 'menu', dropdown: 'combobox', select: 'combobox', combobox: 'combobox', heading: 'heading', title: 'heading', image: 'img', icon: 'img', row: 'row', option: 'option', switch: 'switch', toggle: 'switch', slider: 'slider', dialog: 'dialog', search: 'searchbox', item: 'listitem', cell: 'cell', frame: 'iframe' };

/**
 * The elements that fit a description best.
 * @param {{query: string, max: number, contextRef?: number, visibleOnly?: boolean, floor?: number, testAttributes?: string[], next: number}} args
 */
function find(args) {
  const refs = lend(args);
  const root = args.contextRef ? refElement(args.contextRef) : document;
  const view = newView();
  const query = squeeze(args.query).toLowerCase();
  const words = query.split(/[\s"'“”.,:;!?()]+/).filter(Boolean);
  if (!words.length) fail('bad-args', 'query is empty', {});
  const attributes = args.testAttributes && args.testAttributes.length ? args.testAttributes : ['data-testid', 'data-test', 'data-cy', 'data-qa'];
  const wantedRoles = new Set(words.map((w) => roleWords[w]).filter(Boolean));
  const content = words.filter((w) => !roleWords[w] && !/^(the|a|an|of|in|on|to|for|with|and|this|that)$/.test(w));
  const rest = (content.length ? content : words).join(' ');
  const list = [];
  for (const el of candidates(root)) {
    const role = cachedRole(el, view);
    const test = testIdOf(el, attributes);
    const plain = !role && !test && !el.hasAttribute('onclick') && !el.hasAttribute('tabindex');
    const text = plain ? directWords(el) : '';
    if (plain && !text) continue;
    const quick = plain ? text.toLowerCase() : null;
    if (quick !== null && !content.some((w) => quick.includes(w)) && !quick.includes(query)) continue;
    const score = scoreOf(el, role, test, plain, text, view, query, rest, content, wantedRoles);
    if (score > 0) list.push({ el, role, test, score });
  }
  list.sort((a, b) => b.score - a.score);
  const out = [];
  const floor = args.floor || 0.2;
  let skipped = 0;
  for (const c of list) {
    if (out.length >= args.max) break;
    if (c.score < floor) break;
    // A wrapper that says what its only control says is not another answer.
    if (out.some((o) => (o.el.contains(c.el) || c.el.contains(o.el)) && nameOf(o.el, view) === nameOf(c.el, view) && !(c.role && actableRoles.has(c.role) && !actableRoles.has(o.role)))) continue;
    const shown = visible(c.el);
    if (!shown && args.visibleOnly !== false) {
      skipped++;
      continue;
    }
    out.push(c);
  }
  const warnings = [];
  if (skipped && !out.length) warnings.push(`${skipped} matching elements are hidden; visibleOnly:false lists them`);
  return { candidates: out.map((c) => candidate(c, refs, view, attributes, !!args.scored)), warnings, next: refs.next };
}

function candidates(root) {
  const out = [];
  for (const scope of scopesBelow(root)) for (const el of scope.querySelectorAll(findable)) if (!skippedTags.has(el.localName) || el.localName === 'option') out.push(el);
  return out;
}

function directWords(el) {
  let text = '';
  for (let n = el.firstChild; n; n = n.nextSibling) if (n.nodeType === 3) text += n.data + ' ';
  return squeeze(text);
}

function testIdOf(el, attributes) {
  for (const a of attributes) {
    const v = el.getAttribute(a);
    if (v) return v;
  }
  return null;
}

/** How well the words fit a text: 1 for the same, less for a part. */
function fits(text, query, content) {
  const t = text.toLowerCase();
  if (!t) return 0;
  if (t === query) return 1;
  const pieces = new Set(t.split(/[\s"'“”.,:;!?()_\-/]+/));
  let hit = 0;
  for (const w of content) if (pieces.has(w)) hit++; else if (t.includes(w)) hit += 0.6;
  const share = content.length ? hit / content.length : 0;
  const length = Math.min(1, query.length / t.length);
  return share * (0.7 + 0.25 * length) + (t.startsWith(query) ? 0.04 : 0);
}

function scoreOf(el, role, test, plain, text, view, query, rest, content, wantedRoles) {
  const name = plain ? text : nameOf(el, view);
  let score = Math.max(fits(name, rest, content), fits(name, query, content));
  if (test) score = Math.max(score, 0.95 * fits(test.replace(/[-_.]+/g, ' '), rest, content));
  const holder = el.getAttribute('placeholder');
  if (holder) score = Math.max(score, 0.9 * fits(holder, rest, content));
  if (el.id || el.getAttribute('name')) score = Math.max(score, 0.75 * fits(((el.id || '') + ' ' + (el.getAttribute('name') || '')).replace(/[-_.]+/g, ' '), rest, content));
  const acts = actableRoles.has(role);
  if (acts && score < 0.95) {
    const row = el.closest('tr,[role=row],li,[role=listitem]');
    // Words that the row says count, so that "delete Ada" finds the button in Ada's row.
    if (row) {
      const own = fits(name, rest, content);
      const missing = content.filter((w) => !name.toLowerCase().includes(w));
      if (own > 0 && missing.length && missing.length < content.length) {
        const inRow = missing.filter((w) => textOf(row).toLowerCase().includes(w)).length / missing.length;
        score = Math.max(score, own + (1 - own) * 0.8 * inRow);
      }
    }
  }
  if (!score && wantedRoles.size && !content.length && wantedRoles.has(role)) score = 0.5;
  if (!score) return 0;
  if (wantedRoles.size) score += wantedRoles.has(role) ? 0.25 : role === 'searchbox' && wantedRoles.has('textbox') ? 0.2 : -0.1;
  if (acts) score += 0.12;
  else if (plain) score -= 0.15;
  else if (role === 'cell' || role === 'row' || role === 'listitem' || role === 'generic') score -= 0.1;
  if (role === 'option' && !wantedRoles.has('option')) score -= 0.15;
  return Math.max(0.01, score);
}

function candidate(c, refs, view, attributes, scored) {
  const { el, role, test } = c;
  const name = nameOf(el, view) || cut(ownWords(el), 120);
  const r = boxOf(el);
  const hint = hintFor(el, role, name, test, attributes, view);
  const clipped = r.bottom <= 0 || r.right <= 0 || r.top >= innerHeight || r.left >= innerWidth;
  const point = pointOf(el);
  const actionable = isDisabled(el) ? 'disabled' : clipped ? 'off-screen' : point && !hits(el, deepElementAt(point.x, point.y)) ? 'covered' : true;
  const row = el.closest('tr,[role=row],li,[role=listitem]');
  const list = row && row.closest('table,[role=table],[role=grid],ul,ol,[role=list]');
  const context = {};
  if (row && row !== el) {
    context.collection = list ? roleOf(list) + (nameOf(list, view) ? ' ' + JSON.stringify(cut(nameOf(list, view), 60)) : '') : '';
    context.rowKey = cut(squeeze(textOf(row.querySelector('th,td,[role=rowheader],[role=cell]') || row)), 60);
    context.rowText = cut(rowWords(row), 120);
  }
  return {
    ref: 'e' + refNumber(el, refs), role: role || el.localName, name: cut(name, 200), testId: test, stability: hint.tier <= 1 ? 'high' : hint.tier <= 3 ? 'medium' : 'low',
    selectorHint: hint.text, selectorTier: hint.tier, bbox: [r.x, r.y, r.width, r.height].map(Math.round), clipped, actionable, score: Math.round(Math.min(1, c.score) * 100) / 100, context,
    ...(scored ? { scored: [nameOf(el, view), ownWords(el), el.id, el.getAttribute('name') || '', el.getAttribute('placeholder') || '', test || ''] } : {}),
  };
}

/** A selector that names this element, the sturdiest there is. */
function hintFor(el, role, name, test, attributes, view) {
  const one = (s) => {
    try {
      const l = queryAll(s, document);
      return l.length === 1 && l[0] === el;
    } catch {
      return false;
    }
  };
  if (test) {
    const a = attributes.find((x) => el.getAttribute(x));
    const s = `[${a}=${JSON.stringify(test)}]`;
    return { text: one(s) ? s : s + ':visible', tier: 1 };
  }
  if (el.id && !/\d{4,}|[:]/.test(el.id)) {
    const s = '#' + CSS.escape(el.id);
    if (one(s)) return { text: s, tier: 2 };
  }
  if (role && name && name.length <= 80 && nameOf(el, view)) {
    const s = `role=${role}[name=${JSON.stringify(name)}]`;
    if (one(s)) return { text: s, tier: 2 };
  }
  const field = el.getAttribute('name');
  if (field) {
    const s = `${el.localName}[name=${JSON.stringify(field)}]`;
    if (one(s)) return { text: s, tier: 3 };
  }
  const words = ownWords(el);
  if (words && words.length <= 60) {
    const s = `text=${JSON.stringify(words)}`;
    if (one(s)) return { text: s, tier: 3 };
  }
  return { text: pathOf(el), tier: 5 };
}

/** A path of positions: it names the element now, and little else can be said for it. */
function pathOf(el) {
  const steps = [];
  let n = el;
  for (; n && n.nodeType === 1 && n !== document.documentElement; n = n.parentNode) {
    if (n.id && n !== el && !/\d{4,}/.test(n.id)) {
      steps.unshift('#' + CSS.escape(n.id));
      break;
    }
    const same = n.parentNode ? Array.from(n.parentNode.children).filter((s) => s.localName === n.localName) : [n];
    steps.unshift(same.length > 1 ? `${n.localName}:nth-of-type(${same.indexOf(n) + 1})` : n.localName);
    if (n.parentNode && n.parentNode.nodeType === 11) break;
  }
  return steps.join(' > ');
}
