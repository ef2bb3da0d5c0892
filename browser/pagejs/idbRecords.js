/**
 * Records of an IndexedDB store, in the order of their keys, or of those of an index.
 * @param {{database: string, store: string, index?: string, key?: *, skip: number, limit: number, ms: number}} args
 */
function idbRecords(args) {
  const until = performance.now() + args.ms;
  const what = `the store ${JSON.stringify(args.store)}`;
  return withDatabase(args.database, until, async (db) => {
    const read = async (range) => {
      const source = readFrom(db, args.store, args.index);
      const total = await answered(source.count(range), until, what);
      const records = [];
      let left = 4e6;
      let truncated = false;
      if (args.skip >= total) return { total, records, truncated };
      const opening = readFrom(db, args.store, args.index).openCursor(range);
      let cursor = await answered(opening, until, what);
      const next = (n) => {
        if (n) cursor.advance(n);
        else cursor.continue();
        return answered(opening, until, what);
      };
      if (args.skip && cursor) cursor = await next(args.skip);
      while (cursor && records.length < args.limit) {
        const key = plainValue(cursor.key, { typed: true, most: 10000 });
        const value = plainValue(cursor.value, { typed: true, most: Math.max(1000, left) });
        const record = { key: key.value, value: value.value };
        if (args.index) record.primaryKey = plainValue(cursor.primaryKey, { typed: true, most: 10000 }).value;
        truncated = truncated || key.truncated || value.truncated;
        records.push(record);
        left -= JSON.stringify(record).length;
        if (left <= 0) break;
        cursor = records.length < args.limit ? await next(0) : null;
      }
      return { total, records, truncated };
    };
    let found;
    if (args.key === undefined) {
      found = await read();
    } else {
      const ranges = [args.key];
      // Some clients send numbers as texts.
      if (typeof args.key === 'string' && args.key.trim() !== '' && Number.isFinite(Number(args.key))) ranges.push(Number(args.key));
      for (const key of ranges) {
        let range;
        try {
          range = IDBKeyRange.only(keyFrom(key));
        } catch (e) {
          if (e.code === 'bad-args') throw e;
          fail('bad-args', 'key is no key of IndexedDB: give a text, a number, a list of them, or a key as idb_get shows it');
        }
        found = await read(range);
        if (found.total) break;
      }
    }
    return { origin: globalThis.origin, ...found };
  });
}
