// The selectors that agents write: CSS that reaches into shadow roots, role=, text=, xpath=, nth=, joined with >>.

/** Splits text at a separator that stands outside quotes and brackets. */
function splitOutside(text, separator) {
  const parts = [];
  let quote = '', depth = 0, start = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (quote) {
      if (c === '\\') i++;
      else if (c === quote) quote = '';
    } else if (c === '"' || c === "'") quote = c;
    else if (c === '(' || c === '[') depth++;
    else if (c === ')' || c === ']') depth--;
    else if (depth === 0 && text.startsWith(separator, i)) {
      parts.push(text.slice(start, i));
      i += separator.length - 1;
      start = i + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}

function badSelector(part, why) {
  fail('bad-selector', `the selector ${JSON.stringify(cut(part, 200))} cannot be read: ${why}`, { part: cut(part, 200) });
}

/**
 * All elements that a selector names below a root, in document order.
 * @param {string} selector
 * @param {Document|Element} root
 * @returns {Element[]}
 */
function queryAll(selector, root) {
  if (!selector.trim()) badSelector(selector, 'it is empty');
  guardValues(selector);
  let found = null;
  for (const raw of splitOutside(selector, '>>')) {
    const part = raw.trim();
    if (!part) badSelector(selector, 'there is nothing between two >>');
    const nth = /^nth=(-?\d+)$/.exec(part);
    if (nth) {
      const list = found || [];
      const n = Number(nth[1]);
      const one = list[n < 0 ? list.length + n : n];
      found = one ? [one] : [];
      continue;
    }
    const step = stepOf(part);
    const roots = found || [root];
    const next = [];
    const had = new Set();
    for (const r of roots) {
      for (const el of step(r)) {
        if (!had.has(el)) {
          had.add(el);
          next.push(el);
        }
      }
    }
    found = next;
  }
  return found || [];
}

/**
 * Refuses selectors that ask about values where a protected field is: whether they match would tell its value letter by letter.
 * What is let through is known to be harmless; whatever cannot be read for certain is refused.
 */
function guardValues(selector) {
  if (harmless(selector)) return;
  for (const scope of scopesBelow(document)) {
    for (const el of scope.querySelectorAll('input,textarea')) {
      if (isProtected(el)) badSelector(selector, 'it may ask about values, which is refused on a page with a password field; name the field in another way');
    }
  }
}

function harmless(selector) {
  // XPath: only plain attributes other than value, and no way round them.
  if (/attribute\s*::|namespace\s*::/i.test(selector)) return false;
  for (const m of selector.matchAll(/@\s*([^\s]*)/g)) {
    const name = /^([\w-]+)(?![\w:(-])/.exec(m[1]);
    if (!name || name[1].toLowerCase() === 'value') return false;
  }
  // CSS: every attribute selector begins with a plain name other than value. Strings are skipped; a comment or an escape in
  // front of the operator could hide a name, and so could a namespace.
  let quote = '';
  for (let i = 0; i < selector.length; i++) {
    const c = selector[i];
    if (quote) {
      if (c === '\\') i++;
      else if (c === quote || c === '\n') quote = '';
    } else if (c === '\\') i++;
    else if (c === '"' || c === "'") quote = c;
    else if (c === '/' && selector[i + 1] === '*') return false;
    else if (c === '[') {
      const name = /^\[\s*([a-zA-Z_][\w-]*)\s*(?:[~^$*|]?=|\])/.exec(selector.slice(i));
      const xpath = /^\[\s*(?:\d|@|\.|position|last|text|contains|starts-with|normalize-space|not|count|self::|name)/.test(selector.slice(i));
      if (name ? name[1].toLowerCase() === 'value' : !xpath) return false;
    }
  }
  return !quote;
}

/** @returns {(root: Document|Element) => Iterable<Element>} */
function stepOf(part) {
  if (part.startsWith('css=')) return cssStep(part.slice(4), part);
  if (part.startsWith('text=')) return textStep(part.slice(5).trim(), part);
  if (part.startsWith('role=')) return roleStep(part.slice(5).trim(), part);
  if (part.startsWith('xpath=')) return xpathStep(part.slice(6), part);
  if (part.startsWith('//') || part.startsWith('..') || part.startsWith('(//')) return xpathStep(part, part);
  if (/^".*"$|^'.*'$/s.test(part)) return textStep(part, part);
  return cssStep(part, part);
}

/** XPath that asks for nothing but where elements stand, and what attributes of theirs say. */
const plainPath = /^(?:[\w\s/.*:-]|\[\d+\]|\[@[\w-]+(?:=(?:"[^"]*"|'[^']*'))?\])*$/;

function xpathStep(path, part) {
  if (textsProtected && !plainPath.test(path)) badSelector(part, 'it may ask about text, which is refused on a page with a secret in editable text; name the element in another way');
  return (root) => {
    const node = root.nodeType === 9 ? root : root;
    const list = [];
    try {
      const result = document.evaluate(root.nodeType === 1 && path.startsWith('/') ? '.' + path : path, node, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
      for (let i = 0; i < result.snapshotLength; i++) {
        const n = result.snapshotItem(i);
        if (n.nodeType === 1) list.push(n);
      }
    } catch (e) {
      badSelector(part, 'it is not a valid XPath');
    }
    return list;
  };
}

const namedFilters = /:(visible|hidden|has-text|text|text-is|nth-match)(?=[(\s>+~,.:#[]|$)/;

/** CSS, with the pseudo-classes of ours taken out: what stands before the first is plain, what follows is looked for from there. */
function cssStep(text, part) {
  const options = splitOutside(text, ',').map((s) => cssOption(s.trim(), part));
  if (options.length === 1) return options[0];
  return (root) => {
    const all = new Set();
    for (const o of options) for (const el of o(root)) all.add(el);
    return [...all].sort((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_PRECEDING ? 1 : -1));
  };
}

function cssOption(text, part) {
  const at = ownPseudo(text);
  if (at < 0) {
    checkCSS(text, part);
    return (root) => cssBelow(text, root);
  }
  let base = text.slice(0, at).trim();
  if (!base || /[>+~]$/.test(base)) base += '*';
  checkCSS(base, part);
  const { name, argument, rest } = readPseudo(text.slice(at), part);
  const filter = pseudoFilter(name, argument, part);
  const more = rest.trim() ? restOption(rest, part) : null;
  return (root) => {
    const hits = filter(cssBelow(base, root));
    if (!more) return hits;
    const out = new Set();
    for (const h of hits) for (const el of more(h)) out.add(el);
    return [...out];
  };
}

/** What follows a pseudo-class of ours: more conditions on the same element, or a combinator and what is looked for from it. */
function restOption(rest, part) {
  if (/^\s/.test(rest) || /^[>+~]/.test(rest.trim())) {
    const t = rest.trim();
    const relative = /^[>+~]/.test(t) ? t : ' ' + t;
    const inner = cssOption(':scope' + (relative.startsWith(' ') ? relative : ' ' + relative), part);
    return inner;
  }
  const same = cssOption('*' + rest, part);
  return (el) => {
    const parent = el.parentNode || el;
    for (const hit of same(parent.nodeType === 11 ? document : parent)) if (hit === el) return [el];
    return [];
  };
}

function ownPseudo(text) {
  let quote = '', depth = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (quote) {
      if (c === '\\') i++;
      else if (c === quote) quote = '';
    } else if (c === '"' || c === "'") quote = c;
    else if (c === '(' || c === '[') depth++;
    else if (c === ')' || c === ']') depth--;
    else if (c === ':' && depth === 0) {
      const m = namedFilters.exec(text.slice(i));
      if (m && m.index === 0) return i;
    }
  }
  return -1;
}

function readPseudo(text, part) {
  const name = /^:([a-z-]+)/.exec(text)[1];
  let rest = text.slice(name.length + 1);
  let argument = null;
  if (rest.startsWith('(')) {
    let quote = '', depth = 0, i = 0;
    for (; i < rest.length; i++) {
      const c = rest[i];
      if (quote) {
        if (c === '\\') i++;
        else if (c === quote) quote = '';
      } else if (c === '"' || c === "'") quote = c;
      else if (c === '(') depth++;
      else if (c === ')' && --depth === 0) break;
    }
    if (i >= rest.length) badSelector(part, `the bracket after :${name} is not closed`);
    argument = rest.slice(1, i).trim();
    rest = rest.slice(i + 1);
  }
  return { name, argument, rest };
}

function pseudoFilter(name, argument, part) {
  switch (name) {
    case 'visible': return (list) => list.filter(visible);
    case 'hidden': return (list) => list.filter((el) => !visible(el));
    case 'nth-match': {
      const n = Number(argument);
      if (!(n >= 1)) badSelector(part, ':nth-match wants a number from 1');
      return (list) => list.slice(n - 1, n);
    }
    default: {
      if (argument === null) badSelector(part, `:${name} wants a text in brackets`);
      const wanted = wantedText(argument, part);
      const exact = name === 'text-is';
      if (name === 'has-text') return (list) => list.filter((el) => ownWords(el).toLowerCase().includes(wanted.text.toLowerCase()));
      return (list) => {
        const hits = list.filter((el) => (exact ? ownWords(el) === wanted.text : wanted.test(ownWords(el))));
        return hits.filter((el) => !hits.some((o) => o !== el && el.contains(o)));
      };
    }
  }
}

function checkCSS(text, part) {
  try {
    document.createDocumentFragment().querySelector(text);
  } catch {
    badSelector(part, `${JSON.stringify(cut(text, 100))} is not valid CSS; other forms are role=button[name="Save"], text=Save, xpath=//…, joined with >>`);
  }
}

function cssBelow(text, root) {
  const out = [];
  const scopes = scopesBelow(root);
  const steps = scopes.length > 1 && !text.includes(':scope') ? combined(text) : [];
  for (const scope of scopes) {
    if (scope !== root && text.includes(':scope')) continue;
    if (steps.length < 2) out.push(...scope.querySelectorAll(text));
    // What stands left of a combinator may be outside of the shadow root.
    else for (const el of scope.querySelectorAll(steps[steps.length - 1].compound)) if (fitsLeft(el, steps, steps.length - 1)) out.push(el);
  }
  return out;
}

/** The compound selectors of a complex one, each with the combinator in front of it. @returns {{by: string, compound: string}[]} */
function combined(text) {
  const steps = [];
  let quote = '', depth = 0, compound = '', by = '';
  const take = () => {
    if (compound) steps.push({ by, compound });
    compound = '';
  };
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (quote) {
      if (c === quote) quote = '';
      else if (c === '\\') compound += text[i++];
    } else if (c === '"' || c === "'") quote = c;
    else if (c === '\\') compound += text[i++];
    else if (c === '(' || c === '[') depth++;
    else if (c === ')' || c === ']') depth--;
    else if (depth === 0 && /[\s>+~]/.test(c)) {
      let end = i;
      while (end < text.length && /[\s>+~]/.test(text[end])) end++;
      take();
      by = text.slice(i, end).trim() || ' ';
      i = end - 1;
      continue;
    }
    compound += text[i];
  }
  take();
  return steps;
}

function fitsLeft(el, steps, n) {
  if (n === 0) return true;
  const fits = (p) => !!p && p.nodeType === 1 && p.matches(steps[n - 1].compound) && fitsLeft(p, steps, n - 1);
  const up = (p) => p.parentElement || (p.parentNode && p.parentNode.host) || null;
  switch (steps[n].by) {
    case '>':
      return fits(up(el));
    case '+':
      return fits(el.previousElementSibling);
    case '~':
      for (let p = el.previousElementSibling; p; p = p.previousElementSibling) if (fits(p)) return true;
      return false;
    default:
      for (let p = up(el); p; p = up(p)) if (fits(p)) return true;
      return false;
  }
}

/** @returns {{text: string, test: (words: string) => boolean, exact: boolean, pattern: boolean}} */
function wantedText(argument, part) {
  const pattern = /^\/(.*)\/([a-z]*)$/s.exec(argument);
  if (pattern) {
    let re;
    try {
      re = new RegExp(pattern[1], pattern[2].replace(/[gy]/g, ''));
    } catch {
      badSelector(part, 'the regular expression in it is not valid');
    }
    return { text: pattern[1], exact: false, pattern: true, test: (w) => re.test(w) };
  }
  const quoted = /^(["'])(.*)\1$/s.exec(argument);
  const text = squeeze(quoted ? quoted[2].replace(/\\(.)/g, '$1') : argument);
  const low = text.toLowerCase();
  return { text, exact: !!quoted, pattern: false, test: quoted ? (w) => w === text : (w) => w.toLowerCase().includes(low) };
}

/** The words of an element: its text, or what a button made of an input says. Values of fields are not words. */
function ownWords(el) {
  if (el.localName === 'textarea') return '';
  if (el.localName === 'input') return /^(button|submit|reset)$/.test(el.type) ? squeeze(el.value || (el.type === 'submit' ? 'Submit' : el.type === 'reset' ? 'Reset' : '')) : '';
  let text = textOf(el);
  const root = shadowOf(el);
  if (root) text = textOf(root) + ' ' + text;
  return squeeze(text);
}

const wordless = new Set(['script', 'style', 'noscript', 'template', 'head', 'title', 'meta', 'link', 'textarea', 'select']);
const wordlessInside = [...wordless].join();

/** The text of a node without what scripts, styles and fields hold. @param {Element|ShadowRoot} node */
function textOf(node) {
  if (textsProtected && insideProtected(node)) return '';
  const text = node.textContent || '';
  if (!text || !node.firstElementChild || !(textsProtected || node.querySelector(wordlessInside))) return node.nodeType === 1 && wordless.has(node.localName) ? '' : text;
  let out = '';
  const left = (n) => wordless.has(n.localName) || (textsProtected && protectedFields.has(n));
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, (n) => (n.nodeType === 3 ? NodeFilter.FILTER_ACCEPT : left(n) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_SKIP));
  while (walker.nextNode()) out += walker.currentNode.data;
  return out;
}

/** text=: the smallest elements that hold the words. */
function textStep(argument, part) {
  if (!argument) badSelector(part, 'text= wants some words');
  const wanted = wantedText(argument, part);
  return (root) => {
    const out = [];
    // What a part says, the whole says too, so that a whole without the words need not be searched. That is not so for the
    // words of shadow roots and of buttons made of inputs, nor for a pattern.
    const apart = wanted.pattern || scopesBelow(root).length > 1 || !!root.querySelector('input[type=submit],input[type=button],input[type=reset]');
    const low = wanted.text.toLowerCase();
    const walk = (el) => {
      if (wordless.has(el.localName)) return false;
      const words = ownWords(el);
      if (!apart && !words.toLowerCase().includes(low)) return false;
      let below = false;
      eachFlatChild(el, (c) => { if (c.nodeType === 1 && walk(c)) below = true; });
      if (below) return true;
      if (!wanted.test(words)) return false;
      out.push(el);
      return true;
    };
    const start = root.nodeType === 9 ? root.documentElement : root;
    if (start) walk(start);
    return out;
  };
}

/** role=button[name="Save"][disabled]… */
function roleStep(text, part) {
  const head = /^([a-z-]+)\s*/i.exec(text);
  if (!head) badSelector(part, 'role= wants a role, as in role=button[name="Save"]');
  const role = head[1].toLowerCase();
  const tests = [];
  let rest = text.slice(head[0].length);
  while (rest) {
    const m = /^\[\s*([a-z-]+)\s*(?:=\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\/(?:[^/\\]|\\.)*\/[a-z]*|[^\]\s]+)\s*([is])?)?\s*\]\s*/i.exec(rest);
    if (!m) badSelector(part, `${JSON.stringify(cut(rest, 60))} is not [attribute=value]`);
    tests.push(roleTest(m[1].toLowerCase(), m[2], m[3], part));
    rest = rest.slice(m[0].length);
  }
  return (root) => {
    const view = newView();
    const out = [];
    const start = root.nodeType === 9 ? root.documentElement : root;
    if (!start) return out;
    eachElement(start, (el) => {
      if (el !== root && cachedRole(el, view) === role && tests.every((t) => t(el, view, role)) && seen(el) !== NONE) out.push(el);
      return false;
    });
    return out;
  };
}

function roleTest(attribute, raw, flag, part) {
  const flagged = (value) => value === undefined || value === 'true';
  switch (attribute) {
    case 'name': {
      if (raw === undefined) badSelector(part, '[name] wants a value');
      const wanted = wantedText(raw, part);
      if (flag === 'i') {
        const low = wanted.text.toLowerCase();
        return (el, view) => nameOf(el, view).toLowerCase().includes(low);
      }
      return (el, view) => wanted.test(nameOf(el, view));
    }
    case 'checked': return (el, view, role) => (raw === 'mixed' ? checkedState(el, role) === 'mixed' : !!checkedState(el, role) === flagged(raw));
    case 'disabled': return (el) => isDisabled(el) === flagged(raw);
    case 'expanded': return (el) => expandedState(el) === flagged(raw);
    case 'selected': return (el) => (el.getAttribute('aria-selected') === 'true' || (el.localName === 'option' && el.selected)) === flagged(raw);
    case 'pressed': return (el) => (el.getAttribute('aria-pressed') === 'true') === flagged(raw);
    case 'level': return (el) => headingLevel(el) === Number(raw);
    case 'include-hidden': return () => true;
    default: badSelector(part, `[${attribute}] is unknown; use name, checked, disabled, expanded, selected, pressed, level`);
  }
}
