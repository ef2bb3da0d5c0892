/**
 * Chooses options of a native menu, by value, label or position (#0 is the first).
 * @param {{ref?: number, selector?: string, contextRef?: number, values: string[], next: number, limit: number}} args
 */
async function selectOptions(args) {
  const refs = lend(args);
  beginWatch(args, refs);
  let { el, matched } = await actable(args, { limit: args.limit, enabled: true, control: true, still: false });
  if (el.localName === 'option') el = el.closest('select') || el;
  if (el.localName !== 'select') fail('not-editable', `${describe(el)} is not a native menu: use choose_option`, {});
  if (args.values.length > 1 && !el.multiple) fail('bad-value', `${describe(el)} takes one option only`, {});
  noteBefore(el, null);
  const options = Array.from(el.options);
  const chosen = args.values.map((wanted) => optionFor(el, options, wanted));
  el.focus();
  const set = new Set(chosen);
  let changed = false;
  for (const o of options) {
    const on = set.has(o);
    if (o.selected !== on) {
      if (el.multiple || on) o.selected = on;
      changed = true;
    }
  }
  if (changed) {
    el.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    el.dispatchEvent(new Event('change', { bubbles: true }));
  }
  await turn();
  await turn();
  return { ref: refNumber(el, refs), matched, role: roleOf(el), name: nameOf(el, newView()), chosen: chosen.map((o) => squeeze(o.label || o.text)).join(', '), next: refs.next };
}

function optionFor(el, options, wanted) {
  const at = /^#(\d+)$/.exec(wanted);
  const words = squeeze(wanted);
  const low = words.toLowerCase();
  const label = (o) => squeeze(o.label || o.text);
  const found = options.find((o) => o.value === wanted) || options.find((o) => label(o) === words) || (at && options[Number(at[1])]) ||
    options.find((o) => label(o).toLowerCase() === low);
  if (!found) fail('no-option', `${describe(el)} has no option ${JSON.stringify(cut(wanted, 80))}; it has ${options.slice(0, 30).map((o) => JSON.stringify(label(o))).join(', ')}`, {});
  if (found.disabled || (found.parentElement.localName === 'optgroup' && found.parentElement.disabled)) fail('not-enabled', `the option ${JSON.stringify(label(found))} is disabled`, {});
  return found;
}
