const toldRoles = new Set(('alert status dialog alertdialog heading link button textbox searchbox combobox listbox option checkbox radio switch slider spinbutton tab tabpanel menu menuitem ' +
  'menuitemcheckbox menuitemradio treeitem row table grid img form navigation region article list log tooltip progressbar').split(' '));

/**
 * Ends the noting, and tells what came, what went, and the part of the page in which it happened.
 * @param {{next: number, mode: string, maxBytes: number, most: number, testAttributes?: string[]}} args
 */
function observeEnd(args) {
  const refs = lend(args);
  if (!watch) return { changed: false, appeared: [], removed: [], tree: '', scope: 0, truncated: false, next: refs.next };
  const records = watch.records.concat(watch.observer.takeRecords());
  watch.observer.disconnect();
  watch = null;
  const view = newView();
  const touched = new Set();
  const came = new Set(), went = new Set();
  for (const r of records) {
    const at = r.target.nodeType === 1 ? r.target : r.target.parentNode;
    if (at && at.isConnected) touched.add(at);
    for (const n of r.addedNodes) if (n.nodeType === 1) { came.add(n); went.delete(n); }
    for (const n of r.removedNodes) if (n.nodeType === 1 && !n.isConnected && !came.has(n)) went.add(n);
  }
  const shown = [...touched].map((n) => (n.nodeType === 11 ? n.host : n)).filter((n) => n && n.nodeType === 1 && n.isConnected);
  const visibleOnes = shown.filter((n) => n === document.body || n === document.documentElement || seen(n) !== NONE || (n.parentElement && seen(n.parentElement) !== NONE && n.localName !== 'script' && n.localName !== 'style'));
  const appeared = [];
  for (const n of came) {
    if (appeared.length >= args.most) break;
    if (n.isConnected && seen(n) !== NONE && !hasAncestorIn(n, came)) tellNodes(n, appeared, args.most, refs, view);
  }
  for (const n of visibleOnes) {
    if (appeared.length >= args.most) break;
    const role = cachedRole(n, view);
    if ((role === 'alert' || role === 'status' || role === 'dialog' || role === 'log') && !appeared.some((a) => a.el === n)) appeared.push({ el: n, role, name: cut(nameOf(n, view) || ownWords(n), 120), ref: 'e' + refNumber(n, refs) });
  }
  const removed = [];
  for (const n of went) {
    if (removed.length >= args.most) break;
    if (n.localName === 'script' || n.localName === 'style' || n.localName === 'link') continue;
    const words = ownWords(n);
    const role = roleOf(n);
    const known = refNumbers.get(n);
    if (role || words) removed.push({ role: role || 'text', name: cut(words, 80), ...(known ? { ref: 'e' + known } : {}) });
  }
  const changed = visibleOnes.length > 0;
  const out = { changed, appeared: appeared.map(({ el, ...rest }) => rest), removed, tree: '', scope: 0, truncated: false, next: refs.next };
  if (changed && args.mode !== 'none') {
    const scope = args.mode === 'full' ? document.body || document.documentElement : commonScope(visibleOnes);
    if (scope) {
      out.scope = scope === document.body || scope === document.documentElement ? 0 : refNumber(scope, refs);
      const picture = snapshot({ next: refs.next, scope: out.scope || undefined, maxBytes: args.maxBytes, testAttributes: args.testAttributes });
      out.tree = picture.text;
      out.truncated = !!picture.stopped;
      refs.next = picture.next;
    }
  }
  out.next = refs.next;
  return out;
}

function hasAncestorIn(n, set) {
  for (let p = n.parentElement; p; p = p.parentElement) if (set.has(p)) return true;
  return false;
}

/** Adds what an agent would want to be told of in a new part of the page. */
function tellNodes(root, list, most, refs, view) {
  const before = list.length;
  let looked = 0;
  eachElement(root, (el) => {
    if (list.length >= most || ++looked > 400) return true;
    const role = cachedRole(el, view);
    if (role && toldRoles.has(role) && seen(el) === SHOWN) list.push({ el, role, name: cut(nameOf(el, view) || (role === 'status' || role === 'alert' ? ownWords(el) : ''), 120), ref: 'e' + refNumber(el, refs) });
    return false;
  });
  if (list.length === before) {
    const words = ownWords(root);
    if (words && list.length < most) list.push({ el: root, role: roleOf(root) || 'text', name: cut(words, 120), ref: 'e' + refNumber(root, refs) });
  }
}

/** The smallest part of the page that holds all that changed and is worth reading by itself. */
function commonScope(nodes) {
  let scope = nodes[0];
  for (const n of nodes) while (scope && !flatContains(scope, n)) scope = flatParent(scope);
  while (scope && scope.localName !== 'body' && (inlineTags.has(scope.localName) || seen(scope) !== SHOWN) && flatParent(scope)) scope = flatParent(scope);
  return scope || document.body;
}
