/**
 * Scrolls the page or an element.
 * @param {{ref?: number, selector?: string, contextRef?: number, to?: string, x?: number, y?: number, by?: boolean, next: number}} args
 */
async function scrollTo(args) {
  const refs = lend(args);
  beginWatch(args, refs);
  let el = null;
  if (args.ref || args.selector) {
    const found = locate(args);
    if (!found) notFound(args);
    el = found.el;
    noteBefore(el, null);
  }
  const page = document.scrollingElement || document.documentElement;
  const box = el && scrollable(el) ? el : el ? null : page;
  if (!args.to && !args.by) {
    if (el) el.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
  } else {
    const target = box || page;
    if (args.by) target.scrollBy({ left: args.x || 0, top: args.y || 0, behavior: 'instant' });
    else if (args.to === 'top') target.scrollTo({ top: 0, behavior: 'instant' });
    else if (args.to === 'bottom') target.scrollTo({ top: target.scrollHeight, behavior: 'instant' });
    else if (args.to === 'left') target.scrollTo({ left: 0, behavior: 'instant' });
    else if (args.to === 'right') target.scrollTo({ left: target.scrollWidth, behavior: 'instant' });
    else fail('bad-args', 'to is one of top, bottom, left, right', {});
  }
  await drawn();
  const at = box || page;
  return {
    ref: el ? refNumber(el, refs) : 0, next: refs.next, x: Math.round(at.scrollLeft), y: Math.round(at.scrollTop), width: at.scrollWidth, height: at.scrollHeight,
    atEnd: at.scrollTop + at.clientHeight >= at.scrollHeight - 1,
  };
}

function scrollable(el) {
  if (el.scrollHeight <= el.clientHeight && el.scrollWidth <= el.clientWidth) return false;
  const style = getComputedStyle(el);
  return /auto|scroll|hidden|clip/.test(style.overflowX + style.overflowY);
}
