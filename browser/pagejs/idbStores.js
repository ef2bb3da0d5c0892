/**
 * The stores of an IndexedDB database, with their indexes and how many records they hold.
 * @param {{database: string, ms: number}} args
 */
function idbStores(args) {
  const until = performance.now() + args.ms;
  return withDatabase(args.database, until, async (db) => {
    const stores = [];
    for (const name of db.objectStoreNames) {
      const store = readFrom(db, name);
      const counting = store.count();
      const indexes = [...store.indexNames].map((n) => {
        const { keyPath, unique, multiEntry } = store.index(n);
        return { name: n, keyPath, unique, multiEntry };
      });
      stores.push({ name, keyPath: store.keyPath, autoIncrement: store.autoIncrement, count: await answered(counting, until, `the store ${JSON.stringify(name)}`), indexes });
    }
    return { origin: globalThis.origin, database: db.name, version: db.version, stores };
  });
}
