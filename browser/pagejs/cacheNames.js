/** The names of the caches of the frame's origin. */
async function cacheNames(args) {
  return { origin: globalThis.origin, caches: await cacheStorage() };
}
