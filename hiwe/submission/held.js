// Read controls back: what they hold, and whether that is what was wanted.

const heldBy = (item) => {
  const el = live[item.controls[0]];
  if (!el) return '';
  if (item.kind === 'select') {
    return Array.from(el.selectedOptions, (o) => squeeze(o.label || o.text)).join('\n');
  }
  if (item.kind === 'radio' || item.kind === 'checkbox') {
    return item.values.filter((v) => v.control >= 0 && isOn(live[v.control])).map((v) => v.label).join('\n');
  }
  if (item.kind === 'listbox') {
    const on = Array.from(el.querySelectorAll('[role=option][aria-selected=true]'));
    return on.map((o) => squeeze(o.textContent)).join('\n');
  }
  if (el.value === undefined && el.hasAttribute('aria-valuenow')) return el.getAttribute('aria-valuenow');
  return el.value === undefined || el.isContentEditable ? squeeze(el.textContent) : String(el.value);
};

/** A box that gives each value away holds nothing itself: a tag beside it, or the form, has it. */
const keptElsewhere = (el, text) => {
  if (el.isContentEditable ? squeeze(el.textContent) : el.value) return false;
  if (fold(sentBy(el)).includes(fold(text)) || shownBeside(el, text)) return true;
  if (!el.form) return false;
  const sent = Array.from(new (view(el).FormData)(el.form).values());
  return sent.some((v) => typeof v === 'string' && fold(v).includes(fold(text)));
};

/** Whether the control holds what was wanted; text may be tidied by the page (spaces, case). */
const holds = (item) => {
  const el = live[item.controls[0]];
  if (!el || !el.isConnected) return 'gone';
  const held = heldBy(item);
  if (item.kind === 'select' || item.kind === 'radio' || item.kind === 'checkbox') {
    return held.split('\n').sort().join() === item.values.map((v) => v.label).sort().join() ? '' : 'not_taken';
  }
  const text = item.values[0].label;
  if (item.kind === 'combobox') {
    return fold(held).includes(fold(text)) || keptElsewhere(el, text) ? '' : 'not_taken';
  }
  if (item.kind === 'listbox') return held === '' || fold(held).includes(fold(text)) ? '' : 'not_taken';
  if (item.kind === 'range' || item.kind === 'number') return Number(held) === Number(text) ? '' : 'not_taken';
  if (el.readOnly && item.day) return namesDay(held, item.day.split('-').map(Number)) ? '' : 'not_taken';
  return fold(held) === fold(text) || keptElsewhere(el, text) ? '' : 'not_taken';
};
