/**
 * The shadow trees of this frame. Hosts that may have a closed root are kept for hostsToCheck.
 * @param {{ref?: number, most: number, children: number, next: number}} args
 */
function shadowTrees(args) {
  const refs = lend(args);
  const view = newView();
  const trees = [], possible = [];
  let total = 0;
  eachElement(args.ref ? refElement(args.ref) : document.documentElement, (el) => {
    const root = shadowOf(el);
    if (!root) {
      if (possible.length < 200 && mayHideRoot(el)) possible.push(el);
      return false;
    }
    total++;
    if (trees.length >= args.most) return false;
    const children = [];
    for (let c = root.firstElementChild; c && children.length < args.children; c = c.nextElementSibling) {
      children.push({ ref: 'e' + refNumber(c, refs), tag: c.localName, role: cachedRole(c, view), name: nameOf(c, view) });
    }
    trees.push({ hostRef: 'e' + refNumber(el, refs), hostTag: el.localName, mode: root.mode, delegatesFocus: root.delegatesFocus, children, childCount: root.childElementCount, descendantCount: root.querySelectorAll('*').length });
    return false;
  });
  return { trees, total, hosts: keepHosts(possible), next: refs.next };
}

/** Whether an element may have a closed root: a custom one, or one whose children are not drawn, or that is drawn with nothing in it. */
function mayHideRoot(el) {
  if (rootless.has(el)) return false;
  if (el.localName.includes('-')) return true;
  if (!hostTags.has(el.localName)) return false;
  const first = el.firstElementChild;
  return first ? getComputedStyle(first).display === '' : !el.firstChild && el.offsetWidth * el.offsetHeight >= 400;
}
