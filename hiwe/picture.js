// Draws over a page what the crawler understood of it: boxes, lines from labels to elements, a legend.
// Everything stands in one layer on top of the page; nothing of the page itself is changed.
(drawing) => {
  const SVG = 'http://www.w3.org/2000/svg';
  const STRIP = 34, MOST_HIGH = 8000;
  const root = document.documentElement;
  const width = Math.max(root.scrollWidth, window.innerWidth);
  const high = Math.max(root.scrollHeight, document.body ? document.body.scrollHeight : 0, window.innerHeight);
  const height = Math.min(high, MOST_HIGH - STRIP);

  const host = document.createElement('div');
  const looks = { all: 'initial', position: 'absolute', left: '0', top: '0', margin: '0', padding: '0',
    border: '0', background: 'none', overflow: 'visible', display: 'block', direction: 'ltr',
    width: `${width}px`, height: `${height + STRIP}px`, 'z-index': '2147483647', 'pointer-events': 'none' };
  for (const [name, value] of Object.entries(looks)) host.style.setProperty(name, value, 'important');
  root.append(host);
  host.popover = 'manual';
  host.showPopover(); // over dialogs too, and free of what the page does to its root
  const shift = host.getBoundingClientRect();
  const dx = -(shift.left + window.scrollX), dy = -(shift.top + window.scrollY);

  const make = (name, attributes, parent, text) => {
    const el = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) el.setAttribute(key, value);
    if (text !== undefined) el.textContent = text;
    return parent.appendChild(el);
  };
  const svg = make('svg', { width, height: height + STRIP, 'shape-rendering': 'crispEdges',
    style: `position:absolute;left:${dx}px;top:${dy}px;overflow:visible` }, host.attachShadow({ mode: 'open' }));
  const FONT = 'font-family:sans-serif;font-weight:bold;white-space:pre';
  const taken = [];

  const around = ([x, y, w, h]) => [Math.round(x), Math.round(y), Math.round(x + w), Math.round(y + h)];
  const frame = (box, colour, line, fill, dashes) => {
    const [l, t, r, b] = around(box);
    make('rect', { x: l, y: t, width: Math.max(r - l, 1), height: Math.max(b - t, 1), stroke: colour,
      'stroke-width': line, fill: fill ? colour : 'none', 'fill-opacity': 0.12,
      'stroke-dasharray': dashes || 'none' }, svg);
  };

  /** From the nearest edge of the label to the nearest edge of the element. */
  const tie = (label, box, colour) => {
    const [a, b] = [around(label), around(box)];
    const span = (lo, hi, from, to) => (hi < from ? [hi, from] : to < lo ? [lo, to]
      : [(Math.max(lo, from) + Math.min(hi, to)) / 2, (Math.max(lo, from) + Math.min(hi, to)) / 2]);
    const [x1, x2] = span(a[0], a[2], b[0], b[2]);
    const [y1, y2] = span(a[1], a[3], b[1], b[3]);
    make('line', { x1, y1, x2, y2, stroke: colour, 'stroke-width': 2, 'shape-rendering': 'auto' }, svg);
    make('circle', { cx: x2, cy: y2, r: 3.5, fill: colour, 'shape-rendering': 'auto' }, svg);
  };

  const meet = (a, b) => Math.max(0, Math.min(a[2], b[2]) - Math.max(a[0], b[0]))
    * Math.max(0, Math.min(a[3], b[3]) - Math.max(a[1], b[1]));

  /** A tag beside a box, in the place where it covers least of what is marked. */
  const tag = (box, text, colour, size, free) => {
    if (!text) return;
    const [l, t, r, b] = around(box);
    const g = make('g', {}, svg);
    const plate = make('rect', { fill: '#fff', 'fill-opacity': 0.86 }, g);
    const word = make('text', { fill: colour, style: `font-size:${size}px;${FONT}`, direction: 'ltr' }, g, text);
    const w = Math.ceil(word.getComputedTextLength()) + 6, h = size + 4;
    const middle = Math.round((t + b - h) / 2);
    const places = [[r + 4, middle], [r - w, t - h - 1], [l, b + 2], [l - w - 4, middle]];
    const inside = w + free < r - l;
    if (inside) places.unshift([r - w - 20, middle]);
    const cost = ([x, y]) => {
      const mine = [x, y, x + w, y + h];
      const out = x < 0 || y < 0 || x + w > width || y + h > height ? 1e6 : 0;
      return out + taken.reduce((sum, other) => sum + meet(mine, other), 0);
    };
    const [x, y] = inside ? places[0] : places.reduce((p, q) => (cost(q) < cost(p) ? q : p));
    for (const [key, value] of Object.entries({ x, y, width: w, height: h })) plate.setAttribute(key, value);
    word.setAttribute('x', x + 3);
    word.setAttribute('y', y + size);
    taken.push([x, y, x + w, y + h]);
  };

  for (const box of drawing.words) taken.push(around(box));
  for (const form of drawing.forms) {
    frame(form.box, form.colour, 1, false, '6 4');
    tag([form.box[0], form.box[1], form.box[2], 0], form.text, form.colour, 11, Infinity);
  }
  for (const mark of drawing.marks) {
    if (mark.label) {
      frame(mark.label, mark.colour, 1, true);
      tie(mark.label, mark.box, mark.colour);
    }
    frame(mark.box, mark.colour, 2, false);
  }
  for (const mark of drawing.marks) tag(mark.box, mark.text, mark.colour, mark.size, mark.free ?? Infinity);

  make('rect', { x: 0, y: height, width, height: STRIP, fill: '#fff' }, svg);
  make('rect', { x: 0, y: height, width, height: 1, fill: '#444' }, svg);
  let x = 10;
  for (const [text, colour] of drawing.legend) {
    if (colour) make('rect', { x, y: height + 11, width: 14, height: 14, fill: colour }, svg);
    const word = make('text', { x: x + (colour ? 19 : 0), y: height + 22, fill: '#222',
      style: `font-size:12px;${FONT}` }, svg, text);
    x += Math.ceil(word.getComputedTextLength()) + (colour ? 33 : 14);
  }
}
