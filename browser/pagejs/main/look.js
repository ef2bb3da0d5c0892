/**
 * Runs a piece of an agent's own code and says what came of it.
 * @param {function(): *} run
 * @returns {Promise<{type?: string, true?: boolean, value?: *, truncated?: boolean, thrown?: {name: string, message: string, stack: string}}>}
 */
async function look(run) {
  const short = (s) => (typeof s === 'string' && s.length <= 65536 ? s : '');
  let value;
  try {
    value = await run();
  } catch (e) {
    if (e !== null && typeof e === 'object' && typeof e.message === 'string') {
      return { thrown: { name: short(String(e.name || 'Error')), message: short(e.message), stack: short(e.stack) } };
    }
    const said = plainValue(e, { most: 65536 }).value;
    return { thrown: { name: '', message: typeof said === 'string' ? said : JSON.stringify(said), stack: '' } };
  }
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  return { type, true: Boolean(value), ...plainValue(value) };
}
