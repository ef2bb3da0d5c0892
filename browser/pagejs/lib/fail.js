/**
 * An error that the Go side can tell apart by its code.
 * @param {string} code
 * @param {string} message a sentence for the agent
 * @param {object} [data] further fields
 * @returns {Error}
 */
function problem(code, message, data) {
  const e = new Error('chaperone:' + JSON.stringify({ ...data, code, message }));
  e.code = code;
  return e;
}

/** Throws such an error. */
function fail(code, message, data) {
  throw problem(code, message, data);
}
