/** @type {{records: MutationRecord[], observer: MutationObserver, active: Element|null}|null} */
let watch = null;

const watchedAttributes = ['class', 'style', 'hidden', 'open', 'disabled', 'value', 'checked', 'aria-expanded', 'aria-hidden', 'aria-checked', 'aria-selected', 'aria-pressed', 'aria-invalid', 'aria-busy', 'aria-disabled', 'aria-label'];

/** Begins to note what changes in the page. @param {object} args */
function observeStart(args) {
  if (watch) watch.observer.disconnect();
  const records = [];
  const observer = new MutationObserver((list) => { if (records.length < 20000) records.push(...list); });
  const what = { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: watchedAttributes };
  observer.observe(document, what);
  // Shadow roots are looked for where that costs little.
  if (document.getElementsByTagName('*').length < 5000) for (const scope of scopesBelow(document)) if (scope !== document) observer.observe(scope, what);
  watch = { records, observer, active: deepActive(), url: location.href };
  return null;
}
