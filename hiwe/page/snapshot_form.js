// What the walk notes of forms, controls, labels and groups.

const forms = [...document.forms];
const formIndex = new Map(forms.map((f, i) => [f, i]));
const formRows = [];
const controls = [];
const controlRows = [];
const clickables = [];
const clickOf = new Map();
const parents = [];
const labels = [];
const labelIndex = new Map();
const labelsOf = new Map(); // control -> its labels in document order
const groups = [];
const frames = [document.URL];
const factsOf = new Map(); // document of a frame -> its facts
const hints = new Set();
const owned = new Set();
const hidden = new Set();
let tables = 0;
let probes = 0;

/** Note the ids that are descriptions, the lists that a combobox owns, and whose each label is. */
const noteRoot = (root) => {
  for (const label of root.querySelectorAll('label')) {
    const { control } = label; // asked the other way round, each control would search all the page
    if (!control) continue;
    if (labelsOf.has(control)) labelsOf.get(control).push(label); else labelsOf.set(control, [label]);
  }
  for (const el of root.querySelectorAll('[aria-describedby],[aria-controls],[aria-owns]')) {
    for (const hint of named(el, 'aria-describedby')) hints.add(hint);
    for (const list of [...named(el, 'aria-controls'), ...named(el, 'aria-owns')]) owned.add(list);
  }
};

const labelNumber = (label) => {
  if (labelIndex.has(label)) return labelIndex.get(label);
  const k = labels.length;
  labelIndex.set(label, k);
  labels.push(null);
  return k;
};

/** The form round a component that holds the control in its shadow tree. */
const formRound = (el) => {
  for (let host = el.getRootNode().host; host; host = host.getRootNode().host) {
    const form = host.closest('form');
    if (form) return form;
  }
  return null;
};

const ownerOf = (el, c) => {
  const own = el.form !== undefined && CONTROL_TAGS.has(el.localName) ? el.form : el.closest('form');
  const form = own || formRound(el);
  if (!own && form) c.dr = 1; // the component sends for it
  if (!form) return null;
  if (!formIndex.has(form)) { formIndex.set(form, forms.length); forms.push(form); }
  return formIndex.get(form);
};

const associations = (el, c) => {
  const tied = lentLabels.get(el) || labelsOf.get(el);
  if (tied && tied.length) c.lb = tied.map(labelNumber);
  const by = named(el, 'aria-labelledby');
  if (by.length) c.by = [by.map((x) => spoken(x, true)).join(' '), boxOf(placed(by[0].getBoundingClientRect(), c.s.d))];
  const id = el.id;
  if (id && c.lb) {
    const root = el.getRootNode();
    if (root.querySelectorAll(`#${CSS.escape(id)}`).length > 1) c.dup = 1;
  }
};

const standIns = new Map(); // what a script put in a select's place -> the select
const lentLabels = new Map(); // a select -> labels that name a box in its stand-in

const BOXES = 'input,textarea,[role=combobox]';

/** A stand-in whose select holds no choices yet: they come when one types into it. */
const standsAlone = (w, select) => select.options.length < 2
  && (w.matches(BOXES) || Boolean(w.querySelector(BOXES)));

/** The label of a select that is out of use is that of the box which is typed into instead. */
const lendTo = (w, select) => {
  const inner = w.matches(BOXES) ? w : w.querySelector(BOXES);
  if (inner && !(inner.labels && inner.labels.length)) lentLabels.set(inner, Array.from(select.labels));
};

const lendFrom = (w, select) => {
  const inner = Array.from(w.querySelectorAll('input,button')).find((e) => e.labels && e.labels.length);
  if (inner && !select.labels.length) lentLabels.set(select, Array.from(inner.labels));
};

/** Whether a control only stands in for a select that is filled itself. */
const isStandIn = (el) => {
  for (const [w, select] of standIns) if (w !== select && w.contains(el) && !w.contains(select)) return true;
  return false;
};

const sightOf = (el, kind, c, s, cs) => {
  const rect = el.getBoundingClientRect();
  const b = placed(rect, s.d);
  c.b = boxOf(b);
  let see = cs.visibility === 'visible' && cs.display !== 'none' && shows(b, s, 3) && !s.aria;
  if (!see && kind === 'select') {
    const w = widgetOf(el, s);
    if (w && standsAlone(w[0], el)) { lendTo(w[0], el); return; }
    if (w) { c.b = boxOf(w[1]); c.w = 1; see = true; standIns.set(w[0], el); lendFrom(w[0], el); }
  } else if (!see && !s.gone && (kind === 'range' || kind === 'combobox')) {
    const w = frameOf(el, s, kind === 'range' ? 5 : 12);
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
    or: order, no: n, s };
  c.f = ownerOf(el, c);
  controls.push(el);
  controlRows.push(c);
  if (isStandIn(el)) c.si = 1;
  if (kind === 'hidden') { c.b = [0, 0, 0, 0]; } else { sightOf(el, kind, c, s, cs); associations(el, c); }
  describeControl(el, tag, kind, c);
  if (s.cell) c.ce = s.cell;
  if (s.group !== undefined) c.gr = s.group;
  if (s.label !== undefined) c.wl = s.label;
  if (s.frame) c.fr = s.frame;
  if (s.inside) c.in = s.inside;
  if (cs.direction === 'rtl') c.rtl = 1;
  delete c.s;
};

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

const labelRows = (top) => {
  for (const [label, k] of labelIndex) {
    const d = factsOf.get(label.ownerDocument) || top;
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
