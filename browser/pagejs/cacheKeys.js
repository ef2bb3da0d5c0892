/**
 * The addresses of a cache, in its order.
 * @param {{cache: string}} args
 */
async function cacheKeys(args) {
  const cache = await cacheNamed(args.cache);
  return { origin: globalThis.origin, base: document.baseURI, urls: (await cache.keys()).map((q) => q.url) };
}
