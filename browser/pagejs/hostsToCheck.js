/** The elements of which the last snapshot could not tell whether they have a closed shadow root. Each is offered once. */
function hostsToCheck() {
  const hosts = possibleHosts;
  possibleHosts = [];
  for (const h of hosts) rootless.add(h);
  return hosts;
}
