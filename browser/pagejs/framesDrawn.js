/** Waits until two frames were drawn, or a moment where none are. @returns {Promise<boolean>} */
function framesDrawn(args) {
  return new Promise((done) => {
    const late = setTimeout(() => done(false), 200);
    requestAnimationFrame(() => requestAnimationFrame(() => {
      clearTimeout(late);
      done(true);
    }));
  });
}
