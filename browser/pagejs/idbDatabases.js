/**
 * The IndexedDB databases of the frame's origin.
 * @param {{ms: number}} args
 */
async function idbDatabases(args) {
  return { origin: globalThis.origin, databases: await databasesNow(performance.now() + args.ms) };
}
