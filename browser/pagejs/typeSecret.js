/**
 * Types a secret where the focus is, as keys would: into the field itself, or one character after the other where fields take
 * one each and the page moves the focus on. Before each the frame's site is looked at.
 * @param {{ref: number, value: string, secret: {sites: string[]|null}, next: number}} args
 */
async function typeSecret(args) {
  const refs = lend(args);
  const first = refElement(args.ref);
  const beginning = deepActive();
  if (beginning !== first) fail('not-editable', 'the focus has gone elsewhere; give the field as the target', {});
  if (!takesKeys(first)) fail('not-editable', `${describe(first)} has the focus and takes no text; give the field as the target`, {});
  const taken = (el) => secretFields.has(el) && !holdsNothing(el) && !selectsAll(el);
  if (taken(first)) fail('bad-value', `${describe(first)} holds a secret already; fill puts another in its place`, {});
  const room = (el) => (el.maxLength >= 0 ? el.maxLength - el.value.length + (el.selectionEnd - el.selectionStart || 0) : Infinity);
  const done = { ref: refNumber(first, refs), next: refs.next };
  if (room(first) >= args.value.length) {
    receiveSecret(first, args.secret);
    document.execCommand('insertText', false, args.value);
    await turn();
    return done;
  }
  let n = 0;
  for (const ch of args.value) {
    const el = deepActive();
    if (!el || !takesKeys(el) || room(el) < ch.length) fail('bad-value', `the fields took only ${n} characters of it`, {});
    receiveSecret(el, args.secret);
    document.execCommand('insertText', false, ch);
    n++;
    await turn();
    await turn();
  }
  return done;
}
