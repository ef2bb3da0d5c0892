/**
 * Ends the watch of an action. It tells what came, what went, what the changed parts of the page read now, and what has become
 * of the elements that the action was about.
 * @param {{watch: number, next: number, mode: string, maxBytes: number, most: number, testAttributes?: string[], fields?: {ref: number, requested?: string}[]}} args
 */
function observeEnd(args) {
  const refs = lend(args);
  const ended = watch && watch.id === args.watch ? endWatch() : null;
  const elements = (args.fields || []).map((f) => elementAfter(f, ended, refs));
  const out = { changed: false, appeared: [], removed: [], tree: '', scope: 0, truncated: false, elements, next: refs.next };
  if (!ended) return out;
  const { roots, appeared, removed } = changesOf(ended, args, refs);
  out.appeared = appeared.map(({ el, ...rest }) => rest);
  out.removed = removed;
  out.changed = roots.length + appeared.length + removed.length > 0;
  if (ended.lines) {
    out.tree = diffLines(ended.lines, linesOf(args, refs));
    out.changed = out.changed || out.tree !== '';
  } else if (out.changed && args.mode !== 'none') {
    const parts = args.mode === 'full' ? [document.body || document.documentElement] : readableParts(roots);
    if (parts.length) {
      const picture = snapshot({ next: refs.next, parts, maxBytes: args.maxBytes, testAttributes: args.testAttributes });
      refs.next = picture.next;
      out.tree = picture.text;
      out.truncated = picture.stopped;
      if (parts.length === 1 && !Array.isArray(parts[0]) && parts[0] !== document.body && parts[0] !== document.documentElement) out.scope = refNumber(parts[0], refs);
    }
  }
  out.next = refs.next;
  return out;
}

/** What is really in the page after the action, of one of its elements. */
function elementAfter(field, ended, refs) {
  const weak = refElements.get(field.ref);
  const el = weak && weak.deref();
  if (!el || !el.isConnected) return { ref: field.ref, stillAttached: false, focused: false };
  const state = fieldState(el, refs, field.requested);
  const view = newView();
  state.role = cachedRole(el, view) || el.localName;
  state.name = cut(nameOf(el, view), 200);
  const before = ended && ended.before.get(el);
  if (field.requested !== undefined) state.kept = keptValue(el, field.requested, before);
  if (!before) return state;
  if (state.container) state.container.changed = state.container.rowText !== cut(before.row, 120);
  if (before.owner && before.owner.isConnected) {
    const now = shownText(before.owner);
    state.ownerControl = { label: cut(nameOf(before.owner, view), 120), displayTextBefore: before.ownerText, displayTextAfter: now, changed: now !== before.ownerText };
  }
  if (ended.point) {
    const pressed = ended.pressed && ended.pressed.nodeType === 1 && ended.pressed.isConnected ? brief(ended.pressed) : ended.hit;
    const there = deepElementAt(ended.point.x, ended.point.y);
    state.hit = { before: pressed, after: there ? brief(there) : '', focusChanged: deepActive() !== ended.active };
  }
  if (state.displayText === state.name) delete state.displayText;
  const x = Math.round(scrollX), y = Math.round(scrollY);
  if (x !== before.x || y !== before.y) state.scroll = { x, y };
  return state;
}

/** Whether a field holds what was put into it: 'yes', 'old' when it holds what it held before, 'other' else. */
function keptValue(el, requested, before) {
  const holds = el.localName === 'select' ? Array.from(el.selectedOptions, (o) => squeeze(o.label || o.text)).join(', ') === requested : holdsValue(el, requested);
  if (holds) return 'yes';
  return before && before.value !== null && rawValue(el) === before.value ? 'old' : 'other';
}
