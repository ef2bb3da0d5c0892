// Roles as ARIA and HTML-AAM give them.

const knownRoles = new Set(('alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox complementary ' +
  'contentinfo definition deletion dialog directory document emphasis feed figure form generic grid gridcell group heading img image insertion link list listbox ' +
  'listitem log main mark marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter navigation none note option paragraph presentation progressbar ' +
  'radio radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status strong subscript superscript suggestion switch tab ' +
  'table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem comment').split(' '));

const actableRoles = new Set(('button link textbox searchbox combobox listbox option checkbox radio switch slider spinbutton tab menuitem menuitemcheckbox ' +
  'menuitemradio treeitem').split(' '));

const contentNamed = new Set(('button checkbox radio switch link heading option tab menuitem menuitemcheckbox menuitemradio treeitem cell gridcell columnheader ' +
  'rowheader tooltip').split(' '));

const inputRoles = {
  button: 'button', submit: 'button', reset: 'button', image: 'button', file: 'button', checkbox: 'checkbox', radio: 'radio', range: 'slider', number: 'spinbutton',
  search: 'searchbox', color: 'textbox', date: 'textbox', time: 'textbox', 'datetime-local': 'textbox', month: 'textbox', week: 'textbox',
};

const tagRoles = {
  article: 'article', blockquote: 'blockquote', button: 'button', caption: 'caption', code: 'code', dd: 'definition', del: 'deletion', details: 'group',
  dialog: 'dialog', dfn: 'term', dt: 'term', em: 'emphasis', fieldset: 'group', figure: 'figure', form: 'form', h1: 'heading', h2: 'heading', h3: 'heading',
  h4: 'heading', h5: 'heading', h6: 'heading', hr: 'separator', ins: 'insertion', main: 'main', mark: 'mark', math: 'math', menu: 'list', meter: 'meter',
  nav: 'navigation', ol: 'list', optgroup: 'group', option: 'option', output: 'status', p: 'paragraph', progress: 'progressbar', s: 'deletion', search: 'search',
  strong: 'strong', sub: 'subscript', summary: 'button', sup: 'superscript', table: 'table', tbody: 'rowgroup', textarea: 'textbox', tfoot: 'rowgroup',
  thead: 'rowgroup', time: 'time', ul: 'list', svg: 'img', canvas: 'canvas', video: 'video', audio: 'audio', iframe: 'iframe', frame: 'iframe',
};

const sectioning = 'article, aside, main, nav, section, [role=article], [role=complementary], [role=main], [role=navigation], [role=region]';

function named(el) {
  return !!(el.getAttribute('aria-label') || '').trim() || el.hasAttribute('aria-labelledby') || !!(el.getAttribute('title') || '').trim();
}

function focusable(el) {
  if (el.hasAttribute('tabindex')) return true;
  switch (el.localName) {
    case 'button': case 'input': case 'select': case 'textarea': return !el.disabled;
    case 'a': case 'area': return el.hasAttribute('href');
    case 'summary': case 'iframe': return true;
  }
  return el.isContentEditable && editingHost(el) === el;
}

const globalAria = ['aria-atomic', 'aria-busy', 'aria-controls', 'aria-current', 'aria-describedby', 'aria-details', 'aria-dropeffect', 'aria-flowto', 'aria-grabbed',
  'aria-keyshortcuts', 'aria-live', 'aria-owns', 'aria-relevant', 'aria-roledescription', 'aria-label', 'aria-labelledby'];

/** @returns {string} the role, '' for an element that has none of its own */
function roleOf(el) {
  const explicit = el.getAttribute('role');
  if (explicit) {
    for (const token of explicit.toLowerCase().trim().split(/\s+/)) {
      if (!knownRoles.has(token)) continue;
      if (token === 'presentation' || token === 'none') {
        if (focusable(el) || globalAria.some((a) => el.hasAttribute(a))) break;
        return 'none';
      }
      if (token === 'image') return 'img';
      if (token === 'generic') return '';
      if (token === 'directory') return 'list';
      if ((token === 'region' || token === 'form') && !named(el)) break;
      return token;
    }
  }
  return implicitRole(el);
}

function implicitRole(el) {
  const tag = el.localName;
  switch (tag) {
    case 'div': case 'span': return hostOfEditing(el) ? 'textbox' : '';
    case 'a': case 'area': return el.hasAttribute('href') ? 'link' : '';
    case 'td': return tableRole(el, 'cell');
    case 'th': return tableRole(el, 'columnheader');
    case 'tr': return inheritsNone(el.closest('table')) ? 'none' : 'row';
    case 'thead': case 'tbody': case 'tfoot': return inheritsNone(el.closest('table')) ? 'none' : 'rowgroup';
    case 'li': {
      const p = el.parentNode;
      const list = p && (p.localName === 'ul' || p.localName === 'ol' || p.localName === 'menu' || p.nodeType === 11);
      return list && !(p.nodeType === 1 && inheritsNone(p)) ? 'listitem' : '';
    }
    case 'input': {
      const type = el.type;
      if (type === 'hidden') return 'none';
      if (type === 'checkbox' && el.hasAttribute('switch')) return 'switch';
      if (type === 'checkbox' && el.getAttribute('aria-pressed')) return 'button';
      const role = inputRoles[type];
      if (role && type !== 'search') return role;
      if (el.hasAttribute('list') && el.list) return 'combobox';
      return role || 'textbox';
    }
    case 'select': return el.multiple || el.size > 1 ? 'listbox' : 'combobox';
    case 'img': {
      if (el.getAttribute('alt') === '' && !el.getAttribute('aria-label') && !el.getAttribute('title') && !el.hasAttribute('aria-labelledby') && !el.hasAttribute('tabindex')) return 'none';
      return 'img';
    }
    case 'header': return el.parentElement && el.parentElement.closest(sectioning) ? '' : 'banner';
    case 'footer': return el.parentElement && el.parentElement.closest(sectioning) ? '' : 'contentinfo';
    case 'aside': return !el.parentElement || !el.parentElement.closest('article, aside, nav, section') || named(el) ? 'complementary' : '';
    case 'section': return named(el) ? 'region' : '';
    case 'summary': return el.parentElement && el.parentElement.localName === 'details' ? 'button' : '';
    case 'hr': return el.closest('select') ? 'none' : 'separator';
  }
  const role = tagRoles[tag];
  if (role !== undefined) return role;
  return hostOfEditing(el) ? 'textbox' : '';
}

/** Whether a list or table has given up its role, and its parts' with it. */
function inheritsNone(el) {
  const r = el && el.getAttribute('role');
  return (r === 'presentation' || r === 'none') && !globalAria.some((a) => el.hasAttribute(a));
}

function tableRole(el, role) {
  const table = el.closest('table');
  if (inheritsNone(table)) return 'none';
  if (role === 'columnheader') {
    const scope = (el.getAttribute('scope') || '').toLowerCase();
    if (scope === 'row' || scope === 'rowgroup') return 'rowheader';
    if (scope === 'col' || scope === 'colgroup') return 'columnheader';
    const row = el.parentElement;
    if (row && row.firstElementChild === el && row.querySelector(':scope > td') && !row.closest('thead')) return 'rowheader';
    return 'columnheader';
  }
  const r = table && table.getAttribute('role');
  return r === 'grid' || r === 'treegrid' ? 'gridcell' : 'cell';
}

/** Whether the element is the outermost one of an editable part. */
function hostOfEditing(el) {
  if (!el.isContentEditable) return false;
  const p = el.parentElement;
  return !(p && p.isContentEditable);
}

/** @returns {Element|null} the outermost element of the editable part that el is in */
function editingHost(el) {
  if (!el.isContentEditable) return null;
  let host = el;
  for (let p = el.parentElement; p && p.isContentEditable; p = p.parentElement) host = p;
  return host;
}

/** @returns {number} of a heading */
function headingLevel(el) {
  const level = parseInt(el.getAttribute('aria-level') || '', 10);
  if (level > 0) return level;
  const m = /^h([1-6])$/.exec(el.localName);
  return m ? +m[1] : 2;
}
