/**
 * A value of a page as JSON, with notes where JSON has no words for it: {"$type": "Map", …}. What would make it too big is left
 * out whole and never in the middle of a text: the mask comes later, and does not know the head of a secret.
 * @param {*} value
 * @param {{most?: number, typed?: boolean}} [options] most: characters in all; typed: dates are noted as such too
 * @returns {{value: *, truncated: boolean}}
 */
function plainValue(value, options = {}) {
  let left = options.most || 4e6;
  let nodes = 200000;
  let truncated = false;
  const above = new Set();
  const note = (type, rest) => ({ $type: type, ...rest });
  const take = (n) => {
    if (n > left) {
      truncated = true;
      return false;
    }
    left -= n;
    return true;
  };
  const base64 = (bytes) => {
    let text = '';
    for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode.apply(null, bytes.subarray(i, i + 8192));
    return btoa(text);
  };
  const bytesOf = (type, bytes, rest) => (take(bytes.length * 1.4) ? note(type, { ...rest, base64: base64(bytes) }) : note(type, { ...rest, omitted: true }));
  const text = (s) => (take(s.length + 8) ? s : note('string', { length: s.length, omitted: true }));

  function known(v, type, depth) {
    switch (type) {
      case 'Date': {
        const at = Number.isNaN(v.getTime()) ? null : v.toISOString();
        return options.typed ? note('Date', { value: at }) : at;
      }
      case 'RegExp':
        return note('RegExp', { value: text(String(v)) });
      case 'Map':
        return note('Map', { size: v.size, entries: list([...v.entries()], depth) });
      case 'Set':
        return note('Set', { size: v.size, values: list([...v.values()], depth) });
      case 'ArrayBuffer':
        return bytesOf('ArrayBuffer', new Uint8Array(v), { byteLength: v.byteLength });
      case 'Blob':
        return note('Blob', { size: v.size, mime: text(v.type) });
      case 'File':
        return note('File', { name: text(v.name), size: v.size, mime: text(v.type), lastModified: v.lastModified });
      case 'Promise': case 'WeakMap': case 'WeakSet': case 'CryptoKey':
        return note(type);
      case 'NodeList': case 'HTMLCollection': case 'RadioNodeList': case 'HTMLOptionsCollection': case 'FileList': case 'DOMTokenList':
        return list(Array.from(v), depth);
    }
    if (ArrayBuffer.isView(v)) return bytesOf(type, new Uint8Array(v.buffer, v.byteOffset, v.byteLength), { length: v.length ?? v.byteLength });
    if (v instanceof Error || type === 'Error' || type === 'DOMException') return note('Error', { name: text(String(v.name)), message: text(String(v.message)) });
    return undefined;
  }

  function node(v) {
    if (v.nodeType !== 1) return note('node', { node: v.nodeName, ...(v.nodeType === 3 ? { text: text(v.data) } : {}) });
    const attribute = (name) => v.getAttribute(name);
    let words = `<${v.localName}`;
    for (const name of ['id', 'class', 'name', 'type', 'role', 'href', 'src', 'aria-label']) {
      const has = attribute(name);
      if (has && has.length <= 200) words += ` ${name}=${JSON.stringify(has)}`;
    }
    const inner = v.childElementCount < 50 ? (v.textContent || '').trim() : '';
    return note('node', { node: text(words + '>'), ...(inner && inner.length <= 200 ? { text: text(inner) } : {}), children: v.childElementCount });
  }

  function list(v, depth) {
    const out = [];
    for (let i = 0; i < v.length; i++) {
      if (nodes <= 0 || left <= 0) {
        truncated = true;
        out.push(note('omitted', { count: v.length - i }));
        break;
      }
      out.push(walk(v[i], depth + 1));
    }
    return out;
  }

  function object(v, depth) {
    const keys = Object.keys(v);
    const type = Object.prototype.toString.call(v).slice(8, -1);
    if (!keys.length && type !== 'Object') return note(type);
    const out = Object.create(null);
    for (let i = 0; i < keys.length; i++) {
      if (nodes <= 0 || !take(keys[i].length + 4)) {
        truncated = true;
        out.$omitted = keys.length - i;
        break;
      }
      let inner;
      try {
        inner = v[keys[i]];
      } catch (e) {
        inner = note('unreadable');
      }
      // As JSON does it.
      if (!options.typed && (inner === undefined || typeof inner === 'function' || typeof inner === 'symbol')) continue;
      out[keys[i]] = walk(inner, depth + 1);
    }
    return out;
  }

  function walk(v, depth) {
    nodes--;
    left -= 2;
    switch (typeof v) {
      case 'string': return text(v);
      case 'number': return Number.isFinite(v) ? v : note('number', { value: String(v) });
      case 'boolean': return v;
      case 'undefined': return depth ? note('undefined') : null;
      case 'bigint': return note('bigint', { value: text(String(v)) });
      case 'symbol': return note('symbol', { value: text(String(v)) });
      case 'function': return note('function', { name: text(String(v.name || '')) });
    }
    if (v === null) return null;
    if (above.has(v)) return note('circular');
    if (depth > 40 || nodes <= 0 || left <= 0) {
      truncated = true;
      return note('omitted');
    }
    above.add(v);
    try {
      if (v.window === v) return note('Window');
      if (Array.isArray(v)) return list(v, depth);
      if (typeof v.nodeType === 'number' && typeof v.nodeName === 'string') return node(v);
      const special = known(v, Object.prototype.toString.call(v).slice(8, -1), depth);
      if (special !== undefined) return special;
      if (typeof v.toJSON === 'function') {
        const said = v.toJSON();
        if (said !== v) return walk(said, depth + 1);
      }
      return object(v, depth);
    } catch (e) {
      return note('unreadable');
    } finally {
      above.delete(v);
    }
  }
  const out = walk(value, 0);
  return { value: out, truncated };
}
