const untypable = { checkbox: 'click', radio: 'click', button: 'click', submit: 'click', reset: 'click', image: 'click', file: 'upload_file', hidden: '' };
const momentForms = { date: 'YYYY-MM-DD', time: 'HH:MM', 'datetime-local': 'YYYY-MM-DDTHH:MM', month: 'YYYY-MM', week: 'YYYY-Www' };

/**
 * Puts a value into a field, in place of what it holds, the way typing does. A secret goes only into a frame of one of its
 * sites, and its field never shows its value again; with dry a secret is not handed over at all.
 * @param {{ref?: number, selector?: string, contextRef?: number, value?: string, dry?: boolean, secret?: {sites: string[]|null}, next: number, limit: number}} args
 */
async function fill(args) {
  const refs = lend(args);
  beginWatch(args, refs);
  const { el, matched } = await actable(args, { limit: args.limit, enabled: true, editable: true, control: true, still: false });
  noteBefore(el, null);
  checkFillable(el, args.value);
  let kept = true;
  if (!args.dry) {
    if (args.secret) receiveSecret(el, args.secret);
    else secretFields.delete(el);
    await enterValue(el, args.value);
    if (args.secret) kept = holdsValue(el, args.value);
  }
  const view = newView();
  return { ref: refNumber(el, refs), matched, role: cachedRole(el, view), name: cut(nameOf(el, view), 200), protected: isProtected(el), site: siteOf(), kept, next: refs.next };
}

/** Says why a field cannot take a value, before anything is typed. Of a secret that is not here yet only the field is looked at. */
function checkFillable(el, value) {
  if (el.localName === 'select') fail('not-editable', `${describe(el)} is a menu: use select`, {});
  if (el.localName === 'input') {
    const way = untypable[el.type];
    if (way !== undefined) fail('not-editable', `${describe(el)} takes no text${way ? ': use ' + way : ''}`, {});
    if (value === undefined) return;
    if (momentForms[el.type] && value !== '') {
      const probe = document.createElement('input');
      probe.type = el.type;
      probe.value = value;
      if (!probe.value) fail('bad-value', `${describe(el)} wants a ${el.type} in the form ${momentForms[el.type]}`, {});
    }
    if (el.type === 'number' && value !== '' && !Number.isFinite(Number(value))) fail('bad-value', `${describe(el)} wants a number`, {});
    if (el.type === 'color' && !/^#[0-9a-f]{6}$/i.test(value)) fail('bad-value', `${describe(el)} wants a colour in the form #rrggbb`, {});
    if (el.type === 'range' && !Number.isFinite(Number(value))) fail('bad-value', `${describe(el)} wants a number`, {});
  } else if (el.localName !== 'textarea' && !hostOfEditing(el)) {
    fail('not-editable', `${describe(el)} is not a field that takes text`, {});
  }
  if (value === undefined) return;
  const longest = el.maxLength;
  if (longest >= 0 && value.length > longest) fail('bad-value', `${describe(el)} takes at most ${longest} characters`, {});
}

async function enterValue(el, value) {
  const setOutright = el.localName === 'input' && (momentForms[el.type] || el.type === 'color' || el.type === 'range');
  el.focus({ preventScroll: false });
  if (setOutright) {
    if (el.value !== value) {
      el.value = value;
      el.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
      el.dispatchEvent(new Event('change', { bubbles: true }));
    }
    await turn();
    return;
  }
  const field = el.localName === 'input' || el.localName === 'textarea';
  if (field) {
    if (el.value === value) return;
    el.select();
  } else {
    const selection = el.ownerDocument.getSelection();
    selection.selectAllChildren(el);
  }
  // As an edit of the person's it is one trusted input event, and the page's own undo knows it. It goes to whatever has the
  // focus, which a page may have moved on when the field got it.
  const there = deepActive();
  const has = there === el || (!field && !!there && there.contains(el));
  const done = has && (value === '' ? document.execCommand('delete') : document.execCommand('insertText', false, value));
  const now = field ? el.value : squeeze(el.innerText || el.textContent || '');
  const wanted = field ? value.replace(/\r\n?/g, '\n') : squeeze(value);
  if (!done && now !== wanted) {
    // Not in a field that the page keeps from being edited in this way (an element without a frame's focus, for one).
    if (field) el.value = value;
    else el.textContent = value;
    el.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true, data: value, inputType: 'insertText' }));
  }
  if (field) el.dispatchEvent(new Event('change', { bubbles: true }));
  await turn();
  await turn();
}

/** Whether a field holds a value, as far as its kind can. */
function holdsValue(el, value) {
  const field = el.localName === 'input' || el.localName === 'textarea';
  const now = rawValue(el) || '';
  if (el.type === 'number' || el.type === 'range') return Number(now) === Number(value) && (now === '') === (value === '');
  if (el.type === 'color') return now.toLowerCase() === value.toLowerCase();
  if (momentForms[el.type]) return now === value || now.startsWith(value) || value.startsWith(now) && now !== '';
  if (!field) return now === squeeze(value);
  return now === value.replace(/\r\n?/g, '\n') || (el.localName === 'input' && now === value.replace(/[\r\n]/g, ''));
}
