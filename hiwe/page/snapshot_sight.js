// What a person sees: boxes in page coordinates and the facts that hide them.
// State `s` of the walk: {gone, dim, clip, clipAbs, doc, ...}; new objects only where it changes.

const round = (n) => Math.round(n * 10) / 10;

/** Facts of one document (the page or a same-process frame): offset to page coordinates, range. */
const documentFacts = (doc, dx, dy, frame) => {
  const view = doc.defaultView;
  const root = doc.documentElement;
  const x = view.scrollX + dx;
  const y = view.scrollY + dy;
  const rtl = root && view.getComputedStyle(root).direction === 'rtl';
  const left = dx + (rtl ? Math.min(0, root.clientWidth - root.scrollWidth) : 0);
  const right = dx + Math.max(root ? root.scrollWidth : 0, view.innerWidth);
  return { doc, view, x, y, left, right, top: dy, frame, range: doc.createRange() };
};

/** [left, top, right, bottom] of a client rectangle in page coordinates. */
const placed = (rect, d) => [rect.left + d.x, rect.top + d.y, rect.right + d.x, rect.bottom + d.y];

/** Is a rectangle of at least `least` pixels inside the page and not cut away by an ancestor? */
const shows = (b, s, least) => {
  if (s.gone || s.dim) return false;
  if (b[2] - b[0] < least || b[3] - b[1] < least) return false;
  const d = s.d;
  if (b[2] <= d.left + 1 || b[3] <= d.top + 1 || b[0] >= d.right) return false;
  const c = s.clip;
  if (!c) return true;
  const w = Math.min(b[2], c[2]) - Math.max(b[0], c[0]);
  const h = Math.min(b[3], c[3]) - Math.max(b[1], c[1]);
  return w >= 2 && h >= 2;
};

const intersect = (a, b) => (a
  ? [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])]
  : b);

/** Does clip or clip-path leave nothing of the element? */
const cutAway = (cs) => {
  const clip = cs.clip;
  if (clip && clip !== 'auto') {
    const n = clip.match(/-?[\d.]+/g);
    if (n && n.length === 4 && (n[1] - n[3] <= 1.5 || n[2] - n[0] <= 1.5)) return true;
  }
  const path = cs.clipPath;
  if (path && path !== 'none') {
    const inset = path.match(/^inset\(([\d.]+)%/);
    if (inset && +inset[1] >= 50) return true;
    if (/^(circle|ellipse)\(0/.test(path)) return true;
  }
  return false;
};

/** Box with the place for `box` in the answer: [x, y, w, h]. */
const boxOf = (b) => [round(b[0]), round(b[1]), round(b[2] - b[0]), round(b[3] - b[1])];

/** The walk's state inside an element: hidden, cut, faded; the same object where nothing changes. */
const stateInside = (el, cs, s, change, bare) => {
  if (s.gone) return s;
  const display = cs.display;
  if (display === 'none') { change.gone = true; return Object.assign({}, s, change); }
  const inline = display === 'inline' || display === 'contents';
  if (!(inline && bare) && cs.opacity !== '1' && parseFloat(cs.opacity) < 0.06) change.dim = true;
  if (!inline) {
    const position = cs.position;
    const out = position === 'absolute' || position === 'fixed';
    if (out) {
      const clip = position === 'fixed' ? null : s.clipAbs;
      if (clip !== s.clip) change.clip = clip;
      if (position === 'fixed' && s.clipAbs) change.clipAbs = null;
      if (cutAway(cs)) change.dim = true;
    } else if (cs.clipPath !== 'none' && cutAway(cs)) change.dim = true;
    const flow = cs.overflowX;
    const name = el.localName;
    if (flow !== 'visible' && name !== 'body' && name !== 'html') {
      const b = placed(el.getBoundingClientRect(), s.d);
      const small = b[2] - b[0] < 2 || b[3] - b[1] < 2;
      if (flow === 'hidden' || flow === 'clip' || small) {
        change.clip = intersect('clip' in change ? change.clip : s.clip, b);
      }
    }
    if (position !== 'static') {
      const clip = 'clip' in change ? change.clip : s.clip;
      if (clip !== s.clipAbs) change.clipAbs = clip;
    }
  }
  for (const _ in change) return Object.assign({}, s, change);
  return s;
};

/** Is something that does not belong to the control at its middle? null outside the viewport. */
const coveredBy = (el, rect, d) => {
  const x = rect.left + rect.width / 2;
  const y = rect.top + rect.height / 2;
  if (x < 0 || y < 0 || x >= d.view.innerWidth || y >= d.view.innerHeight) return false;
  const root = el.getRootNode();
  const hit = (root.elementFromPoint ? root : d.doc).elementFromPoint(x, y);
  if (!hit || hit === el || el.contains(hit) || hit.contains(el)) return false;
  if (root.host && hit === root.host) return false;
  for (const label of labelsOf.get(el) || []) if (label.contains(hit)) return false;
  return true;
};
