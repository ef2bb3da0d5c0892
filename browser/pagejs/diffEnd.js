/**
 * What has become of the elements that diffStart noted.
 * @param {{id: number, most: number, testAttributes?: string[], next: number}} args
 */
function diffEnd(args) {
  const refs = lend(args);
  const base = baselines.get(args.id);
  baselines.delete(args.id);
  if (!base) return { known: false, changed: [], added: [], removed: [], next: refs.next };
  const attributes = args.testAttributes || [];
  const out = { known: true, changed: [], added: [], removed: [], left: { changed: 0, added: 0, removed: 0 }, more: base.more };
  const add = (list, what, one) => {
    if (list.length < args.most) list.push(one());
    else out.left[what]++;
  };
  const now = new Set();
  if (base.scope.isConnected) {
    for (const el of inScope(base.scope)) {
      now.add(el);
      const was = base.of.get(el);
      if (!was) {
        // What stands in something that is new is new with it.
        const p = flatParent(el);
        if (!p || base.of.has(p) || el === base.scope) add(out.added, 'added', () => ({ ref: 'e' + refNumber(el, refs), path: placeOf(el), tag: el.localName, testId: testIdOf(el, attributes), role: roleOf(el), text: insideProtected(el) ? '' : squeeze(textOf(el)).slice(0, longText), elements: el.querySelectorAll('*').length + 1 }));
        continue;
      }
      const delta = deltaOf(el, was);
      if (delta) add(out.changed, 'changed', () => ({ ref: 'e' + refNumber(el, refs), path: placeOf(el), tag: el.localName, testId: testIdOf(el, attributes), ...delta }));
    }
  }
  for (const [el, was] of base.of) {
    if (now.has(el) || (el.isConnected && now.size >= mostCompared)) continue;
    const p = el.parentNode && (el.parentNode.nodeType === 11 ? el.parentNode.host : el.parentNode);
    if (p && base.of.has(p) && !now.has(p)) continue;
    add(out.removed, 'removed', () => ({ path: was.place, tag: was.tag, testId: attributes.map((a) => was.attributes.get(a)).find(Boolean) || null }));
  }
  out.next = refs.next;
  return out;
}

function deltaOf(el, was) {
  const is = standing(el, was.looks.length > 0);
  const out = {};
  const classes = (s) => new Set((s.attributes.get('class') || '').split(/\s+/).filter(Boolean));
  const before = classes(was), after = classes(is);
  const added = [...after].filter((c) => !before.has(c)), removed = [...before].filter((c) => !after.has(c));
  if (added.length || removed.length) out.classDelta = { added, removed };
  const styles = {};
  was.looks.forEach((v, i) => { if (v !== is.looks[i]) styles[comparedStyles[i]] = { before: v, after: is.looks[i] }; });
  const inline = (s) => s.attributes.get('style') || '';
  if (inline(was) !== inline(is)) styles.inline = { before: inline(was), after: inline(is) };
  if (Object.keys(styles).length) out.styleDelta = styles;
  const hidden = insideProtected(el);
  const changed = {};
  for (const name of new Set([...was.attributes.keys(), ...is.attributes.keys()])) {
    if (name === 'class' || name === 'style') continue;
    const a = was.attributes.has(name) ? was.attributes.get(name) : null, b = is.attributes.has(name) ? is.attributes.get(name) : null;
    if (a === b) continue;
    changed[name] = hidden && name === 'value' ? { before: a ? 'filled' : a, after: b ? 'filled' : b } : { before: a, after: b };
  }
  if (Object.keys(changed).length) out.attrDelta = changed;
  return Object.keys(out).length ? out : null;
}
