// Text runs: adjacent inline text with no block edge, line break or control between.

const texts = [];
const links = [];
const cells = new Map();
let run = null;
let inlineControl = null; // the control that the next text follows on the same line
let order = 0;
let seenTexts = 0;

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
    if (run.parts && run.parts.length > 1) more.p = run.parts.map((p) => [squeezed(p[0]), p[1], p[2]]);
    row.push(more);
    texts.push(row);
  }
  run = null;
};

const edgeHere = () => { flush(); inlineControl = null; };

const gapHere = () => { if (run) run.t += ' '; };

const sizeOf = (cs) => round(parseFloat(cs.fontSize)); // in pixels
const isBold = (cs) => (parseInt(cs.fontWeight, 10) >= 600 ? 1 : 0);

/** Do the run and a text stand in one inline element? Then the author took them for one text. */
const inOnePiece = (node) => {
  for (let el = node.parentElement; el; el = el.parentElement) {
    if (el.contains(run.node)) return getComputedStyle(el).display === 'inline';
  }
  return false;
};

const addText = (node, s, cs, n, tag) => {
  const data = node.data;
  if (!/\S/.test(data)) { if (run) run.t += ' '; return; }
  if (s.gone) return;
  s.d.range.selectNodeContents(node);
  const b = placed(s.d.range.getBoundingClientRect(), s.d);
  const shown = cs.visibility === 'visible';
  const size = sizeOf(cs);
  const see = shown && size >= 2 && shows(b, s, 1);
  if (see) seenTexts += 1;
  const aside = run && run.see && !see && shown && inOnePiece(node); // for screen readers alone
  if (run && run.see !== see && !aside) flush();
  if (!run) {
    order += 1;
    run = { t: data, b, fs: size, bo: isBold(cs), see, tag, or: order, n, s, length: 0, linked: 0, parts: [],
      after: inlineControl, node };
    inlineControl = null;
  } else {
    run.t += data;
    const u = run.b;
    if (!aside) run.b = [Math.min(u[0], b[0]), Math.min(u[1], b[1]), Math.max(u[2], b[2]), Math.max(u[3], b[3])];
    if (run.s.label === undefined && s.label !== undefined) run.s = s;
  }
  run.length += data.length;
  run.parts.push([data, n, s.link ? 1 : 0]);
  if (s.link) run.linked += data.length;
};

const addAlt = (el, s, cs, n) => {
  const alt = squeezed(attribute(el, 'alt'));
  if (!alt || s.gone) return;
  flush();
  const b = placed(el.getBoundingClientRect(), s.d);
  order += 1;
  run = { t: alt, b, fs: sizeOf(cs), bo: isBold(cs), see: cs.visibility === 'visible' && shows(b, s, 4), tag: 'img', or: order,
    n, s, length: 1, linked: s.link ? 1 : 0, alt: true, after: inlineControl };
  inlineControl = null;
  flush();
};

/** `shown`: text inside was seen, so that its box need not be asked for. */
const addLink = (el, s, cs, shown) => {
  if (!el.hasAttribute('href')) return;
  const { href } = el; // asked for once: it is resolved each time
  if (typeof href !== 'string') return;
  let text = squeezed(el.textContent);
  if (!text) {
    const image = el.querySelector('img[alt]');
    text = (image && squeezed(image.alt)) || attribute(el, 'aria-label') || attribute(el, 'title')
      || attribute(el, 'alt');
  }
  const see = el.localName === 'area' ? !s.gone
    : shown || cs.visibility === 'visible' && shows(placed(el.getBoundingClientRect(), s.d), s, 1);
  links.push([href, text.slice(0, 300), attribute(el, 'rel'), see ? 1 : 0]);
};
