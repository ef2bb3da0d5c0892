// Hosts that may have a closed shadow root. Page code cannot look into one; the Go side can, and hands the roots over.

/** @type {Element[]} */
let possibleHosts = [];

/** Keeps the hosts for hostsToCheck. @returns {number} how many there are */
function keepHosts(hosts) {
  const unique = [...new Set(hosts)].filter((h) => !rootless.has(h) && !shadowOf(h));
  const custom = unique.filter((h) => h.localName.includes('-'));
  const others = unique.filter((h) => !h.localName.includes('-')).slice(0, 20);
  possibleHosts = custom.slice(0, 80).concat(others);
  return possibleHosts.length;
}
