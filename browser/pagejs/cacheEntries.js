/**
 * What a cache holds: one line for each answer.
 * @param {{cache: string, skip: number, limit: number}} args
 */
async function cacheEntries(args) {
  const cache = await cacheNamed(args.cache);
  const keys = await cache.keys();
  const entries = [];
  for (let i = args.skip; i < keys.length && entries.length < args.limit; i++) {
    // Entries of one address that differ by a header (Vary) are told apart by the whole request.
    const answer = await cache.match(keys[i]);
    if (!answer) continue;
    entries.push({ index: i, url: keys[i].url, method: keys[i].method, status: answer.status, type: answer.type, mimeType: answer.headers.get('content-type') || '' });
  }
  return { origin: globalThis.origin, total: keys.length, entries };
}
