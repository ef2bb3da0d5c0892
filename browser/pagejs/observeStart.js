/**
 * Begins to note what an action changes in this frame.
 * @param {{watch: number, mode?: string, next: number, testAttributes?: string[]}} args
 */
function observeStart(args) {
  const refs = lend(args);
  beginWatch(args, refs);
  return { next: refs.next };
}
