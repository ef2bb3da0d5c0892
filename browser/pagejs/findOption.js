/**
 * Looks for an option of an open list that belongs to a control.
 * @param {{ref: number, option: string, next: number}} args
 * @returns {{ref: number, seen: string[], next: number, value: string}} ref 0 when it is not there
 */
function findOption(args) {
  const refs = lend(args);
  const el = refElement(args.ref);
  const input = controlOf(el);
  const scopes = [];
  for (const holder of [el, input]) {
    for (const attribute of ['aria-controls', 'aria-owns']) {
      for (const id of (holder.getAttribute(attribute) || '').split(/\s+/)) {
        const list = id && holder.getRootNode().getElementById && holder.getRootNode().getElementById(id);
        if (list) scopes.push(list);
      }
    }
  }
  let options = [];
  for (const scope of scopes) options.push(...queryAll('[role=option],[role=menuitem],[role=menuitemradio],[role=treeitem],li,option', scope));
  options = options.filter(visible);
  if (!options.length) options = queryAll('[role=option],[role=menuitem],[role=menuitemradio],[role=treeitem],[role=listbox] li', document).filter(visible);
  const words = squeeze(args.option), low = words.toLowerCase();
  const say = (o) => nameOf(o, newView()) || ownWords(o);
  const found = options.find((o) => say(o) === words) || options.find((o) => say(o).toLowerCase() === low) ||
    (options.filter((o) => say(o).toLowerCase().includes(low)).length === 1 ? options.find((o) => say(o).toLowerCase().includes(low)) : null);
  return { ref: found ? refNumber(found, refs) : 0, chosen: found ? say(found) : '', seen: options.slice(0, 20).map((o) => cut(say(o), 60)), next: refs.next };
}
