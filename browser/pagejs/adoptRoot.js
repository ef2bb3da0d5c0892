/**
 * Makes a closed shadow root readable for the functions of this world.
 * @param {object} args
 * @param {ShadowRoot} root
 */
function adoptRoot(args, root) {
  adoptedRoots.set(root.host, root);
  rootless.delete(root.host);
  anyAdopted = true;
  return null;
}
