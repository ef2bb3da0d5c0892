// What an action is watched for: from just before it until its consequences have settled. The Go side numbers the actions, so
// that a watch that nobody ended is not taken for the next one's.

/**
 * @typedef {object} Watch
 * @property {number} id
 * @property {MutationRecord[]} records
 * @property {MutationObserver} observer
 * @property {Element|null} active what had the focus
 * @property {Element|null} pressed what the mouse was really pressed on
 * @property {string[]|null} lines of the page before, for a diff
 * @property {{x: number, y: number}|null} point where the mouse goes
 * @property {string} hit what is there
 * @property {Map<Element, Before>} before
 * @property {boolean} released whether the mouse was let go
 * @property {{x: number, y: number}|null} mouse where it was last
 * @property {() => void} wake called on either
 */
/** @typedef {{value: string|null, row: string, owner: Element|null, ownerText: string, x: number, y: number}} Before */

/** @type {Watch|null} */
let watch = null;

/** Whether an agent has been shown the whole page, so that what it has not been told of is new. */
let toldWhole = false;

/** Shadow roots that the page code has come across. @type {Set<ShadowRoot>} */
const knownRoots = new Set();

const watchedAttributes = ['class', 'style', 'hidden', 'open', 'disabled', 'aria-expanded', 'aria-hidden', 'aria-checked', 'aria-selected', 'aria-pressed',
  'aria-invalid', 'aria-busy', 'aria-disabled', 'aria-label', 'aria-current', 'aria-valuenow', 'aria-valuetext', 'inert', 'src', 'alt'];

const watchedChanges = { subtree: true, childList: true, characterData: true, attributes: true, attributeOldValue: true, attributeFilter: watchedAttributes };

/** How many changes are kept; a page that changes more is read as a whole. */
const mostRecords = 20000;

/**
 * Begins to note what changes, unless this action's watch has begun.
 * @param {{watch?: number, mode?: string, testAttributes?: string[], next?: number}} args
 * @param {{next: number}} [refs]
 */
function beginWatch(args, refs) {
  if (!args.watch || (watch && watch.id === args.watch)) return;
  endWatch();
  const records = [];
  const observer = new MutationObserver((list) => { if (records.length < mostRecords) for (const r of list) records.push(r); });
  observer.observe(document, watchedChanges);
  for (const root of knownRoots) {
    if (root.isConnected) observer.observe(root, watchedChanges);
    else knownRoots.delete(root);
  }
  watch = { id: args.watch, records, observer, active: deepActive(), pressed: null, lines: null, point: null, hit: '', before: new Map(), released: false, mouse: null, wake: () => {} };
  if (args.mode === 'tree_diff' && refs) watch.lines = linesOf(args, refs);
  for (const [type, note] of mouseNotes()) globalThis.addEventListener(type, note, { capture: true, passive: true });
}

/** Ends a watch. @returns {Watch|null} the one that ended, with all its records */
function endWatch() {
  if (!watch) return null;
  const ended = watch;
  watch = null;
  ended.records.push(...ended.observer.takeRecords().slice(0, mostRecords));
  ended.observer.disconnect();
  for (const [type, note] of mouseNotes()) globalThis.removeEventListener(type, note, { capture: true });
  return ended;
}

function mouseNotes() {
  return [['mousedown', notePressed], ['mouseup', noteReleased], ['mousemove', noteMoved]];
}

function notePressed(e) {
  if (watch && e.isTrusted && !watch.pressed) watch.pressed = e.composedPath()[0];
}

function noteReleased(e) {
  if (!watch || !e.isTrusted) return;
  watch.released = true;
  watch.wake();
}

function noteMoved(e) {
  if (!watch || !e.isTrusted) return;
  watch.mouse = { x: e.clientX, y: e.clientY };
  watch.wake();
}

/** Keeps how an element stands before the action. */
function noteBefore(el, point) {
  if (!watch) return;
  const scope = el.getRootNode();
  if (scope.nodeType === 11 && !knownRoots.has(scope)) {
    knownRoots.add(scope);
    watch.observer.observe(scope, watchedChanges);
  }
  if (point) {
    const hit = deepElementAt(point.x, point.y);
    watch.point = point;
    watch.hit = hit ? brief(hit) : '';
  }
  if (watch.before.has(el)) return;
  const row = rowOf(el);
  const owner = ownerOf(el);
  watch.before.set(el, { value: rawValue(el), row: row ? rowWords(row) : '', owner, ownerText: owner ? shownText(owner) : '', x: Math.round(scrollX), y: Math.round(scrollY) });
}

/** What a field really holds; for comparisons inside the page, never to be told. */
function rawValue(el) {
  if ('value' in el && typeof el.value === 'string') return el.value;
  return el.isContentEditable ? squeeze(el.innerText || el.textContent || '') : null;
}

/** @returns {Element|null} the row or item that an element stands in */
function rowOf(el) {
  const row = el.closest('tr,[role=row],li,[role=listitem]');
  return row === el ? null : row;
}

const popupRoles = new Set(['option', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'treeitem']);

/** @returns {Element|null} the control that a list, a menu or another popup with this element belongs to */
function ownerOf(el) {
  if (el.localName === 'option') return el.closest('select');
  const role = roleOf(el);
  const ofPopup = popupRoles.has(role);
  if (!ofPopup && role !== 'gridcell' && role !== 'button' && role !== 'link' && role !== '' && role !== 'listitem' && role !== 'cell') return null;
  const scope = el.getRootNode();
  for (let p = el, steps = 0; p && p.nodeType === 1 && steps < 12; p = p.parentNode, steps++) {
    if (!p.id) continue;
    const id = CSS.escape(p.id);
    const owner = scope.querySelector(`[aria-controls~="${id}"],[aria-owns~="${id}"]`);
    if (owner && !owner.contains(el) && owner.getAttribute('role') !== 'tab') return owner;
  }
  if (!ofPopup) return null;
  return scope.querySelector('[role=combobox][aria-expanded=true],[aria-haspopup][aria-expanded=true]');
}

/** What a control shows to a person. */
function shownText(el) {
  const value = valueOf(el, roleOf(el));
  return cut(value !== null ? value : squeeze(textOf(el)), 120);
}
