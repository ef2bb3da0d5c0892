/** @returns {string} the title of the document */
function title(args) {
  return document.title;
}
