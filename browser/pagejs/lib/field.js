/**
 * The element part of an ActionResult: what is really in the page.
 * @param {Element} el
 * @param {{next: number}} refs
 * @param {string} [requested]
 */
function fieldState(el, refs, requested) {
  const role = roleOf(el);
  const view = newView();
  const state = { ref: refNumber(el, refs), stillAttached: el.isConnected, focused: deepActive() === el };
  if (!el.isConnected) return state;
  const value = valueOf(el, role);
  if (value !== null) {
    state.value = value;
    if (requested !== undefined && !isProtected(el)) state.valueRequested = requested;
  }
  const words = el.localName === 'select' || value !== null ? null : cut(ownWords(el), 120);
  if (words) state.displayText = words;
  const checked = checkedState(el, role);
  if (checked !== undefined) state.checked = checked;
  const expanded = expandedState(el);
  if (expanded !== undefined) state.expanded = expanded;
  const row = rowOf(el);
  if (row) state.container = { kind: row.localName === 'tr' || row.getAttribute('role') === 'row' ? 'row' : 'item', rowKey: rowKey(row), rowText: cut(rowWords(row), 120) };
  return state;
}

/** The text of a row without what its fields hold. */
function rowWords(row) {
  return squeeze(row.innerText === undefined ? textOf(row) : row.innerText);
}

/** What tells a row from the others: its header, or its first cell with words. */
function rowKey(row) {
  const head = row.querySelector('th,[role=rowheader]');
  if (head && head.textContent.trim()) return cut(squeeze(textOf(head)), 60);
  for (const cell of row.querySelectorAll('td,[role=cell],[role=gridcell]')) {
    const words = squeeze(textOf(cell));
    if (words) return cut(words, 60);
  }
  return cut(squeeze(textOf(row)), 60);
}
