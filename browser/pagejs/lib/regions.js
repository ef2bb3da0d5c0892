// What comes and goes in the page while it is watched, apart from any action. Several watches may run at once.

/** Roles of which it is told that they came or went. */
const regionRoles = new Set(('alert status log dialog alertdialog tooltip progressbar menu listbox tree grid table region form navigation banner main complementary contentinfo search article ' +
  'tabpanel list heading link button textbox searchbox combobox checkbox radio switch slider spinbutton option menuitem row img').split(' '));
const spokenRoles = new Set(['alert', 'status', 'log', 'tooltip', 'dialog', 'alertdialog', 'progressbar', 'row']);

/**
 * @typedef {object} Sampling
 * @property {MutationObserver} observer
 * @property {boolean} dirty
 * @property {number} began
 * @property {Map<Element, {role: string, name: string, el: Element, since: number|null}>} there
 * @property {{role: string, name: string, el: Element, from: number|null, to: number|null}[]} past
 * @property {boolean} looking
 */

/** @type {Map<number, Sampling>} */
const samplings = new Map();

/** How many elements one look takes in. */
const mostLooked = 6000;

function lookRegions() {
  const found = new Map();
  const view = newView();
  let looked = 0;
  const walk = (el) => {
    if (looked > mostLooked || unseenTags.has(el.localName)) return;
    looked++;
    const how = seen(el);
    if (how === NONE) return;
    const role = how === SHOWN ? cachedRole(el, view) : '';
    if (role && regionRoles.has(role)) {
      let name = nameOf(el, view);
      if (!name && spokenRoles.has(role)) name = (role === 'row' ? rowWords(el) : spacedWords(el)).slice(0, longText);
      if (name || !quietRoles.has(role)) found.set(el, { role, name });
    }
    eachFlatChild(el, (c) => { if (c.nodeType === 1) walk(c); });
  };
  if (document.body) walk(document.body);
  return { found, more: looked > mostLooked };
}

/** Compares what is there with what was. */
function sampleRegions(s) {
  s.dirty = false;
  const now = performance.now() - s.began;
  const { found, more } = lookRegions();
  s.more = s.more || more;
  const gone = [], come = [];
  for (const [el, was] of s.there) {
    const is = found.get(el);
    // What says something else now, says it as something new.
    if (is && is.role === was.role && (is.name === was.name || !spokenRoles.has(is.role))) continue;
    s.there.delete(el);
    gone.push(was);
  }
  for (const [el, is] of found) {
    if (s.there.has(el)) continue;
    come.push({ ...is, el, from: now });
  }
  for (const c of come) {
    // What a page draws anew neither came nor went.
    const i = gone.findIndex((g) => g.role === c.role && g.name === c.name);
    if (i >= 0) c.from = gone.splice(i, 1)[0].from;
    s.there.set(c.el, c);
  }
  for (const g of gone) if (s.past.length < 500) s.past.push({ ...g, to: now });
}
