// One walk over the page: forms, controls, text runs, links. Reads only, so layout is made once.

const SKIP = new Set(['script', 'style', 'noscript', 'template', 'head', 'datalist', 'svg', 'canvas',
  'video', 'audio', 'object', 'embed', 'option', 'optgroup', 'math', 'map']);
const INSIDE = new Set(['legend', 'th', 'dt', 'caption', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'button',
  'summary', 'figcaption', 'nav', 'footer', 'header', 'aside', 'li', 'dd', 'td']);

const languageOf = (root) => root.lang || attribute(root, 'xml:lang')
  || document.querySelector('meta[http-equiv=content-language i]')?.content || '';

const snapshot = (options) => {
  const isClickable = (el, tag, kind) => tag === 'a' || tag === 'button'
    || (tag === 'input' && CLICK_INPUTS.has(kind)) || el.hasAttribute('onclick')
    || el.getAttribute('role') === 'button';

  /** The state inside `el`, with what its tag and attributes add. */
  const enter = (el, tag, s, cs, bare) => {
    const change = {};
    if (tag === 'label') change.label = labelNumber(el);
    else if (tag === 'a') change.link = true;
    if (INSIDE.has(tag)) {
      change.inside = tag === 'td' || tag === 'li' || tag === 'dd' ? (s.inside || '') : tag;
      if ((tag === 'td' || tag === 'th') && cells.has(el)) change.cell = cells.get(el);
    }
    if (tag === 'table') { gridOf(el, tables, cells); tables += 1; change.cell = null; }
    if (!bare && hints.has(el)) change.hint = true;
    if (s.inForm && !bare && el.getAttribute('aria-hidden') === 'true') change.aria = true;
    if (tag === 'form') {
      change.inForm = true;
      if (!formIndex.has(el)) { formIndex.set(el, forms.length); forms.push(el); }
      const b = placed(el.getBoundingClientRect(), s.d);
      formRows[formIndex.get(el)] = [boxOf(b), s.frame || 0, s.gone || cs.display === 'none' ? 0 : 1];
    }
    if (!bare || tag === 'fieldset') groupChange(el, tag, s, change);
    return stateInside(el, cs, s, change, bare);
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
    factsOf.set(inner, d);
    const dim = s.dim || rect.width < 3 || rect.height < 3;
    return [inner.documentElement, { ...s, d, frame: frames.length - 1, dim, clip: null,
      clipAbs: null, label: undefined, group: undefined, inside: '', cell: null }];
  };

  const markHidden = (el, cs, over, s, inside) => {
    if (s.gone || s.dim) return;
    if (inside.gone || (inside.dim && !s.dim)) { hidden.add(el); return; }
    if (cs.visibility !== 'visible' && over.visibility === 'visible') { hidden.add(el); return; }
    if (inside.clip !== s.clip || cs.position === 'absolute' || cs.position === 'fixed') {
      const b = placed(el.getBoundingClientRect(), s.d);
      const c = inside.clip;
      const out = b[2] > b[0] && (b[2] <= s.d.left + 1 || b[3] <= s.d.top + 1);
      if (out || (c && (c[2] - c[0] < 2 || c[3] - c[1] < 2))) hidden.add(el);
    }
  };

  /** Not shown, or placed outside the flow where nobody sees it: it parts no text round it. */
  const isOutOfSight = (el, cs, s, inside) => {
    if (inside.gone) return true;
    if (cs.position !== 'absolute' && cs.position !== 'fixed') return false;
    return !shows(placed(el.getBoundingClientRect(), s.d), inside, 2);
  };

  const visitChildren = (el, s, cs, n, tag) => {
    if (el.shadowRoot || tag === 'slot') {
      if (el.shadowRoot) noteRoot(el.shadowRoot);
      for (const child of childrenOf(el)) visitChild(child, s, cs, n, tag);
      return;
    }
    for (let child = el.firstChild; child; child = child.nextSibling) visitChild(child, s, cs, n, tag);
  };

  const visitChild = (child, s, cs, n, tag) => {
    const type = child.nodeType;
    if (type === 3) addText(child, s, cs, n, tag);
    else if (type === 1) visit(child, s, cs, n);
  };

  const visit = (el, s, over, up) => {
    const tag = el.localName;
    if (SKIP.has(tag)) return;
    // inside what is not displayed a style says nothing, and costs most: it is made when it is asked for
    const cs = s.gone ? over : s.d.view.getComputedStyle(el);
    const bare = !el.hasAttributes();
    const kind = bare && !CONTROL_TAGS.has(tag) ? '' : kindOf(el, tag, s.inForm);
    if (!(bare && !kind && tag !== 'a') && isClickable(el, tag, kind)) { clickOf.set(el, clickables.length); clickables.push(el); }
    if (tag === 'br' || tag === 'hr') { edgeHere(); return; }
    const n = parents.length;
    parents.push(up);
    if (kind && !(kind === 'listbox' && owned.has(el))) {
      if (kind !== 'hidden' && !s.gone && cs.display !== 'inline' && cs.display !== 'inline-block') edgeHere();
      const aria = s.aria || el.getAttribute('aria-hidden') === 'true';
      const inside = kind === 'hidden' ? s : stateInside(el, cs, s, { aria });
      addControl(el, tag, kind, inside, cs, n);
      if (tag === 'a') addLink(el, s, cs, false);
      if (options.html && kind !== 'hidden' && !controlRows[controlRows.length - 1].see) hidden.add(el);
      return;
    }
    if (tag === 'img') { addAlt(el, s, cs, n); return; }
    if (tag === 'iframe' || tag === 'frame') {
      const inner = cs.display === 'none' ? null : frameState(el, s);
      if (inner) { edgeHere(); visit(inner[0], inner[1], cs, n); edgeHere(); }
      return;
    }
    const display = cs.display;
    if (tag === 'label') flush();
    const inside = enter(el, tag, s, cs, bare);
    const block = display !== 'inline' && display !== 'contents'
      && (display !== 'inline-block' || el.firstChild);
    const edge = block && !isOutOfSight(el, cs, s, inside);
    if (edge) edgeHere(); else if (block) gapHere();
    if (options.html) markHidden(el, cs, over, s, inside);
    const before = seenTexts;
    visitChildren(el, inside, cs, n, tag);
    if (tag === 'a') addLink(el, s, cs, seenTexts > before);
    if (tag === 'label') flush();
    if (edge) edgeHere(); else if (block) gapHere();
  };

  const top0 = documentFacts(document, 0, 0);
  noteRoot(document);
  const root = document.documentElement;
  const start = { d: top0, gone: false, dim: false, clip: null, clipAbs: null, cell: null };
  const rootStyle = getComputedStyle(root);
  visit(root, start, rootStyle, -1);
  flush();
  labelRows(top0);
  areaRows();
  Object.defineProperty(window, Symbol.for('hiwe'), {
    value: { controls, clickables }, configurable: true, enumerable: false, writable: true });
  const html = options.html ? inertHtml(hidden, clickOf) : '';
  return JSON.stringify({ url: document.URL, title: document.title,
    lang: languageOf(root),
    charset: document.characterSet, type: document.contentType, base: document.baseURI,
    viewport: [window.innerWidth, window.innerHeight], dir: rootStyle.direction,
    size: [root.scrollWidth, root.scrollHeight], forms: forms.map(describeForm), controls: controlRows,
    texts, links, labels, groups, parents, frames, clickables: clickables.length, html });
};
