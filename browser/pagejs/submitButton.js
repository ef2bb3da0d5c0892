/**
 * The button that submits the form of a field, as Enter would find it.
 * @param {{ref: number, next: number}} args
 * @returns {{ref: number, next: number}} ref 0 where there is none
 */
function submitButton(args) {
  const refs = lend(args);
  const el = refElement(args.ref);
  const form = el.form || el.closest('form');
  const buttons = form ? Array.from(form.elements).filter((b) => (b.localName === 'button' && b.type === 'submit') || (b.localName === 'input' && /^(submit|image)$/.test(b.type))) : [];
  const button = buttons.find((b) => visible(b) && !isDisabled(b));
  return { ref: button ? refNumber(button, refs) : 0, next: refs.next };
}
