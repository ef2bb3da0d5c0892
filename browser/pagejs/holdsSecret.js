/**
 * Whether a field holds a secret. The value comes into a frame of one of its sites only, and nothing but yes or no leaves.
 * @param {{ref: number, value: string, secret: {sites: string[]|null}}} args
 * @returns {{equal: boolean, next: number}}
 */
function holdsSecret(args) {
  const el = refElement(args.ref);
  checkSite(args.secret);
  const now = rawValue(el);
  if (now === null) fail('not-editable', `${describe(el)} is not a field that holds a value`, {});
  const value = args.value.replace(/\r\n?/g, '\n');
  const field = el.localName === 'input' || el.localName === 'textarea' || el.localName === 'select';
  return { equal: field ? now === value || (el.localName === 'input' && now === value.replace(/\n/g, '')) : now === squeeze(value), next: args.next };
}
