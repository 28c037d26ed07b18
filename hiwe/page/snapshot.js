// One walk over the page: forms, controls, text runs, links. Reads only, so layout is made once.

const SKIP = new Set(['script', 'style', 'noscript', 'template', 'head', 'datalist', 'svg', 'canvas',
  'video', 'audio', 'object', 'embed', 'option', 'optgroup', 'math', 'map']);
const INSIDE = new Set(['legend', 'th', 'dt', 'caption', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'button',
  'summary', 'figcaption', 'nav', 'footer', 'header', 'aside', 'li', 'dd', 'td']);

/** Grid place of each cell of a table: [table, row, column, rowspan, colspan]. */
const gridOf = (table, number, cells) => {
  const taken = [];
  let r = 0;
  for (const row of table.rows) {
    let c = 0;
    for (const cell of row.cells) {
      while (taken[r] && taken[r][c]) c += 1;
      const down = Math.min(cell.rowSpan || 1, 200);
      const across = Math.min(cell.colSpan, 200);
      for (let i = r; i < r + down; i += 1) {
        taken[i] = taken[i] || [];
        for (let j = c; j < c + across; j += 1) taken[i][j] = true;
      }
      cells.set(cell, [number, r, c, down, across]);
      c += across;
    }
    r += 1;
  }
};

const snapshot = (options) => {
  const forms = [...document.forms];
  const formIndex = new Map(forms.map((f, i) => [f, i]));
  const formRows = [];
  const controls = [];
  const controlRows = [];
  const texts = [];
  const links = [];
  const clickables = [];
  const clickOf = new Map();
  const parents = [];
  const labels = [];
  const labelIndex = new Map();
  const groups = [];
  const frames = [document.URL];
  const hints = new Set();
  const owned = new Set();
  const cells = new Map();
  const hidden = new Set();
  let tables = 0;
  let order = 0;
  let probes = 0;
  let run = null;
  let inlineControl = null; // the control that the next text follows on the same line


  /** Note the ids that are descriptions, and the lists that a combobox owns. */
  const noteRoot = (root) => {
    for (const el of root.querySelectorAll('[aria-describedby]')) {
      for (const hint of named(el, 'aria-describedby')) hints.add(hint);
    }
    for (const el of root.querySelectorAll('[aria-controls],[aria-owns]')) {
      for (const list of [...named(el, 'aria-controls'), ...named(el, 'aria-owns')]) owned.add(list);
    }
  };

  const flush = () => {
    if (!run) return;
    const text = squeezed(run.t);
    if (text) {
      run.t = text;
      const row = [text, boxOf(run.b), run.fs, run.bo, run.see ? 1 : 0, run.tag, run.or, run.n, run.s.cell];
      const s = run.s;
      const more = {};
      if (s.label !== undefined) more.l = s.label;
      if (s.inside) more.i = s.inside;
      if (run.linked === run.length) more.a = 1;
      if (s.hint) more.h = 1;
      if (s.aria) more.r = 1;
      if (s.frame) more.f = s.frame;
      if (run.alt) more.m = 1;
      if (run.after !== null) more.ac = run.after;
      if (run.before !== undefined) more.bc = run.before;
      if (run.parts && run.parts.length > 1) more.p = run.parts;
      row.push(more);
      texts.push(row);
    }
    run = null;
  };

  const edgeHere = () => { flush(); inlineControl = null; };

  const styleOf = (s) => {
    if (s.font) return s.font;
    const cs = s.cs;
    s.font = [round(parseFloat(cs.fontSize)), parseInt(cs.fontWeight, 10) >= 600 ? 1 : 0,
      cs.visibility === 'visible'];
    return s.font;
  };

  const addText = (node, s, n, tag) => {
    const data = node.data;
    if (!/\S/.test(data)) { if (run) run.t += ' '; return; }
    if (s.gone) return;
    const font = styleOf(s);
    s.d.range.selectNodeContents(node);
    const b = placed(s.d.range.getBoundingClientRect(), s.d);
    const see = font[2] && font[0] >= 2 && shows(b, s, 1);
    if (run && run.see !== see) flush();
    if (!run) {
      order += 1;
      run = { t: data, b, fs: font[0], bo: font[1], see, tag, or: order, n, s, length: 0, linked: 0, parts: [],
        after: inlineControl };
      inlineControl = null;
    } else {
      run.t += data;
      const u = run.b;
      run.b = [Math.min(u[0], b[0]), Math.min(u[1], b[1]), Math.max(u[2], b[2]), Math.max(u[3], b[3])];
      if (run.s.label === undefined && s.label !== undefined) run.s = s;
    }
    run.length += data.length;
    run.parts.push([squeezed(data), n, s.link ? 1 : 0]);
    if (s.link) run.linked += data.length;
  };

  const addAlt = (el, s, n) => {
    const alt = squeezed(attribute(el, 'alt'));
    if (!alt || s.gone) return;
    flush();
    const b = placed(el.getBoundingClientRect(), s.d);
    const font = styleOf(s);
    order += 1;
    run = { t: alt, b, fs: font[0], bo: font[1], see: font[2] && shows(b, s, 4), tag: 'img', or: order,
      n, s, length: 1, linked: s.link ? 1 : 0, alt: true, after: inlineControl };
    inlineControl = null;
    flush();
  };

  const labelNumber = (label) => {
    if (labelIndex.has(label)) return labelIndex.get(label);
    const k = labels.length;
    labelIndex.set(label, k);
    labels.push(null);
    return k;
  };

  const ownerOf = (el) => {
    const form = el.form !== undefined && CONTROL_TAGS.has(el.localName) ? el.form : el.closest('form');
    if (!form) return null;
    if (!formIndex.has(form)) { formIndex.set(form, forms.length); forms.push(form); }
    return formIndex.get(form);
  };

  const associations = (el, c) => {
    if (el.labels && el.labels.length) c.lb = Array.from(el.labels, labelNumber);
    const by = named(el, 'aria-labelledby');
    if (by.length) c.by = [by.map((x) => spoken(x, true)).join(' '), boxOf(placed(by[0].getBoundingClientRect(), c.s.d))];
    const id = el.id;
    if (id && c.lb) {
      const root = el.getRootNode();
      if (root.querySelectorAll(`[id="${CSS.escape(id)}"]`).length > 1) c.dup = 1;
    }
  };

  const sightOf = (el, kind, c, s, cs) => {
    const rect = el.getBoundingClientRect();
    const b = placed(rect, s.d);
    c.b = boxOf(b);
    let see = cs.visibility === 'visible' && cs.display !== 'none' && shows(b, s, 3) && !s.aria;
    if (!see && kind === 'select') {
      const w = widgetOf(el, s);
      if (w) { c.b = boxOf(w); c.w = 1; see = true; }
    } else if (!see && (kind === 'radio' || kind === 'checkbox' || kind === 'file')) {
      const w = labelBoxOf(el, s);
      if (w) { if (!rect.width || s.dim || rect.width < 3) c.b = boxOf(w); c.w = 1; see = true; }
    }
    if (see) c.see = 1;
    if (see && !c.w && probes < 80) {
      probes += 1;
      if (coveredBy(el, rect, s.d)) c.cov = 1;
    }
  };

  const addControl = (el, tag, kind, s, cs, n) => {
    if (run && kind !== 'hidden') run.before = controls.length;
    flush();
    order += 1;
    if (kind !== 'hidden') inlineControl = s.gone ? null : controls.length;
    const c = { i: controls.length, g: tag, k: kind, n: attribute(el, 'name'), d: attribute(el, 'id'),
      f: ownerOf(el), or: order, no: n, s };
    controls.push(el);
    controlRows.push(c);
    if (kind === 'hidden') { c.b = [0, 0, 0, 0]; } else { sightOf(el, kind, c, s, cs); associations(el, c); }
    describeControl(el, tag, kind, c);
    if (s.cell) c.ce = s.cell;
    if (s.group !== undefined) c.gr = s.group;
    if (s.label !== undefined) c.wl = s.label;
    if (s.frame) c.fr = s.frame;
    if (s.inside) c.in = s.inside;
    delete c.s;
  };

  const addLink = (el, s, cs) => {
    if (typeof el.href !== 'string' || !el.hasAttribute('href')) return;
    let text = squeezed(el.textContent);
    if (!text) {
      const image = el.querySelector('img[alt]');
      text = (image && squeezed(image.alt)) || attribute(el, 'aria-label') || attribute(el, 'title')
        || attribute(el, 'alt');
    }
    const see = el.localName === 'area' ? !s.gone
      : cs.visibility === 'visible' && shows(placed(el.getBoundingClientRect(), s.d), s, 1);
    links.push([el.href, text.slice(0, 300), attribute(el, 'rel'), see ? 1 : 0]);
  };

  const isClickable = (el, tag, kind) => tag === 'a' || tag === 'button'
    || (tag === 'input' && CLICK_INPUTS.has(kind)) || el.hasAttribute('onclick')
    || el.getAttribute('role') === 'button';

  const groupChange = (el, tag, s, change) => {
    const role = tag === 'fieldset' ? '' : el.getAttribute('role');
    if (tag !== 'fieldset' && role !== 'group' && role !== 'radiogroup') return;
    const by = named(el, 'aria-labelledby')[0];
    let legend = null;
    if (tag === 'fieldset') for (const c of el.children) if (c.localName === 'legend') { legend = c; break; }
    const source = legend || by;
    const text = source ? spoken(source, false) : attribute(el, 'aria-label');
    change.group = groups.length;
    groups.push([s.group ?? -1, text, source ? boxOf(placed(source.getBoundingClientRect(), s.d)) : null,
      legend ? 'legend' : 'aria']);
  };

  /** The state inside `el`, with what its tag and attributes add. */
  const enter = (el, tag, s, cs) => {
    const change = { cs, font: null };
    if (tag === 'label') change.label = labelNumber(el);
    else if (tag === 'a') change.link = true;
    if (INSIDE.has(tag)) {
      change.inside = tag === 'td' || tag === 'li' || tag === 'dd' ? (s.inside || '') : tag;
      if ((tag === 'td' || tag === 'th') && cells.has(el)) change.cell = cells.get(el);
    }
    if (tag === 'table') { gridOf(el, tables, cells); tables += 1; change.cell = null; }
    if (hints.has(el)) change.hint = true;
    if (el.getAttribute('aria-hidden') === 'true' && s.inForm) change.aria = true;
    if (tag === 'form') {
      change.inForm = true;
      if (!formIndex.has(el)) { formIndex.set(el, forms.length); forms.push(el); }
      const b = placed(el.getBoundingClientRect(), s.d);
      formRows[formIndex.get(el)] = [boxOf(b), s.frame || 0, s.gone || cs.display === 'none' ? 0 : 1];
    }
    groupChange(el, tag, s, change);
    return stateInside(el, cs, s, change);
  };

  const frameState = (el, s) => {
    const inner = innerDocument(el);
    if (!inner) return null;
    const rect = el.getBoundingClientRect();
    const dx = rect.left + s.d.x + el.clientLeft;
    const dy = rect.top + s.d.y + el.clientTop;
    noteRoot(inner);
    frames.push(inner.URL);
    const d = documentFacts(inner, dx, dy);
    return [inner.documentElement, { ...s, d, frame: frames.length - 1, dim: s.dim || rect.width < 3 || rect.height < 3,
      clip: null, clipAbs: null, label: undefined, group: undefined, inside: '', cell: null }];
  };

  const markHidden = (el, cs, s, inside) => {
    if (s.gone || s.dim) return;
    if (inside.gone || (inside.dim && !s.dim)) { hidden.add(el); return; }
    if (cs.visibility !== 'visible' && s.cs.visibility === 'visible') { hidden.add(el); return; }
    if (inside.clip !== s.clip || cs.position === 'absolute' || cs.position === 'fixed') {
      const b = placed(el.getBoundingClientRect(), s.d);
      const c = inside.clip;
      const out = b[2] > b[0] && (b[2] <= s.d.left + 1 || b[3] <= s.d.top + 1);
      if (out || (c && (c[2] - c[0] < 2 || c[3] - c[1] < 2))) hidden.add(el);
    }
  };

  const visitChildren = (el, s, n, tag) => {
    if (el.shadowRoot) noteRoot(el.shadowRoot);
    const children = childrenOf(el);
    for (let i = 0; i < children.length; i += 1) {
      const child = children[i];
      if (child.nodeType === 3) addText(child, s, n, tag);
      else if (child.nodeType === 1) visit(child, s, n);
    }
  };

  const visit = (el, s, up) => {
    const tag = el.localName;
    if (SKIP.has(tag)) return;
    const cs = s.d.view.getComputedStyle(el);
    const kind = kindOf(el, tag);
    if (isClickable(el, tag, kind)) { clickOf.set(el, clickables.length); clickables.push(el); }
    if (tag === 'br' || tag === 'hr') { edgeHere(); return; }
    const n = parents.length;
    parents.push(up);
    if (kind && !(kind === 'listbox' && owned.has(el))) {
      if (kind !== 'hidden' && cs.display !== 'inline' && cs.display !== 'inline-block') edgeHere();
      const inside = kind === 'hidden' ? s : stateInside(el, cs, s, { aria: s.aria || el.getAttribute('aria-hidden') === 'true' });
      addControl(el, tag, kind, inside, cs, n);
      if (options.html && kind !== 'hidden' && !controlRows[controlRows.length - 1].see) hidden.add(el);
      return;
    }
    if (tag === 'img') { addAlt(el, s, n); return; }
    if (tag === 'iframe' || tag === 'frame') {
      const inner = cs.display === 'none' ? null : frameState(el, s);
      if (inner) { edgeHere(); visit(inner[0], inner[1], n); edgeHere(); }
      return;
    }
    const display = cs.display;
    if (tag === 'label') flush();
    const edge = display !== 'inline' && display !== 'contents'
      && (display !== 'inline-block' || el.firstChild);
    if (edge) edgeHere();
    const inside = enter(el, tag, s, cs);
    if (options.html) markHidden(el, cs, s, inside);
    if (tag === 'a') addLink(el, s, cs);
    visitChildren(el, inside, n, tag);
    if (tag === 'label') flush();
    if (edge) edgeHere();
  };

  const labelRows = () => {
    for (const [label, k] of labelIndex) {
      const d = label.ownerDocument === document ? top0 : documentFacts(label.ownerDocument, 0, 0);
      const b = placed(label.getBoundingClientRect(), d);
      const see = label.checkVisibility({ opacityProperty: true, visibilityProperty: true })
        && b[2] - b[0] >= 2 && b[3] - b[1] >= 2 && b[2] > d.left + 1;
      labels[k] = [spoken(label, !see), boxOf(b), see ? 1 : 0, attribute(label, 'for')];
    }
  };

  const areaRows = () => {
    for (const area of document.querySelectorAll('area[href]')) {
      links.push([area.href, attribute(area, 'alt') || attribute(area, 'title'), attribute(area, 'rel'), 1]);
    }
  };

  const describeForm = (form, i) => {
    const method = attribute(form, 'method').toLowerCase();
    const row = formRows[i] || [[0, 0, 0, 0], 0, 0];
    const action = form.getAttribute('action');
    let url = form.ownerDocument.URL;
    if (action) { try { url = new URL(action, form.ownerDocument.baseURI).href; } catch (error) { url = action; } }
    return { m: method === 'post' || method === 'dialog' ? method : 'get', a: url, n: attribute(form, 'name'),
      d: attribute(form, 'id'), e: attribute(form, 'enctype'), cs: attribute(form, 'accept-charset'),
      t: attribute(form, 'target'), r: attribute(form, 'role'), cl: attribute(form, 'class'),
      al: attribute(form, 'aria-label'), b: row[0], fr: row[1], see: row[2],
      x: i < document.forms.length ? i : null };
  };

  const top0 = documentFacts(document, 0, 0);
  noteRoot(document);
  const root = document.documentElement;
  const start = { d: top0, gone: false, dim: false, clip: null, clipAbs: null, cell: null, cs: null, font: null };
  start.cs = getComputedStyle(root);
  if (root) visit(root, start, -1);
  flush();
  labelRows();
  areaRows();
  Object.defineProperty(window, Symbol.for('hiwe'), {
    value: { controls, clickables }, configurable: true, enumerable: false, writable: true });
  const html = options.html ? inertHtml(hidden, clickOf) : '';
  return JSON.stringify({ url: document.URL, title: document.title,
    lang: root.lang || attribute(root, 'xml:lang') || document.querySelector('meta[http-equiv=content-language i]')?.content || '',
    charset: document.characterSet, type: document.contentType, base: document.baseURI,
    viewport: [window.innerWidth, window.innerHeight], dir: start.cs.direction,
    size: [root.scrollWidth, root.scrollHeight], forms: forms.map(describeForm), controls: controlRows,
    texts, links, labels, groups, parents, frames, clickables: clickables.length, html });
};
