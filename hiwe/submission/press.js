// At the press: whether the browser would send, where to press, what selects hold.

/** Choices of selects as they are now. */
const domains = (selects) => JSON.stringify(selects.map((i) => {
  const el = live[i];
  if (!el || !el.isConnected || !el.options || el.matches(':disabled')) return null;
  return Array.from(el.options, (o) => [o.value, squeeze(o.label || o.text), o.selected, o.disabled,
    o.parentNode.localName === 'optgroup' ? o.parentNode.label : '']);
}));

/** Why the browser would refuse to send, '' if it would send. */
const refusal = (controls, submitter) => {
  const button = submitter >= 0 ? live[submitter] : null;
  const first = controls.map((i) => live[i]).find((el) => el && el.form);
  const form = (button && button.form) || (first && first.form);
  if (!form || form.noValidate || (button && button.formNoValidate)) return '';
  for (const el of form.elements) {
    if (el.willValidate && !el.validity.valid) {
      return `${el.name || el.id || el.type}: ${el.validationMessage}`;
    }
  }
  return '';
};

const hitIn = (root, x, y) => {
  let el = root.elementFromPoint(x, y);
  while (el && el.shadowRoot) {
    const inner = el.shadowRoot.elementFromPoint(x, y);
    if (!inner || inner === el) break;
    el = inner;
  }
  return el;
};

const over = (el, hit) => {
  for (let e = hit; e; e = e.parentNode || e.host) if (e === el) return true;
  const label = hit && hit.closest && hit.closest('label');
  return Boolean(label && label.control === el);
};

/** The point of the window to press for an element, and whether it lies free. */
const aimAt = (el) => {
  if (!el || !el.isConnected) return { free: false, gone: true };
  el.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  const rects = Array.from(el.getClientRects()).filter((r) => r.width > 0 && r.height > 0);
  if (!rects.length) return { free: false, unseen: true };
  let x = rects[0].left + rects[0].width / 2;
  let y = rects[0].top + rects[0].height / 2;
  let free = over(el, hitIn(el.ownerDocument, x, y));
  let win = el.ownerDocument.defaultView;
  while (win !== win.parent && win.frameElement) {
    const frame = win.frameElement;
    frame.scrollIntoView({ block: 'nearest', behavior: 'instant' });
    const r = frame.getBoundingClientRect();
    x += r.left + frame.clientLeft;
    y += r.top + frame.clientTop;
    free = free && over(frame, hitIn(frame.ownerDocument, x, y));
    win = win.parent;
  }
  const disabled = el.matches(':disabled') || el.getAttribute('aria-disabled') === 'true';
  return { x, y, free, disabled };
};

const aim = (index) => JSON.stringify(aimAt(live[index]));

/** Send without a press: for a button that nothing can reach, or a form without any. */
const force = (submitter, controls) => {
  const button = submitter >= 0 ? live[submitter] : null;
  if (button && button.isConnected) { button.click(); return 'clicked'; }
  const first = controls.map((i) => live[i]).find((el) => el && el.form);
  if (!first) return 'none';
  first.form.requestSubmit();
  return 'requested';
};

/** Focus the first text box, so that Enter sends the form. */
const focusText = (controls) => {
  const el = controls.map((i) => live[i]).find((e) => e && e.matches
    && e.matches('input:not([type=hidden],[type=checkbox],[type=radio],[type=submit],[type=button])'));
  if (!el) return false;
  el.focus({ preventScroll: true });
  return true;
};

/** Fill, and look at once whether the form can be sent: null when the page has moved on. */
const carry = async (items, read, controls, submitter) => {
  if (!live.length) return 'null';
  const rows = read ? readAll(items) : await fillAll(items);
  const watch = window[Symbol.for('hiwe.watch')];
  const out = { rows, why: '', aim: null, status: {} };
  if (rows.every((r) => !r.wrong)) {
    out.why = refusal(controls, submitter);
    if (!out.why && submitter >= 0) out.aim = aimAt(live[submitter]);
  }
  if (watch) out.status = watch.status();
  return JSON.stringify(out);
};
