// From what was noted while an action ran to what is worth telling.

const toldRoles = new Set(('alert status dialog alertdialog heading link button textbox searchbox combobox listbox option checkbox radio switch slider spinbutton tab tabpanel menu menuitem ' +
  'menuitemcheckbox menuitemradio treeitem row table grid img form navigation region article list log tooltip progressbar').split(' '));

/** Roles that say nothing without a name. */
const quietRoles = new Set(['table', 'grid', 'img', 'form', 'navigation', 'region', 'article', 'list', 'log', 'tabpanel', 'menu', 'listbox', 'heading']);

const unseenTags = new Set(['script', 'style', 'link', 'meta', 'title', 'head', 'template', 'noscript']);

/**
 * @param {Watch} ended
 * @param {{most: number}} args
 * @param {{next: number}} refs
 * @returns {{roots: Node[], appeared: object[], removed: object[]}}
 */
function changesOf(ended, args, refs) {
  const view = newView();
  const came = new Set(), went = new Set(), touched = new Set(), toggled = new Map();
  for (const r of ended.records) {
    if (r.type === 'attributes') {
      if (!toggled.has(r.target)) toggled.set(r.target, []);
      toggled.get(r.target).push(r);
      continue;
    }
    if (r.type === 'characterData') {
      if (r.target.nodeType === 3) touched.add(r.target);
      continue;
    }
    for (const n of r.addedNodes) {
      if (n.nodeType === 1) came.add(n);
      else if (n.nodeType === 3 && n.data.trim()) touched.add(n);
    }
    for (const n of r.removedNodes) {
      if (n.nodeType === 1) went.add(n);
      else if (n.nodeType === 3 && n.data.trim() && r.target.isConnected) touched.add(r.target);
    }
  }
  const roots = new Set();
  const appeared = [], removed = [];
  for (const n of came) {
    if (!n.isConnected || unseenTags.has(n.localName) || hasAncestorIn(n, came) || seen(n) === NONE) continue;
    roots.add(n);
    if (!went.has(n)) tellNodes(n, appeared, args.most, refs, view, false); // one that was only moved did not appear
  }
  for (const [n, records] of toggled) {
    if (!n.isConnected || n === document.documentElement || hasAncestorIn(n, came)) continue;
    toggle(n, records, roots, appeared, removed, args.most, refs, view);
  }
  for (const n of touched) {
    const el = n.nodeType === 1 ? n : n.parentElement || (n.parentNode && n.parentNode.host);
    if (!el || !el.isConnected || unseenTags.has(el.localName) || seen(el) === NONE) continue;
    const live = el.closest('[role=alert],[role=status],[role=log],output');
    roots.add(n);
    if (live && !appeared.some((a) => a.el === live)) appeared.push(told(live, view, refs));
  }
  for (const n of went) {
    if (removed.length >= args.most) break;
    if (!n.isConnected) tellLost(n, removed, args.most);
  }
  // What a page draws anew neither came nor went.
  for (let i = removed.length - 1; i >= 0; i--) {
    const lost = removed[i];
    if (!lost.ref && appeared.some((a) => a.role === lost.role && a.name === lost.name)) removed.splice(i, 1);
  }
  return { roots: [...roots], appeared: appeared.slice(0, args.most), removed };
}

function hasAncestorIn(n, set) {
  for (let p = n.parentElement; p; p = p.parentElement) if (set.has(p)) return true;
  return false;
}

/** An element whose attributes changed: it may be shown or hidden now, or in another state. */
function toggle(n, records, roots, appeared, removed, most, refs, view) {
  if (unseenTags.has(n.localName)) return;
  const now = n === document.body || seen(n) !== NONE;
  if (!now) {
    if (toldOf.has(n) || holdsTold(n)) tellLost(n, removed, most);
    return;
  }
  if (records.some(wasHiddenBy) && n !== document.body) {
    roots.add(n);
    tellNodes(n, appeared, most, refs, view, false);
    return;
  }
  loseHidden(n, removed, most);
  const looks = records.every((r) => r.attributeName === 'class' || r.attributeName === 'style');
  if (!looks && n.getElementsByTagName('*').length <= 40) roots.add(n);
  if (!toldWhole && n.getElementsByTagName('*').length > 200) return;
  const before = appeared.length;
  tellNodes(n, appeared, most, refs, view, true);
  for (const a of appeared.slice(before)) roots.add(a.el);
}

/** What an element that is shown itself hides now of what it showed before. */
function loseHidden(n, removed, most) {
  let looked = 0;
  const walk = (el) => {
    for (let c = el.firstElementChild; c && looked < 300; c = c.nextElementSibling) {
      looked++;
      if (seen(c) !== NONE) walk(c);
      else if (toldOf.has(c) || holdsTold(c)) tellLost(c, removed, most);
    }
  };
  walk(n);
}

function wasHiddenBy(r) {
  const was = r.oldValue;
  switch (r.attributeName) {
    case 'hidden': case 'inert': return was !== null && !r.target.hasAttribute(r.attributeName);
    case 'open': return was === null && r.target.hasAttribute('open');
    case 'aria-hidden': return was === 'true' && r.target.getAttribute('aria-hidden') !== 'true';
    case 'style': return was !== null && /(^|[\s;])(display:\s*none|visibility:\s*hidden)/.test(was);
  }
  return false;
}

function holdsTold(n) {
  let looked = 0;
  return eachElement(n, (el) => toldOf.has(el) || ++looked > 300) && looked <= 300;
}

function told(el, view, refs) {
  const role = cachedRole(el, view);
  let name = nameOf(el, view);
  if (!name && (role === 'status' || role === 'alert' || role === 'row' || role === 'log' || role === 'tooltip')) name = role === 'row' ? rowWords(el) : spacedWords(el);
  toldOf.add(el);
  return { el, role: role || 'text', name: cut(name, 120), ref: 'e' + refNumber(el, refs) };
}

/** Adds what an agent would want to be told of in a part of the page; with fresh, only what it has not been told of. */
function tellNodes(root, list, most, refs, view, fresh) {
  const before = list.length;
  let looked = 0;
  eachElement(root, (el) => {
    if (list.length >= most || ++looked > 400) return true;
    if (el.localName === 'summary' && root.localName === 'details') return false;
    if (fresh && (toldOf.has(el) || (!toldWhole && el !== root))) return false;
    const role = cachedRole(el, view);
    if (!role || !toldRoles.has(role) || seen(el) !== SHOWN || list.some((a) => a.el === el)) return false;
    if (quietRoles.has(role) && !nameOf(el, view)) return false;
    list.push(told(el, view, refs));
    return false;
  });
  if (list.length === before && !fresh && list.length < most) {
    const words = spacedWords(root);
    if (words) list.push({ el: root, role: roleOf(root) || 'text', name: cut(words, 120), ref: 'e' + refNumber(root, refs) });
  }
}

/** Adds what was lost with a part of the page that is gone or hidden. */
function tellLost(root, list, most) {
  if (unseenTags.has(root.localName)) return;
  const before = list.length;
  let looked = 0;
  const lose = (el) => {
    toldOf.delete(el);
    if (list.length >= most) return;
    const known = refNumbers.get(el);
    const words = lostName(el);
    list.push({ role: roleOf(el) || 'text', name: cut(words, 80), ...(known ? { ref: 'e' + known } : {}) });
  };
  eachElement(root, (el) => {
    if (++looked > 400) return true;
    const role = roleOf(el);
    if (toldOf.has(el) && toldRoles.has(role) && !(quietRoles.has(role) && !explicitLabel(el))) lose(el);
    return false;
  });
  if (list.length === before && list.length < most && !root.isConnected) {
    if (lostName(root) || roleOf(root)) lose(root);
  }
}

function explicitLabel(el) {
  return squeeze(el.getAttribute('aria-label') || el.getAttribute('alt') || '') || (/^h[1-6]$/.test(el.localName) || el.getAttribute('role') === 'heading' ? spacedWords(el) : '');
}

/** What an element was called that is not drawn any more. */
function lostName(el) {
  if (el.localName === 'input' || el.localName === 'textarea' || el.localName === 'select') return squeeze(el.getAttribute('aria-label') || '') || squeeze(Array.from(el.labels || [], textOf).join(' '));
  return explicitLabel(el) || spacedWords(el);
}

/** The text of an element, with a space between what stands in blocks of their own, also when it is not drawn. */
function spacedWords(el) {
  let text = '';
  const walk = (n) => {
    if (n.nodeType === 3) text += n.data;
    else if (n.nodeType === 1 && !wordless.has(n.localName) && !(textsProtected && isProtected(n))) {
      const apart = !inlineTags.has(n.localName);
      if (apart) text += ' ';
      eachFlatChild(n, walk);
      if (apart) text += ' ';
    }
  };
  if (el.localName === 'input') return ownWords(el);
  walk(el);
  return squeeze(text);
}

/** The parts of the page in which something changed, as few and as small as can be read by themselves. */
function readableParts(roots) {
  const first = (p) => (Array.isArray(p) ? p[0] : p);
  let parts = roots.map(readable).filter(Boolean);
  parts = parts.filter((p, i) => !parts.some((o, j) => (j < i && first(o) === first(p)) || (o !== p && !Array.isArray(o) && o !== first(p) && flatContains(o, first(p)))));
  // Many small ones are read better together.
  while (parts.length > 6) {
    const joined = [...new Set(parts.map((p) => (p === document.body ? p : flatParent(first(p)) || first(p))))];
    parts = joined.filter((p) => !joined.some((o) => o !== p && flatContains(o, p)));
    if (parts.includes(document.body) || parts.includes(document.documentElement)) return [document.body];
  }
  return parts.sort((a, b) => (first(a).compareDocumentPosition(first(b)) & Node.DOCUMENT_POSITION_PRECEDING ? 1 : -1));
}

/**
 * The smallest thing around a changed node that is read as one: a control, a row, an item, a block; of a large block only the
 * running text around the node, which is an array of its nodes.
 * @returns {Element|Node[]|null}
 */
function readable(node) {
  let p = node, child = node;
  while (p && p !== document.body && (p.nodeType !== 1 || inlineTags.has(p.localName) || p.localName === 'option' || p.localName === 'optgroup' || seen(p) !== SHOWN)) {
    if (p.nodeType === 1 && actableRoles.has(roleOf(p))) return p;
    child = p;
    p = flatParent(p);
  }
  if (!p) return null;
  const row = p.closest('tr,[role=row],li,[role=listitem],[role=option]');
  if (row && row.textContent.length < 2000) return row;
  if (child === p || child === node && node.nodeType === 1 && p.contains(node) && !inlineTags.has(node.localName) || p.textContent.length < 300 || child.parentNode !== p) return p;
  const run = [child];
  const running = (n) => n && (n.nodeType === 3 || (n.nodeType === 1 && inlineTags.has(n.localName) && n.localName !== 'br' && n.localName !== 'label' && !actableRoles.has(roleOf(n))));
  for (let n = child.previousSibling; running(n); n = n.previousSibling) run.unshift(n);
  for (let n = child.nextSibling; running(n); n = n.nextSibling) run.push(n);
  return run;
}

/** The page as lines. */
function linesOf(args, refs) {
  const p = snapshot({ next: refs.next, testAttributes: args.testAttributes, maxBytes: 400000 });
  refs.next = p.next;
  return p.text.split('\n');
}

/** What differs between two lists of lines, as lines with + and -, those in the same order left out. */
function diffLines(before, after) {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let end = 0;
  while (end < before.length - head && end < after.length - head && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  const a = before.slice(head, before.length - end), b = after.slice(head, after.length - end);
  if (!a.length || !b.length || a.length * b.length > 1e6) return [...a.map((l) => '- ' + l), ...b.map((l) => '+ ' + l)].join('\n');
  const width = b.length + 1;
  const longest = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      longest[i * width + j] = a[i] === b[j] ? longest[(i + 1) * width + j + 1] + 1 : Math.max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
    }
  }
  const out = [];
  let i = 0, j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      i++;
      j++;
    } else if (i < a.length && (j === b.length || longest[(i + 1) * width + j] >= longest[i * width + j + 1])) out.push('- ' + a[i++]);
    else out.push('+ ' + b[j++]);
  }
  return out.join('\n');
}
