/**
 * Where the content of an iframe begins in this frame's viewport, and whether a point of the content is really seen there.
 * @param {{ref: number, x: number, y: number, look: boolean}} args x and y in the child's viewport
 */
function frameAt(args) {
  const el = refElement(args.ref);
  const place = () => {
    const r = el.getBoundingClientRect();
    const style = getComputedStyle(el);
    const zoomX = el.offsetWidth ? r.width / el.offsetWidth : 1, zoomY = el.offsetHeight ? r.height / el.offsetHeight : 1;
    return {
      x: r.x + (el.clientLeft + parseFloat(style.paddingLeft)) * zoomX + args.x * zoomX,
      y: r.y + (el.clientTop + parseFloat(style.paddingTop)) * zoomY + args.y * zoomY,
    };
  };
  let p = place();
  if (p.x < 0 || p.y < 0 || p.x >= innerWidth || p.y >= innerHeight) {
    el.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    p = place();
  }
  if (!args.look) return p;
  const hit = deepElementAt(p.x, p.y);
  if (hit === el) return p;
  if (!hit) fail('out-of-view', 'the frame of the element cannot be scrolled into view', {});
  fail('covered', `the frame of the element is covered by ${describe(hit)}`, { by: describe(hit) });
}
