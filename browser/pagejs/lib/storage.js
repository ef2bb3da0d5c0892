// What a page keeps in the browser, read without making or changing anything.

/** Fails for a frame that has no storage of that kind. */
function noStorage(what, e) {
  if (globalThis.origin === 'null') fail('no-storage', `this frame has no origin (it is a data: or sandboxed document), so it has no ${what}`);
  if (!globalThis.isSecureContext) fail('no-storage', `this frame has no ${what}: it is not of https or localhost`);
  fail('no-storage', `this frame may not use ${what}` + (e ? ` (${e.name})` : ''));
}

/**
 * The result of a request of IndexedDB. One that does not come in time fails, and what it would have opened is closed.
 * @param {IDBRequest} request
 * @param {number} until a time of performance.now
 * @param {string} what
 */
function answered(request, until, what) {
  return new Promise((resolve, reject) => {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      reject(problem('busy', `${what} did not answer in time: the page may be changing its version or deleting it`));
    }, Math.max(0, until - performance.now()));
    request.onsuccess = () => {
      clearTimeout(timer);
      if (late && request.result && request.result.close) request.result.close();
      resolve(request.result);
    };
    request.onerror = () => {
      clearTimeout(timer);
      reject(request.error || new Error(what));
    };
  });
}

/** The databases of the frame's origin, by name. */
async function databasesNow(until) {
  let list;
  try {
    if (!globalThis.indexedDB) noStorage('IndexedDB');
    list = indexedDB.databases();
  } catch (e) {
    if (e.code && typeof e.code === 'string') throw e;
    noStorage('IndexedDB', e);
  }
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(problem('busy', 'IndexedDB did not answer in time')), Math.max(0, until - performance.now()));
  });
  try {
    list = await Promise.race([list, late]);
  } catch (e) {
    if (e.code === 'busy') throw e;
    noStorage('IndexedDB', e);
  } finally {
    clearTimeout(timer);
  }
  return list.map(({ name, version }) => ({ name, version })).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Opens a database as it is, hands it to use, and closes it. It stands in the way of no page that wants to change it.
 * @param {string} name
 * @param {number} until
 * @param {function(IDBDatabase): Promise} use
 */
async function withDatabase(name, until, use) {
  const there = await databasesNow(until);
  if (!there.some((d) => d.name === name)) fail('not-found', `there is no database ${JSON.stringify(name)}`, { there: there.map((d) => d.name) });
  const request = indexedDB.open(name);
  // It was deleted meanwhile, and is not to be made anew.
  request.onupgradeneeded = () => request.transaction.abort();
  let db;
  try {
    db = await answered(request, until, `the database ${JSON.stringify(name)}`);
  } catch (e) {
    if (e.name === 'AbortError') fail('not-found', `there is no database ${JSON.stringify(name)} any more`, { there: [] });
    throw e;
  }
  db.onversionchange = () => db.close();
  try {
    return await use(db);
  } finally {
    db.close();
  }
}

/** A transaction that only reads, on a store or an index of it. */
function readFrom(db, store, index) {
  const names = [...db.objectStoreNames];
  if (!names.includes(store)) fail('not-found', `there is no store ${JSON.stringify(store)} in the database`, { there: names });
  const source = db.transaction(store, 'readonly').objectStore(store);
  if (!index) return source;
  const indexes = [...source.indexNames];
  if (!indexes.includes(index)) fail('not-found', `there is no index ${JSON.stringify(index)} in the store`, { there: indexes });
  return source.index(index);
}

/** A key of IndexedDB from its JSON: the notes of plainValue are taken back. */
function keyFrom(json) {
  if (Array.isArray(json)) return json.map(keyFrom);
  if (json && typeof json === 'object') {
    if (json.$type === 'Date') return new Date(json.value);
    if (json.$type === 'number') return Number(json.value);
    if (typeof json.base64 === 'string') return Uint8Array.from(atob(json.base64), (c) => c.charCodeAt(0)).buffer;
    fail('bad-args', 'key is no key of IndexedDB: give a text, a number, a list of them, or a key as idb_get shows it');
  }
  return json;
}

/** Cache Storage, or why there is none. */
async function cacheStorage() {
  let names;
  try {
    names = globalThis.caches ? await caches.keys() : null;
  } catch (e) {
    noStorage('Cache Storage', e);
  }
  if (!names) noStorage('Cache Storage');
  return names;
}

/** A cache by name, without making it. */
async function cacheNamed(name) {
  const names = await cacheStorage();
  if (!names.includes(name)) fail('not-found', `there is no cache ${JSON.stringify(name)}`, { there: names });
  return caches.open(name);
}
