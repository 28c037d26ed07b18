// Sets controls as a person would and reads them back.

const DATES = new Set(['date', 'month', 'week', 'time', 'datetime-local']);

const fire = (el, kind, name, init) => el.dispatchEvent(
  new (view(el))[kind](name, { bubbles: true, cancelable: true, composed: true, ...init }));
const key = (el, name, pressed) => fire(el, 'KeyboardEvent', name, { key: pressed, code: pressed });
const told = (el) => { fire(el, 'InputEvent', 'input', { inputType: 'insertText' }); };
const changed = (el) => fire(el, 'Event', 'change', { cancelable: false });

const pointed = (el) => {
  const r = el.getBoundingClientRect();
  const at = { clientX: r.left + r.width / 2, clientY: r.top + r.height / 2, button: 0, detail: 1 };
  for (const name of ['mouseover', 'mousemove']) fire(el, 'MouseEvent', name, at);
  fire(el, 'PointerEvent', 'pointerdown', at);
  fire(el, 'MouseEvent', 'mousedown', at);
  if (el.focus && el.tabIndex >= 0) el.focus({ preventScroll: true });
  fire(el, 'PointerEvent', 'pointerup', at);
  fire(el, 'MouseEvent', 'mouseup', at);
  el.click();
};

/** Write through the prototype's setter: frameworks put their own on the element. */
const write = (el, text) => {
  const proto = el.localName === 'textarea' ? view(el).HTMLTextAreaElement
    : el.localName === 'input' ? view(el).HTMLInputElement : null;
  const own = proto && Object.getOwnPropertyDescriptor(proto.prototype, 'value');
  if (own) own.set.call(el, text); else el.value = text;
};

const suggests = (el) => el.hasAttribute('aria-autocomplete') || el.hasAttribute('aria-owns')
  || el.getAttribute('role') === 'combobox' || el.hasAttribute('aria-controls')
  || /autocomplete|typeahead|suggest/i.test(el.className + ' ' + el.id);

/** Leave a control as with the Tab key: pop-ups close, checks run. */
const leave = (el) => {
  key(el, 'keydown', 'Tab');
  el.blur();
};

/** An empty hidden field beside a box: perhaps a suggestion's own number goes there. */
const hasEmptyHidden = (el) => Boolean(el.form)
  && Array.from(el.form.querySelectorAll('input[type=hidden]')).some((h) => h.name && h.value === '');

/** A box that sends nothing itself but has an empty hidden field beside it: perhaps one must pick. */
const mayMustPick = (el) => !el.name && hasEmptyHidden(el);

const OPTIONS = '[role=option],li,.ui-menu-item,.autocomplete-suggestion,.tt-suggestion,'
  + '[class*="suggest"] > *,[class*="autocomplete"] > *,[class*="option"],[id*="suggest"] > *';

/** Suggestions on show that were not there before; those in links would leave the page. */
const suggestionsFor = (el, before) => {
  const found = [];
  for (const o of el.getRootNode().querySelectorAll(OPTIONS)) {
    if (before.has(o) || !seen(o) || o.contains(el)) continue;
    const link = o.querySelector('a[href]') || o.closest('a[href]');
    if (link && !/^(#|javascript:)/.test(link.getAttribute('href'))) continue;
    if (!o.querySelector(OPTIONS)) found.push(o);
  }
  return found;
};

const shown = (el) => new Set(Array.from(el.getRootNode().querySelectorAll(OPTIONS)).filter(seen));

const best = (options, text) => {
  const wanted = fold(text);
  const bare = (o) => fold(o.textContent).replace(/\s*[([]\d[\d.,]*[)\]]$/, '');
  return options.find((o) => fold(o.textContent) === wanted) || options.find((o) => bare(o) === wanted)
    || options.find((o) => fold(o.getAttribute('data-value') || o.title) === wanted);
};

/** Type `text` at once; whether the page changed while it was told so. */
const typed = async (el, text) => {
  const observer = new MutationObserver(() => {});
  observer.observe(el.ownerDocument, { subtree: true, childList: true, attributes: true });
  key(el, 'keydown', text.slice(-1));
  if (el.isContentEditable) {
    el.ownerDocument.getSelection().selectAllChildren(el);
    el.ownerDocument.execCommand('insertText', false, text);
  } else {
    write(el, text);
    told(el);
  }
  key(el, 'keyup', text.slice(-1));
  await 0;
  const reacted = observer.takeRecords().length > 0;
  observer.disconnect();
  return reacted;
};

const requests = () => performance.getEntriesByType('resource').length;
const FETCHED_MS = 1500; // suggestions that are asked for come within this time

/** Wait at most `ms` for suggestions that `enough` accepts; longer once the page asks for some. */
const offered = async (el, before, ms, enough) => {
  const asked = requests();
  const began = performance.now();
  for (;;) {
    const all = suggestionsFor(el, before);
    const limit = requests() > asked ? Math.max(ms, FETCHED_MS) : ms;
    if (enough(all) || performance.now() > began + limit) return all;
    await tick(25);
  }
};

/** Whether the page offers anything at all for a part of the text: then one must choose. */
const offersForPart = async (el, text, before) => {
  for (const length of [3, 2, 1]) {
    await typed(el, text.slice(0, length));
    if ((await offered(el, before, 500, (all) => all.length > 0)).length) return true;
  }
  return false;
};

/** Type, and choose the suggestion that is the value itself if the page offers suggestions. */
const typeInto = async (el, text, note) => {
  if (el.maxLength >= 0 && text.length > el.maxLength) return 'too_long';
  const before = shown(el);
  const asked = requests();
  el.focus({ preventScroll: true });
  const reacted = await typed(el, text);
  note.how = 'typed';
  let wrong = '';
  if (reacted || suggests(el) || el.autocomplete === 'off') {
    const slow = requests() > asked || suggests(el) || mayMustPick(el);
    const delayed = hasEmptyHidden(el) ? 600 : reacted ? 250 : 50;
    const all = await offered(el, before, slow ? FETCHED_MS : delayed, (some) => best(some, text));
    const hit = best(all, text);
    if (hit) {
      pointed(hit);
      await tick(0);
      note.how = 'picked';
    } else if (mayMustPick(el)) {
      if (await offersForPart(el, text, before)) wrong = 'not_offered'; else await typed(el, text);
    }
  }
  if (!el.isContentEditable) changed(el);
  leave(el);
  return wrong;
};

const optionIndex = (select, want) => {
  const all = Array.from(select.options);
  const free = (o) => !o.disabled && !(o.parentNode.localName === 'optgroup' && o.parentNode.disabled);
  const fits = [
    (o) => o.value === want.value && squeeze(o.label || o.text) === want.label,
    (o) => fold(o.label || o.text) === fold(want.label),
    (o) => want.value !== '' && o.value === want.value,
  ];
  for (const fit of fits) {
    const i = all.findIndex((o) => free(o) && fit(o));
    if (i >= 0) return i;
  }
  return -1;
};

const chooseIn = (select, wants) => {
  const places = wants.map((w) => optionIndex(select, w));
  if (places.includes(-1)) return select.options.length < 2 ? 'empty' : 'no_option';
  const before = Array.from(select.selectedOptions, (o) => o.index).join();
  select.focus({ preventScroll: true });
  if (select.multiple) {
    Array.from(select.options).forEach((o, i) => { o.selected = places.includes(i); });
  } else {
    select.selectedIndex = places[0];
  }
  if (before !== Array.from(select.selectedOptions, (o) => o.index).join()) {
    told(select);
    changed(select);
  }
  return '';
};

const checkBoxes = (item) => {
  for (const i of item.controls) {
    const el = live[i];
    const wanted = item.values.some((v) => v.control === i);
    if (wanted && el.disabled) return 'disabled';
    if (el.checked !== wanted && !(el.type === 'radio' && !wanted)) el.click();
  }
  return '';
};

const openList = async (el, want) => {
  if (el.getAttribute('role') !== 'listbox') pointed(el);
  const until = performance.now() + 1500;
  do {
    const ids = `${el.getAttribute('aria-controls') || ''} ${el.getAttribute('aria-owns') || ''}`;
    const lists = ids.trim().split(/\s+/).map((id) => id && el.ownerDocument.getElementById(id));
    const scopes = [el, ...lists.filter(Boolean), el.ownerDocument];
    for (const scope of scopes) {
      const hit = best(Array.from(scope.querySelectorAll('[role=option]')).filter(seen), want.label);
      if (hit) { pointed(hit); await tick(0); return ''; }
    }
    await tick(25);
  } while (performance.now() < until);
  return 'no_option';
};

const heldBy = (item) => {
  const el = live[item.controls[0]];
  if (!el) return '';
  if (item.kind === 'select') {
    return Array.from(el.selectedOptions, (o) => squeeze(o.label || o.text)).join('\n');
  }
  if (item.kind === 'radio' || item.kind === 'checkbox') {
    return item.values.filter((v) => live[v.control].checked).map((v) => v.label).join('\n');
  }
  if (item.kind === 'listbox') {
    const on = Array.from(el.querySelectorAll('[role=option][aria-selected=true]'));
    return on.map((o) => squeeze(o.textContent)).join('\n');
  }
  return el.value === undefined || el.isContentEditable ? squeeze(el.textContent) : String(el.value);
};

/** A box that makes a tag of each value holds nothing itself: the form then sends it otherwise. */
const keptElsewhere = (el, text) => {
  if (!el.form || el.value !== '') return false;
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
  if (item.kind === 'combobox') return fold(held).includes(fold(item.values[0].label)) ? '' : 'not_taken';
  if (item.kind === 'listbox') return held === '' || fold(held).includes(fold(item.values[0].label)) ? '' : 'not_taken';
  if (item.kind === 'range' || item.kind === 'number') return Number(held) === Number(item.values[0].label) ? '' : 'not_taken';
  const text = item.values[0].label;
  return fold(held) === fold(text) || keptElsewhere(el, text) ? '' : 'not_taken';
};

const setOne = async (item, note) => {
  const el = live[item.controls[0]];
  if (!el || !el.isConnected) return 'gone';
  if (item.kind === 'radio' || item.kind === 'checkbox') return checkBoxes(item);
  if (el.matches(':disabled') || el.getAttribute('aria-disabled') === 'true') return 'disabled';
  if (item.kind === 'select') return chooseIn(el, item.values);
  if (item.kind === 'combobox' || item.kind === 'listbox') return openList(el, item.values[0]);
  const text = item.values[0].label;
  if (DATES.has(item.kind) || item.kind === 'range' || item.kind === 'color') {
    el.focus({ preventScroll: true });
    write(el, text);
    told(el);
    changed(el);
    leave(el);
    return el.value === '' ? 'refused' : '';
  }
  return typeInto(el, text, note);
};

const rowOf = (item, wrong, how) => ({ element: item.element, held: heldBy(item), wrong, how });

const fillAll = async (items) => {
  const rows = [];
  for (const item of items) {
    const note = {};
    const wrong = await setOne(item, note) || holds(item);
    rows.push(rowOf(item, wrong, note.how || ''));
  }
  return rows;
};

/** What the controls hold now, after the page had time to change its mind. */
const readAll = (items) => items.map((item) => rowOf(item, holds(item), ''));

/** Focus one control to be typed into with real keys. */
const focusOn = (index) => {
  const el = live[index];
  if (!el || !el.isConnected) return false;
  el.focus();
  return true;
};

const leaveIt = (index) => { if (live[index]) leave(live[index]); };
