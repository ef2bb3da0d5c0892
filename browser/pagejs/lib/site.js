// Where a secret may go.

/**
 * The site of this frame as a scope names it. Frames without an origin to name (about:blank, srcdoc, data:, sandboxed ones) have
 * none.
 * @returns {string}
 */
function siteOf() {
  if (globalThis.origin === 'null' || !location.host) return '';
  return `${location.protocol}//${location.hostname.replace(/\.$/, '')}${location.port ? ':' + location.port : ''}`;
}

/**
 * Fails unless a secret may come into this frame.
 * @param {{sites: string[]|null}} secret sites: null for anywhere
 */
function checkSite(secret) {
  const site = siteOf();
  if (secret.sites && !(site && secret.sites.includes(site))) fail('wrong-origin', site ? `the field is in a frame of ${site}` : 'the field is in a frame that has no origin to name', { site });
}

/**
 * Fails unless a secret may be typed into this frame, and notes that the field holds one from now on. What follows in the same
 * task can happen in no other document.
 * @param {Element} el
 * @param {{sites: string[]|null}} secret
 */
function receiveSecret(el, secret) {
  checkSite(secret);
  protectedFields.add(el);
  secretFields.add(el);
  if (!formTags.has(el.localName)) textsProtected = true;
}
