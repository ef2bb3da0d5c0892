/**
 * One answer of a cache. A body that is longer than most is left out whole.
 * @param {{cache: string, index: number, url: string, most: number}} args
 */
async function cacheEntry(args) {
  const cache = await cacheNamed(args.cache);
  const key = (await cache.keys())[args.index];
  const answer = key && key.url === args.url ? await cache.match(key) : undefined;
  if (!answer) fail('not-found', 'the entry is no longer in the cache', {});
  const headers = Object.create(null);
  for (const [name, value] of answer.headers) headers[name] = value;
  const out = { origin: globalThis.origin, url: key.url, method: key.method, status: answer.status, type: answer.type, headers };
  if (answer.type === 'opaque' || answer.type === 'opaqueredirect') return { ...out, unreadable: true };
  const blob = await answer.blob();
  if (blob.size > args.most) return { ...out, bytes: blob.size, omitted: true };
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = '';
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode.apply(null, bytes.subarray(i, i + 8192));
  return { ...out, bytes: bytes.length, base64: btoa(text) };
}
