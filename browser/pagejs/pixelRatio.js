/** @returns {number} device pixels per CSS pixel */
function pixelRatio(args) {
  return devicePixelRatio;
}
