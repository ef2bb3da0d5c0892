/**
 * Looks again, and with end tells what came and went since the beginning.
 * @param {{id: number, end: boolean, most: number, next: number}} args
 */
function regionsRead(args) {
  const refs = lend(args);
  const s = samplings.get(args.id);
  if (!s) return { known: false, regions: [], left: 0, next: refs.next };
  sampleRegions(s);
  if (!args.end) return { known: true, regions: [], left: 0, next: refs.next };
  samplings.delete(args.id);
  s.observer.disconnect();
  const all = [...s.past.map((r) => ({ ...r })), ...[...s.there.values()].filter((r) => r.from !== null).map((r) => ({ ...r, to: null }))];
  all.sort((a, b) => (a.from === null ? a.to : a.from) - (b.from === null ? b.to : b.from));
  const at = (t) => (t === null ? null : Math.round(t));
  const regions = all.slice(0, args.most).map((r) => ({ role: r.role, name: r.name, ref: r.el.isConnected ? 'e' + refNumber(r.el, refs) : '', appearedAtMs: at(r.from), disappearedAtMs: at(r.to) }));
  return { known: true, regions, left: Math.max(0, all.length - regions.length), more: s.more, next: refs.next };
}
