/**
 * What a target is like now. Nothing is waited for. Of a protected field only whether it is filled is told.
 * @param {{ref?: number, selector?: string, contextRef?: number, want: string, attribute?: string, next: number}} args want: 'text', 'value', 'attribute', 'states' or ''
 */
function examine(args) {
  const refs = lend(args);
  const out = { found: false, stale: false, matched: 0, next: refs.next };
  let el = null;
  if (args.ref) {
    const weak = refElements.get(args.ref);
    el = weak && weak.deref();
    if (!el || !el.isConnected) return { ...out, stale: true };
    out.matched = 1;
  } else {
    const found = locate(args);
    if (!found) return out;
    el = found.el;
    out.matched = found.matched;
  }
  if (args.want === 'value' || args.want === 'states') el = controlOf(el);
  const role = roleOf(el);
  out.found = true;
  out.ref = refNumber(el, refs);
  out.next = refs.next;
  out.visible = visible(el);
  out.what = describe(el);
  out.protected = insideProtected(el);
  out.site = siteOf();
  switch (args.want) {
    case 'text': {
      const { words, more } = shownWords(el);
      out.text = words;
      out.more = more;
      break;
    }
    case 'value': {
      const held = rawValue(el);
      out.field = held !== null && el.localName !== 'button' && el.localName !== 'option' && el.localName !== 'li' && !/^(checkbox|radio|button|submit|reset|image)$/.test(el.localName === 'input' ? el.type : '');
      out.filled = !!held;
      if (!out.protected && out.field) {
        out.value = el.localName === 'select' ? valueOf(el, role) : held;
        if (el.localName === 'select') out.values = Array.from(el.selectedOptions, (o) => o.value).join(', ');
      }
      break;
    }
    case 'attribute': {
      const asked = args.attribute.toLowerCase();
      out.withheld = out.protected && asked === 'value';
      if (!out.withheld) out.attribute = el.getAttribute(args.attribute);
      break;
    }
    case 'states':
      out.states = statesFor(el, role, out.protected);
      break;
  }
  return out;
}

/** The states that can be asked for; null where an element has no such state. */
function statesFor(el, role, hidden) {
  const form = formTags.has(el.localName);
  const checked = checkedState(el, role);
  const expanded = expandedState(el);
  const held = /^(checkbox|radio|button|submit|reset|image)$/.test(el.localName === 'input' ? el.type : '') || el.localName === 'button' ? null : rawValue(el);
  const editable = (el.localName === 'input' && untypable[el.type] === undefined) || el.localName === 'textarea' || !!hostOfEditing(el);
  const chosen = el.localName === 'option' ? el.selected : el.hasAttribute('aria-selected') ? el.getAttribute('aria-selected') === 'true' : null;
  const r = boxOf(el);
  const withheld = hidden && !isProtected(el); // a part of a protected field
  return {
    visible: visible(el),
    enabled: !isDisabled(el),
    checked: withheld ? null : checked === undefined ? null : checked === 'mixed' ? 'mixed' : checked,
    focused: deepActive() === el,
    editable: editable || el.localName === 'select' ? !isDisabled(el) && !isReadonly(el) : false,
    filled: withheld ? null : held !== null ? held !== '' : form ? null : shownWords(el).words !== '' || Array.from(el.children).some(visible),
    expanded: expanded === undefined ? null : expanded,
    selected: withheld ? null : chosen,
    inViewport: visible(el) && r.bottom > 0 && r.right > 0 && r.top < innerHeight && r.left < innerWidth,
  };
}
