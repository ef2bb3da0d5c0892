/** How large this frame's viewport is, in its own pixels. @returns {{width: number, height: number}} */
function frameSize(args) {
  return { width: innerWidth, height: innerHeight };
}
