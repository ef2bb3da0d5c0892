/**
 * Waits until something is in the page, or is gone.
 * @param {{ref?: number, selector?: string, contextRef?: number, text?: string, gone?: boolean, limit: number, next: number}} args
 * @returns {Promise<{met: boolean, ref: number, next: number}>}
 */
async function waitFor(args) {
  const refs = lend(args);
  const until = performance.now() + args.limit;
  let wake = () => {};
  const observer = new MutationObserver(() => wake());
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  try {
    for (;;) {
      const el = present(args);
      if (!!el !== !!args.gone) return { met: true, ref: el ? refNumber(el, refs) : 0, next: refs.next };
      const left = until - performance.now();
      if (left <= 0) return { met: false, ref: el ? refNumber(el, refs) : 0, next: refs.next };
      await Promise.race([new Promise((r) => { wake = r; }), pause(Math.min(left, 100))]);
    }
  } finally {
    observer.disconnect();
  }
}

function present(args) {
  if (args.text !== undefined) {
    const body = document.body || document.documentElement;
    if (!body) return null;
    for (const el of textStep(squeeze(args.text), 'text=')(document)) if (visible(el)) return el;
    return null;
  }
  if (args.ref) {
    const weak = refElements.get(args.ref);
    const el = weak && weak.deref();
    return el && el.isConnected && visible(el) ? el : null;
  }
  const found = locate(args);
  return found && visible(found.el) ? found.el : null;
}
