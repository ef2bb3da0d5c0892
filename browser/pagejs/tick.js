/**
 * Resolves after two turns of the page's event loop, and after that many drawn frames. A page in the background draws none,
 * so a frame is never waited for longer than a short while.
 * @param {{frames: number}} args
 * @returns {Promise<{fileInput: boolean, download: boolean}>} a file input, a link that downloads, was clicked since the last time
 */
async function tick(args) {
  for (let i = 0; i < 2; i++) await turn();
  for (let i = 0; i < (args.frames || 0); i++) await drawn();
  const fileInput = fileInputClicked;
  const download = !!downloadClicked && !downloadClicked.defaultPrevented;
  fileInputClicked = false;
  downloadClicked = null;
  return { fileInput, download };
}
