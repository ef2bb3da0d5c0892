/**
 * Where a text stands in the page.
 * @param {{text: string, exact?: boolean, scope?: number, includeHidden?: boolean, max: number, next: number}} args
 */
function searchText(args) {
  const refs = lend(args);
  const root = args.scope ? refElement(args.scope) : document;
  const wanted = squeeze(args.text);
  if (!wanted) fail('bad-args', 'text is empty', {});
  const step = textStep(args.exact ? JSON.stringify(wanted) : wanted, 'text=');
  const view = newView();
  const hitsFound = [];
  let count = 0;
  for (const el of step(root)) {
    const shown = visible(el);
    if (!shown && !args.includeHidden) continue;
    count++;
    if (hitsFound.length >= args.max) continue;
    let owner = el;
    for (let p = el, i = 0; p && i < 3; p = flatParent(p), i++) {
      if (cachedRole(p, view) && p !== document.body) {
        owner = p;
        break;
      }
    }
    const r = boxOf(el);
    const text = ownWords(el);
    const at = text.toLowerCase().indexOf(wanted.toLowerCase());
    const around = flatParent(el);
    hitsFound.push({
      ref: 'e' + refNumber(el, refs), role: cachedRole(owner, view) || 'text', text: text.length > 300 ? cutAround(text, Math.max(0, at - 100), Math.max(0, at) + wanted.length + 100) : text,
      context: around ? cut(squeeze(textOf(around)), 160) : '', bbox: [r.x, r.y, r.width, r.height].map(Math.round),
      clipped: r.bottom < 0 || r.right < 0 || r.top > innerHeight || r.left > innerWidth, ...(shown ? {} : { hidden: true }),
    });
  }
  return { count, matches: hitsFound, next: refs.next };
}
