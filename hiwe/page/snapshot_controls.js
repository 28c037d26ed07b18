// Controls as the browser sees them: kind, value, owner, options, explicit association.

const CONTROL_TAGS = new Set(['input', 'select', 'textarea', 'button']);
const CLICK_INPUTS = new Set(['submit', 'image', 'button']);
const WIDGET = new RegExp('select2|chosen|selectize|selectric|nice-?select|selectpicker|selectmenu'
  + '|select-?box|choices|ts-control|custom-?select|multiselect|dropdown|jqtransform|styled'
  + '|uniform|selector|combobox|jcf-|sbholder|fancy|ts-wrapper|ss-main', 'i');
const SPOKEN_SKIP = new Set(['select', 'textarea', 'button', 'script', 'style', 'datalist',
  'noscript', 'template', 'option']);

const squeezed = (text) => text.replace(/\s+/g, ' ').trim();
const attribute = (el, name) => el.getAttribute(name) || '';

/** The text of an element without the controls in it; images by their alternative text. */
const spoken = (el, hiddenToo) => {
  let out = '';
  const step = (node) => {
    if (node.nodeType === 3) { out += node.data; return; }
    if (node.nodeType !== 1 || (node !== el && SPOKEN_SKIP.has(node.localName))) return;
    if (node.localName === 'img') { out += ` ${attribute(node, 'alt')} `; return; }
    if (node.localName === 'br') { out += ' '; return; }
    if (!hiddenToo && node !== el && !node.checkVisibility({ visibilityProperty: true })) return;
    const style = getComputedStyle(node).display;
    const block = style !== 'inline' && style !== 'contents';
    if (block) out += ' ';
    for (const c of node.localName === 'slot' ? node.assignedNodes({ flatten: true }) : node.childNodes) step(c);
    if (block) out += ' ';
  };
  step(el);
  return squeezed(out);
};

const dataOf = (el) => {
  let out = null;
  for (const a of el.attributes) {
    if (a.name.startsWith('data-')) (out = out || []).push([a.name, a.value]);
  }
  return out;
};

/** One choice: short keys, defaults left out. */
const choice = (value, label, group, selected, disabled, el, withData) => {
  const o = { v: value, l: label };
  if (group) o.g = group;
  if (selected) o.s = 1;
  if (disabled) o.d = 1;
  if (el.id) o.i = el.id;
  const data = withData && el.attributes.length ? dataOf(el) : null;
  if (data) o.x = data;
  return o;
};

const optionsOf = (list) => {
  const withData = list.length <= 500;
  return Array.from(list, (o) => {
    const parent = o.parentNode;
    const grouped = parent && parent.localName === 'optgroup';
    return choice(o.value, squeezed(o.label || o.text), grouped ? parent.label : '', o.selected,
      o.disabled || (grouped && parent.disabled), o, withData);
  });
};

/** Elements that an id list attribute names, in the element's own tree. */
const named = (el, name) => {
  const ids = el.getAttribute(name);
  if (!ids) return [];
  const root = el.getRootNode();
  const found = [];
  for (const id of ids.trim().split(/\s+/)) {
    const hit = (root.getElementById && root.getElementById(id)) || el.ownerDocument.getElementById(id);
    if (hit) found.push(hit);
  }
  return found;
};

/** Choices that a list showed when it was opened (lists.js). */
const CHOICES = Symbol.for('hiwe.choices');

/** Choices of an ARIA list: inside the element, or in the list that it controls. */
const ariaOptions = (el) => {
  const host = el.getRootNode().host; // a component's own choices stand beside its shadow tree
  const lists = [el, ...named(el, 'aria-controls'), ...named(el, 'aria-owns'), ...(host ? [host] : [])];
  const out = [];
  for (const list of lists) {
    for (const o of list.querySelectorAll('[role=option]')) {
      const text = squeezed(o.textContent);
      out.push(choice(text, text, '', o.getAttribute('aria-selected') === 'true',
        o.getAttribute('aria-disabled') === 'true', o, true));
    }
  }
  if (!out.length && el[CHOICES]) {
    for (const text of el[CHOICES]) out.push(choice(text, text, '', false, false, { attributes: [] }));
  }
  return out;
};

const SENDS = new RegExp('submit|search|query|such|cerca|busca|recherch|find|send|zoek|szuka|hled|hľada'
  + '|keres|caut|căut|søk|søg|sök|etsi|arama|^ara$|поиск|найти|искать|шука|знайти|търси|αναζήτ|بحث|جستجو'
  + '|חפש|חיפוש|検索|搜索|搜尋|查询|查詢|查找|검색|찾기|tìm|cari|ค้นหา|खोज', 'i');
const POSTS_BACK = /__doPostBack|jsfcljs/; // how pages made of one form send it, for whatever end
const PRESSED = /(^|[-_ ])(btn|button|submit)/i;
const RUNS = /^(#|javascript:|$)/i;
const LONGEST_PRESSED = 40; // characters; more is a text

/** Does an element that is no button send something when it is pressed, as far as one can see? */
const isPressed = (el, tag, inForm) => {
  const href = tag === 'a' ? attribute(el, 'href') : '';
  const click = attribute(el, 'onclick');
  if (tag === 'a' ? !RUNS.test(href) && !(inForm && click) : !click && (inForm || !PRESSED.test(attribute(el, 'class')))) return false;
  const script = `${/^javascript:/i.test(href) ? href : ''} ${click}`;
  const text = squeezed(el.textContent);
  if (inForm && !SENDS.test(script) && !(POSTS_BACK.test(script) && SENDS.test(text))) return false;
  if (/[:：]$/.test(text)) return false; // a label that can be pressed
  if (inForm) return true;
  if (tag === 'label' || tag === 'body' || text.length > LONGEST_PRESSED) return false;
  const marks = [script, el.id, attribute(el, 'class'), attribute(el, 'title'), attribute(el, 'alt')];
  return SENDS.test(text) || SENDS.test(marks.join(' '));
};

/** An element that scripts made a button of. */
const actsAsButton = (el, tag, role, inForm) => (role === 'button' || isPressed(el, tag, inForm))
  && !el.querySelector('input,select,textarea,button');

const DRAWN = { checkbox: 'checkbox', switch: 'checkbox', radio: 'radio', slider: 'range',
  spinbutton: 'number' };

/** The kind of a control that a script drew, '' where a native one stands behind it. */
const drawnKind = (el, role) => {
  const kind = DRAWN[role];
  if (!kind) return '';
  const type = kind === 'checkbox' || kind === 'radio' ? `[type=${kind}]` : ':not([type=hidden])';
  const native = `input${type}:not([aria-hidden=true])`;
  const near = [el.previousElementSibling, el.nextElementSibling, el.closest('label')?.control];
  return el.querySelector(native) || near.some((n) => n && n !== el && n.matches(native)) ? '' : kind;
};

/** A box that opens a list and takes no text. */
const isDropDown = (el) => el.readOnly && el.getAttribute('role') === 'combobox';

/** The kind of a control, '' for an element that is none. */
const kindOf = (el, tag, inForm) => {
  if (el[CHOICES]) return 'combobox';
  if (tag === 'input') return isDropDown(el) ? 'combobox' : el.type;
  if (tag === 'select' || tag === 'textarea') return tag;
  const role = el.getAttribute('role');
  if (tag === 'button') return (role && (role === 'combobox' ? role : drawnKind(el, role))) || el.type;
  if (role === 'combobox') return el.querySelector('input') ? '' : 'combobox';
  if (role && DRAWN[role]) return drawnKind(el, role);
  if (role === 'listbox') return 'listbox';
  if (actsAsButton(el, tag, role, inForm)) return 'button';
  if (el.hasAttribute('contenteditable') && el.isContentEditable) return 'contenteditable';
  if (tag.includes('-') && customElements.get(tag)?.formAssociated) {
    return typeof el.checked === 'boolean' ? 'checkbox' : 'text';
  }
  return '';
};

/** A visible stand-in that a script library put beside a select that it hid. */
const widgetOf = (el, s) => {
  const near = [el.nextElementSibling, el.nextElementSibling?.nextElementSibling,
    el.previousElementSibling, el.parentElement];
  for (const w of near) {
    if (!w || CONTROL_TAGS.has(w.localName) || w.localName === 'label') continue;
    const tells = WIDGET.test(attribute(w, 'class')) || w.matches('[role=combobox],[aria-haspopup]');
    if (!tells || w.contains(el) && w.querySelectorAll('select,input').length > 2) continue;
    const b = placed(w.getBoundingClientRect(), s.d);
    const open = w.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    if (open && b[2] - b[0] >= 12 && b[3] - b[1] >= 8 && b[2] > s.d.left + 1 && b[3] > s.d.top + 1) {
      return [w, b];
    }
  }
  return null;
};

/** What a person sees of a box that is out of sight itself: a slider's thumb, a drop-down's frame. */
const frameOf = (el, s, least) => {
  for (let up = el.parentElement, i = 0; up && i < 3; up = up.parentElement, i += 1) {
    const b = placed(up.getBoundingClientRect(), s.d);
    if (b[2] - b[0] < least || b[3] - b[1] < least || b[2] <= s.d.left || b[3] <= s.d.top) continue;
    return up.checkVisibility({ opacityProperty: true, visibilityProperty: true }) ? b : null;
  }
  return null;
};

/** The label that stands for a hidden box: a styled radio, checkbox or file control. */
const labelBoxOf = (el, s) => {
  for (const label of labelsOf.get(el) || []) {
    if (!label.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const b = placed(label.getBoundingClientRect(), s.d);
    if (b[2] - b[0] >= 4 && b[3] - b[1] >= 4 && b[2] > s.d.left && b[3] > s.d.top) return b;
  }
  return null;
};

const buttonText = (el, tag, kind) => {
  if (tag !== 'input') return spoken(el, false) || attribute(el, 'aria-label') || attribute(el, 'title');
  if (kind === 'image') return el.alt || attribute(el, 'aria-label') || el.title || el.value;
  if (kind === 'submit' || kind === 'reset') {
    return el.hasAttribute('value') ? el.value : (kind === 'submit' ? 'Submit' : 'Reset');
  }
  return kind === 'button' ? el.value : '';
};

const PLAIN = new Map([['title', 'ti'], ['placeholder', 'ph'], ['aria-label', 'al'], ['autocomplete', 'ac'],
  ['pattern', 'pt'], ['min', 'mi'], ['max', 'ma'], ['step', 'st'], ['role', 'ro'], ['class', 'cl'],
  ['inputmode', 'im'], ['onchange', 'oc'], ['onclick', 'ok'], ['aria-roledescription', 'rd'], ['aria-expanded', 'ex'], ['aria-haspopup', 'hp']]);

/** Attribute facts of a control, defaults left out. */
const attributesOf = (el, c) => {
  for (const a of el.attributes) {
    const name = a.name;
    if (name.startsWith('data-')) (c.x = c.x || []).push([name, a.value]);
    else if (PLAIN.has(name) && a.value) c[PLAIN.get(name)] = a.value;
  }
};

/** A drawn control: its text is its label, its value stands in ARIA attributes. */
const describeDrawn = (el, c) => {
  c.dr = 1;
  const text = spoken(el, false);
  const value = attribute(el, 'data-value') || attribute(el, 'aria-valuenow') || attribute(el, 'value');
  c.v = value || (DRAWN[c.ro] === 'radio' ? text || c.al || '' : '');
  if (text && !c.al) c.al = text;
  if (el.hasAttribute('aria-valuemin')) c.mi = attribute(el, 'aria-valuemin');
  if (el.hasAttribute('aria-valuemax')) c.ma = attribute(el, 'aria-valuemax');
};

/** The field that tells which way the text runs, and the way it runs now; 'auto' by its letters. */
const directionOf = (el, c) => {
  const name = el.getAttribute('dirname');
  if (name === null) return;
  c.dn = name;
  c.dd = el.dir === 'auto' ? 'auto' : el.matches(':dir(rtl)') ? 'rtl' : 'ltr';
};

const describeControl = (el, tag, kind, c) => {
  attributesOf(el, c);
  if (kind === 'hidden') {
    c.v = el.value;
    directionOf(el, c);
    if (el.matches(':disabled')) c.di = 1;
    return;
  }
  if (el.checked || el.getAttribute('aria-checked') === 'true') c.ch = 1;
  if (el.matches(':disabled') || el.getAttribute('aria-disabled') === 'true') c.di = 1;
  if (el.readOnly || el.getAttribute('aria-readonly') === 'true') c.re = 1;
  if (el.required || el.getAttribute('aria-required') === 'true') c.rq = 1;
  if (el.multiple || el.getAttribute('aria-multiselectable') === 'true') c.mu = 1;
  if (el.maxLength >= 0) c.ml = el.maxLength;
  if (el.tabIndex < 0) c.tb = 1;
  if (tag.includes('-') && !c.al) c.al = attribute(el, 'label');
  if (tag === 'select') c.o = optionsOf(el.options);
  else if (kind === 'combobox' || kind === 'listbox') c.o = ariaOptions(el);
  else if (tag === 'input' && el.list) c.o = optionsOf(el.list.options);
  else if (tag === 'input' && el.getAttribute('role') === 'combobox') c.o = ariaOptions(el);
  if (tag !== 'input' && DRAWN[c.ro]) describeDrawn(el, c);
  else c.v = kind === 'contenteditable' || kind === 'combobox' ? squeezed(el.textContent)
    : (kind === 'file' ? '' : String(el.value ?? ''));
  if (kind === 'button' || tag === 'button' || tag === 'input') c.t = squeezed(buttonText(el, tag, kind));
  if (el.hasAttribute('formaction')) c.fa = el.formAction;
  if (el.hasAttribute('formmethod')) c.fm = el.formMethod;
  if (el.hasAttribute('formenctype')) c.fe = el.formEnctype;
  directionOf(el, c);
};
