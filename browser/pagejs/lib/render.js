// Writing an outline down, one line per thing.

/** What may stand in running text; every other control has a line of its own. */
const inText = /^(link|img|generic|code|time|status|text|mark)\b/;

/**
 * @param {(string|Part|null)[]} items
 * @param {number} depth
 * @param {{lines: string[], frames: {ref: number, line: number, depth: number}[]}} page
 */
function render(items, depth, page) {
  let run = [];
  const flush = () => {
    if (run.length) renderRun(run, depth, page);
    run = [];
  };
  for (const item of items) {
    if (item === BREAK) flush();
    else if (item.kind === 'leaf' && !inText.test(item.head)) {
      flush();
      page.lines.push(indent(depth) + item.head);
    } else if (typeof item === 'string' || item.kind === 'leaf' || (item.kind === 'cell' && !item.head)) {
      if (item.kind === 'cell') {
        flush();
        render(item.items, depth, page);
      } else run.push(item);
    } else {
      flush();
      renderPart(item, depth, page);
    }
  }
  flush();
}

function renderRun(run, depth, page) {
  if (run.some((i) => typeof i === 'string' && i.trim())) page.lines.push(indent(depth) + 'text: ' + joinRun(run));
  else for (const i of run) if (typeof i !== 'string') page.lines.push(indent(depth) + i.head);
}

function indent(depth) {
  return ' '.repeat(depth);
}

/** Text and small things in one line of writing. */
function joinRun(run) {
  let out = '', text = '';
  const flush = () => {
    const t = squeeze(text);
    if (t) out += out && !/^[.,;:!?)\]]/.test(t) ? ' ' + t : t;
    text = '';
  };
  for (const i of run) {
    if (typeof i === 'string') text += i;
    else {
      flush();
      out += (out ? ' ' : '') + i.head;
    }
  }
  flush();
  return out;
}

/** Items as one line, or null when they are too many or too large for it. */
function inlineItems(items, limit) {
  const pieces = [];
  let run = [], things = 0;
  const flush = () => {
    const text = joinRun(run);
    if (text) pieces.push([text, run.some((i) => typeof i === 'string' && i.trim())]);
    run = [];
  };
  for (const i of items) {
    if (i === BREAK) flush();
    else if (typeof i === 'string') run.push(i);
    else {
      things++;
      if (i.kind === 'leaf') run.push(i);
      else if (i.kind === 'text' || i.kind === 'cell') {
        const text = inlineItems(i.items, limit);
        if (text === null) return null;
        run.push({ head: i.head ? i.head + (text ? ': ' + text : '') : text });
      } else return null;
    }
  }
  flush();
  if (pieces.length > 1 && things > 8) return null;
  let out = '';
  for (const [text, words] of pieces) out += (out ? (words ? ' / ' : ' ') : '') + text;
  if (out.length > limit && (pieces.length > 1)) return null;
  return out;
}

function renderPart(part, depth, page) {
  const start = indent(depth) + part.head;
  if (part.kind === 'row') {
    renderRow(part, depth, page, start);
    return;
  }
  if (part.frame) page.frames.push({ ref: part.frame, line: page.lines.length, depth });
  if (!part.items || !part.items.length) {
    if (part.head !== '-') page.lines.push(start);
    return;
  }
  if (part.kind !== 'block') {
    const text = inlineItems(part.items, 300);
    if (text === '') {
      if (part.head !== '-') page.lines.push(start);
      return;
    }
    if (text !== null) {
      page.lines.push(start + (part.head === '-' ? ' ' : ': ') + text);
      return;
    }
  }
  page.lines.push(start);
  render(part.items, depth + 1, page);
}

function renderRow(part, depth, page, start) {
  const cells = part.items.filter((c) => c && typeof c === 'object');
  const texts = [];
  for (const c of cells) {
    const text = c.kind === 'cell' ? inlineItems(c.items, 300) : c.kind === 'leaf' ? c.head : null;
    if (text === null) {
      texts.length = 0;
      break;
    }
    texts.push(c.kind === 'cell' && c.head ? c.head + (text ? ': ' + text : '') : text);
  }
  if (texts.length === cells.length) {
    page.lines.push(start + ': ' + texts.join(' | '));
    return;
  }
  page.lines.push(start);
  for (const c of cells) {
    if (c.kind !== 'cell') renderPart(c, depth + 1, page);
    else {
      const text = inlineItems(c.items, 300);
      const head = c.head || 'cell';
      if (text !== null) page.lines.push(indent(depth + 1) + head + ': ' + text);
      else {
        page.lines.push(indent(depth + 1) + head);
        render(c.items, depth + 2, page);
      }
    }
  }
}
