/**
 * The page of this frame as an indented text.
 * @param {{next: number, scope?: number, parts?: (Element|Node[])[], after?: number, maxNodes?: number, maxBytes?: number, omit?: string[], includeShadow?: boolean, testAttributes?: string[]}} args
 * @returns {{text: string, next: number, frames: {ref: number, line: number, depth: number}[], stats: object, cut: number, hosts: number, url: string, title: string, warnings: string[]}}
 */
function snapshot(args) {
  const out = newOutline(args);
  const warnings = [];
  let root = document.body || document.documentElement;
  if (args.scope) {
    root = refElement(args.scope);
    out.optionRefs = root.localName === 'select';
  } else if (root) {
    const dialogs = document.querySelectorAll('dialog:modal');
    if (dialogs.length) {
      root = dialogs[dialogs.length - 1];
      warnings.push('a modal dialog is open: the page behind it cannot be used and is not shown');
    }
  }
  if (args.after) {
    out.after = refElement(args.after);
    out.path = new Set();
    for (let p = flatParent(out.after); p; p = flatParent(p)) out.path.add(p);
    out.started = false;
    if (!root || !out.path.has(root)) fail('bad-args', `e${args.after} is not inside the part that was asked for`);
  }
  const items = [];
  if (args.parts) {
    for (const part of args.parts) {
      if (Array.isArray(part)) for (const n of part) outlineNode(n, items, out, false, false);
      else if (part === document.body) outlineChildren(part, items, out, false, false);
      else outlineElement(part, items, out, false, false, true);
      items.push(BREAK);
    }
  } else if (root) {
    if (root.localName === 'body' || root.localName === 'frameset') outlineChildren(root, items, out, false, false);
    else outlineElement(root, items, out, false, false, true);
  }
  const page = { lines: [], frames: [] };
  render(items, 0, page);
  if (!args.scope && !args.parts && !args.after && !out.stopped) toldWhole = true;
  let cutAt = 0;
  if (out.stopped && out.last) cutAt = refNumber(out.last, out.refs);
  if (!args.scope && !args.parts && canvasIsPage(out, page)) {
    warnings.push('the page is mainly a canvas, which has no text to read: take a screenshot and act with coords (CSS pixels of the viewport)');
  }
  return {
    text: page.lines.join('\n'), next: out.refs.next, frames: page.frames, cut: cutAt, stopped: out.stopped, hosts: keepHosts(out.hosts), warnings,
    stats: { nodes: out.nodes, controls: out.controls }, url: location.href, title: document.title, ...extent(),
  };
}

function canvasIsPage(out, page) {
  return out.canvas > innerWidth * innerHeight * 0.3 && page.lines.join('').length < 2000;
}

function extent() {
  const e = document.scrollingElement || document.documentElement;
  if (!e) return { size: [0, 0], viewport: [innerWidth, innerHeight], scroll: [0, 0] };
  return { size: [e.scrollWidth, e.scrollHeight], viewport: [innerWidth, innerHeight], scroll: [Math.round(scrollX), Math.round(scrollY)] };
}
