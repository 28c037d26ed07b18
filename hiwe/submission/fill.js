// Sets controls as a person would and reads them back.

const DATES = new Set(['date', 'month', 'week', 'time', 'datetime-local']);

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

/** A box that sends nothing itself but has an empty hidden field beside it: perhaps one must pick. */
const mayMustPick = (el) => (!el.name && hasEmptyHidden(el)) || Boolean(stoodFor(el));

/** Whether the page offers anything at all for a part of the text: then one must choose. */
const offersForPart = async (el, text, before) => {
  for (const length of [3, 2, 1]) {
    await typed(el, text.slice(0, length));
    if ((await offered(el, before, 500, (all) => all.length > 0)).length) return true;
  }
  return false;
};

/** Nothing on offer is the value itself: a tag is made of it with Enter, or it must not be sent. */
const withoutOffer = async (el, text, before, offers, note) => {
  const makes = offers.filter((o) => fold(o.textContent).includes(fold(text)));
  if (stoodFor(el) && makes.length === offers.length) {
    stroke(el, 'Enter');
    for (let i = 0; i < 8 && !keptElsewhere(el, text); i += 1) await tick(i < 2 ? 0 : 25);
    note.how = 'tagged';
    if (keptElsewhere(el, text)) return '';
  }
  if (await offersForPart(el, text, before)) return 'not_offered';
  await typed(el, text);
  return '';
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
  const must = mayMustPick(el);
  if (reacted || must || suggests(el) || el.autocomplete === 'off') {
    const slow = requests() > asked || suggests(el) || must;
    const delayed = hasEmptyHidden(el) ? 600 : reacted ? 250 : 50;
    const all = await offered(el, before, slow ? FETCHED_MS : delayed, (some) => best(some, text));
    const hit = best(all, text);
    if (hit) {
      pointed(hit);
      await tick(0);
      note.how = 'picked';
    } else if (must) {
      wrong = await withoutOffer(el, text, before, all, note);
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

const setDirectly = (el, text) => {
  el.focus({ preventScroll: true });
  write(el, text);
  told(el);
  changed(el);
  leave(el);
  return el.value === '' ? 'refused' : '';
};

/** Text: typed; picked in the calendar where a date cannot be typed. */
const setText = async (el, item, note) => {
  const text = item.values[0].label;
  if (!el.readOnly) {
    const wrong = await typeInto(el, text, note);
    if (wrong || !item.day || !holds(item)) return wrong;
  }
  if (!item.day) return 'readonly';
  note.how = 'picked';
  return pickDay(el, item.day);
};

/** What a person uses in place of a select that is out of sight. */
const standInOf = (select) => [select.nextElementSibling, select.previousElementSibling, select.parentElement]
  .filter((w) => w && w.localName !== 'label').map((w) => (w.matches('[role=combobox]') ? w : w.querySelector('[role=combobox],button')))
  .find((w) => w && seen(w));

/** Choose in a select; where its script undoes it, in the list that it shows instead. */
const setSelect = async (el, item) => {
  const wrong = chooseIn(el, item.values);
  if (wrong || seen(el)) return wrong;
  await tick(0);
  const opener = holds(item) ? standInOf(el) : null;
  return opener ? openList(opener, item.values[0]) : '';
};

const setOne = async (item, note) => {
  const el = live[item.controls[0]];
  if (!el || !el.isConnected) return 'gone';
  if (item.kind === 'radio' || item.kind === 'checkbox') return checkBoxes(item);
  if (el.matches(':disabled') || el.getAttribute('aria-disabled') === 'true') return 'disabled';
  if (item.kind === 'select') return setSelect(el, item);
  if (item.kind === 'combobox' || item.kind === 'listbox') return openList(el, item.values[0]);
  const text = item.values[0].label;
  if (item.kind === 'range' && el.value === undefined) return slide(el, Number(text));
  if (DATES.has(item.kind) || item.kind === 'range' || item.kind === 'color') return setDirectly(el, text);
  return setText(el, item, note);
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
