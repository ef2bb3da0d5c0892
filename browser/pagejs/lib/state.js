/** @param {Element} el */
function checkedState(el, role) {
  if (el.localName === 'input' && (el.type === 'checkbox' || el.type === 'radio')) return el.indeterminate && el.type === 'checkbox' ? 'mixed' : el.checked;
  if (role === 'checkbox' || role === 'radio' || role === 'switch' || role === 'menuitemcheckbox' || role === 'menuitemradio' || role === 'option' || role === 'treeitem') {
    const v = el.getAttribute('aria-checked');
    if (v === 'true') return true;
    if (v === 'mixed') return 'mixed';
    if (v === 'false') return false;
    return role === 'option' || role === 'treeitem' ? undefined : false;
  }
  return undefined;
}

const formTags = new Set(['button', 'input', 'select', 'textarea', 'option', 'optgroup', 'fieldset']);

function isDisabled(el) {
  if (formTags.has(el.localName) || el.localName.includes('-')) {
    if (el.matches(':disabled')) return true;
  }
  if (el.getAttribute('aria-disabled') === 'true') return true;
  const holder = el.closest('[aria-disabled="true"]');
  return !!holder && holder !== el && actableRoles.has(roleOf(el));
}

/** Types of input whose value is a moment in ISO form. */
const momentTypes = new Set(['date', 'time', 'datetime-local', 'month', 'week']);

/**
 * The value of a control as a person reads it, 'filled' for a protected field that is not empty, null where there is none.
 * @param {Element} el
 */
function valueOf(el, role) {
  const tag = el.localName;
  if (tag === 'input') {
    const type = el.type;
    if (type === 'checkbox' || type === 'radio' || type === 'button' || type === 'submit' || type === 'reset' || type === 'image' || type === 'hidden') return null;
    if (isProtected(el)) return el.value ? 'filled' : '';
    if (type === 'file') return Array.from(el.files || [], (f) => f.name).join(', ');
    return el.value;
  }
  if (tag === 'textarea') return isProtected(el) ? (el.value ? 'filled' : '') : el.value;
  if (tag === 'select') {
    if (isProtected(el)) return el.value ? 'filled' : '';
    return Array.from(el.selectedOptions, (o) => squeeze(o.label || o.text)).join(', ');
  }
  if (tag === 'progress') return el.hasAttribute('value') ? String(el.value) : null;
  if (tag === 'meter') return String(el.value);
  if (hostOfEditing(el) || role === 'textbox' || role === 'searchbox') {
    const text = el.innerText === undefined ? el.textContent : el.innerText;
    if (protectedFields.has(el)) return text.trim() ? 'filled' : '';
    return text.trim();
  }
  if (role === 'slider' || role === 'spinbutton' || role === 'scrollbar' || role === 'progressbar' || role === 'meter') {
    return el.getAttribute('aria-valuetext') || el.getAttribute('aria-valuenow');
  }
  if (role === 'combobox' && !el.querySelector('input')) return squeeze(textOf(el));
  return null;
}

/** @returns {boolean|undefined} */
function expandedState(el) {
  if (el.localName === 'summary' && el.parentElement && el.parentElement.localName === 'details') return el.parentElement.open;
  const v = el.getAttribute('aria-expanded');
  return v === 'true' ? true : v === 'false' ? false : undefined;
}

function isReadonly(el) {
  return ((el.localName === 'input' || el.localName === 'textarea') && el.readOnly) || el.getAttribute('aria-readonly') === 'true';
}

/**
 * A text of at most max characters. Of what is cut off some is kept between marks, so that values are found whole; all that becomes
 * an ellipsis when it leaves.
 */
function cut(text, max) {
  if (text.length <= max) return text;
  let end = max - 1;
  if (text.includes(cutOpen)) {
    // What was cut before counts as one character.
    let at = 0;
    let shown = 0;
    for (; at < text.length && shown <= max; shown++) {
      if (shown === max - 1) end = at;
      if (text.startsWith(cutOpen, at)) {
        const shut = text.indexOf(cutShut, at);
        at = shut < 0 ? text.length : shut + cutShut.length;
      } else {
        at++;
      }
    }
    if (shown <= max && at >= text.length) return text;
  }
  // Not in the middle of a pair of code units.
  if (/[\ud800-\udbff]/.test(text[end - 1])) end--;
  return text.slice(0, end) + cutOff(text.slice(end).replaceAll(cutOpen, '').replaceAll(cutShut, '').slice(0, cutKept));
}

/** What was cut off, as a text carries it. */
function cutOff(text) {
  return cutOpen + text + cutShut;
}

/** The part of a text from one place to another, with marks where it was cut. */
function cutAround(text, from, to) {
  const before = from > 0 ? cutOff(text.slice(Math.max(0, from - cutKept), from)) : '';
  return before + text.slice(from, to) + (to < text.length ? cutOff(text.slice(to, to + cutKept)) : '');
}

/** The states worth telling, as "[disabled] [checked]…". Only what differs from the usual is said. */
function stateMarks(el, role) {
  let s = '';
  const checked = checkedState(el, role);
  if (checked) s += checked === 'mixed' ? ' [checked=mixed]' : ' [checked]';
  const form = formTags.has(el.localName);
  if (form ? el.matches(':disabled') || el.getAttribute('aria-disabled') === 'true' : el.getAttribute('aria-disabled') === 'true') s += ' [disabled]';
  if (!el.hasAttributes()) return s;
  const expanded = expandedState(el);
  if (expanded !== undefined) s += expanded ? ' [expanded]' : ' [collapsed]';
  if (el.getAttribute('aria-selected') === 'true' || (el.localName === 'option' && el.selected)) s += ' [selected]';
  const pressed = el.getAttribute('aria-pressed');
  if (pressed === 'true' || pressed === 'mixed') s += pressed === 'mixed' ? ' [pressed=mixed]' : ' [pressed]';
  const current = el.getAttribute('aria-current');
  if (current && current !== 'false') s += current === 'true' ? ' [current]' : ` [current=${cut(current, 20)}]`;
  if (form) {
    if (el.required) s += ' [required]';
    if (isReadonly(el)) s += ' [readonly]';
  } else if (el.getAttribute('aria-required') === 'true') s += ' [required]';
  const invalid = el.getAttribute('aria-invalid');
  if (invalid && invalid !== 'false') s += ' [invalid]';
  return s;
}
