/**
 * What stands in localStorage or sessionStorage.
 * @param {{session: boolean, key?: string, values: boolean}} args without key all items
 */
function storageItems(args) {
  const what = args.session ? 'sessionStorage' : 'localStorage';
  let area;
  try {
    area = globalThis[what];
  } catch (e) {
    noStorage(what, e);
  }
  if (!area) noStorage(what);
  const items = [];
  let left = 8e6;
  let truncated = false;
  const add = (key, value) => {
    const item = { key, length: value.length };
    if (args.values && (left -= value.length) >= 0) item.value = value;
    else if (args.values) truncated = true;
    items.push(item);
  };
  if (typeof args.key === 'string') {
    const value = area.getItem(args.key);
    if (value !== null) add(args.key, value);
  } else {
    const keys = [];
    for (let i = 0; i < area.length; i++) keys.push(area.key(i));
    for (const key of keys.sort()) {
      const value = area.getItem(key);
      if (value !== null) add(key, value);
    }
  }
  return { origin: globalThis.origin, items, truncated };
}
