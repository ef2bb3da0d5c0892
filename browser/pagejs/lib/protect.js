// Fields whose value is never shown: those that are or ever were for passwords or one-time codes, and those that received a
// secret.

/** @type {WeakSet<Element>} */
const protectedFields = new WeakSet();

/** Whether one of them is editable text, which is part of the page's text. */
let textsProtected = false;

const secretTokens = new Set(['current-password', 'new-password', 'one-time-code']);

/** @param {string|null} value of an autocomplete attribute */
function secretAutocomplete(value) {
  return !!value && value.toLowerCase().split(/\s+/).some((t) => secretTokens.has(t));
}

/**
 * @param {Element} el
 * @returns {boolean}
 */
function isProtected(el) {
  if (protectedFields.has(el)) return true;
  const tag = el.localName;
  if (tag !== 'input' && tag !== 'textarea' && tag !== 'select') return false;
  if ((tag === 'input' && el.type === 'password') || secretAutocomplete(el.getAttribute('autocomplete'))) {
    protectedFields.add(el);
    return true;
  }
  return false;
}

let fileInputClicked = false;
/** @type {Event|null} the last click on a link that downloads */
let downloadClicked = null;

/** Notes fields that stop being password fields before anybody has looked at them. */
function watchProtected() {
  const observer = new MutationObserver((records) => {
    for (const r of records) {
      const was = r.oldValue;
      if (r.attributeName === 'type' ? was && was.toLowerCase() === 'password' : secretAutocomplete(was)) protectedFields.add(r.target);
    }
  });
  observer.observe(document, { subtree: true, attributes: true, attributeOldValue: true, attributeFilter: ['type', 'autocomplete'] });
  // What happens inside shadow roots the observer does not see, but typing it does.
  globalThis.addEventListener('input', (e) => {
    const el = e.composedPath()[0];
    if (el instanceof Element) isProtected(el);
  }, { capture: true, passive: true });
  // What a protected field holds must not be carried into another one, where it would be shown. Browsers keep password fields
  // from being copied; this keeps the others, also those that were turned into text.
  for (const way of ['copy', 'cut', 'dragstart']) {
    globalThis.addEventListener(way, (e) => {
      const el = e.composedPath()[0];
      if (el instanceof Element && isProtected(el)) {
        e.preventDefault();
        e.stopImmediatePropagation();
      }
    }, { capture: true });
  }
  // A click on a file input, the person's or the page's own, is followed by a file dialog; one on a link that downloads, by a
  // download that no navigation announces.
  globalThis.addEventListener('click', (e) => {
    const path = e.composedPath();
    const el = path[0];
    if (el instanceof Element && el.localName === 'input' && el.type === 'file') fileInputClicked = true;
    if (path.some((n) => n instanceof Element && n.localName === 'a' && n.hasAttribute('download') && n.hasAttribute('href'))) downloadClicked = e;
  }, { capture: true, passive: true });
}
