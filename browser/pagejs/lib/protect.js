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

/** Fields that hold a secret now, as far as is known. @type {WeakSet<Element>} */
const secretFields = new WeakSet();

/** Whether an event would carry off what a protected field holds. In doubt it would. */
function carriesProtected(e) {
  const hidden = (n) => {
    for (let p = n && n.nodeType === 3 ? n.parentNode : n; p; p = p.parentNode || p.host) if (p.nodeType === 1 && (protectedFields.has(p) || isProtected(p))) return true;
    return false;
  };
  const path = e.composedPath();
  if (hidden(path[0])) return true;
  const active = deepActive();
  if (active && (hidden(active) || (active.localName.includes('-') && !shadowOf(active) && !active.isContentEditable))) return true;
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed || !textsProtected) return false;
  for (let i = 0; i < selection.rangeCount; i++) {
    const range = selection.getRangeAt(i);
    if (hidden(range.startContainer) || hidden(range.endContainer)) return true;
    const around = range.commonAncestorContainer;
    if (around.nodeType === 1 && Array.from(around.querySelectorAll('[contenteditable]')).some((el) => protectedFields.has(el) && range.intersectsNode(el))) return true;
  }
  return false;
}

/** The field that an edit is about. */
function editedBy(e) {
  const el = e.composedPath()[0];
  const at = el && el.nodeType === 3 ? el.parentElement : el;
  if (!(at instanceof Element)) return null;
  return at.isContentEditable ? editingHost(at) : at;
}

function holdsNothing(el) {
  return !(el.value === undefined ? (el.textContent || '').trim() : el.value);
}

/** Whether the next edit replaces all that a field holds. */
function selectsAll(el) {
  if (el.value === undefined) {
    const selection = document.getSelection();
    return !!selection && !selection.isCollapsed && selection.toString().trim() === (el.innerText || '').trim();
  }
  try {
    return el.selectionStart === 0 && el.selectionEnd === el.value.length;
  } catch {
    return false;
  }
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
      if (!carriesProtected(e)) return;
      e.preventDefault();
      e.stopImmediatePropagation();
    }, { capture: true });
  }
  // Under X11 a middle click pastes what is selected, also in a password field, and no copy is announced.
  let middle = -Infinity;
  for (const way of ['mousedown', 'mouseup', 'auxclick']) globalThis.addEventListener(way, (e) => { if (e.button === 1) middle = performance.now(); }, { capture: true, passive: true });
  globalThis.addEventListener('paste', (e) => {
    if (performance.now() - middle > 1000) return;
    e.preventDefault();
    e.stopImmediatePropagation();
  }, { capture: true });
  // A part of a secret, or a secret with a letter more, is none that can be recognised: it is replaced as a whole or not at all.
  globalThis.addEventListener('beforeinput', (e) => {
    const el = editedBy(e);
    if (!el || !secretFields.has(el)) return;
    if (holdsNothing(el)) {
      secretFields.delete(el);
      return;
    }
    if (selectsAll(el) && !/^history/.test(e.inputType)) return;
    e.preventDefault();
    e.stopImmediatePropagation();
  }, { capture: true });
  // A click on a file input, the person's or the page's own, is followed by a file dialog; one on a link that downloads, by a
  // download that no navigation announces.
  globalThis.addEventListener('click', (e) => {
    const path = e.composedPath();
    const el = path[0];
    if (el instanceof Element && el.localName === 'input' && el.type === 'file') fileInputClicked = true;
    if (path.some((n) => n instanceof Element && n.localName === 'a' && n.hasAttribute('download') && n.hasAttribute('href'))) downloadClicked = e;
  }, { capture: true, passive: true });
}
