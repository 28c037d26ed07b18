// Calendars that open at a date box: find the month on show, turn to the wanted one, press the day.

const DAY = /^(?:0?[1-9]|[12]\d|3[01])$/;
const OPENS_MS = 1200;
const TURNS_MS = 10000;
const MOST_TURNS = 600; // fifty years, month by month
const NEXT = /next|forward|right|later|weiter|vorw|nächst|suiv|sigui|avanti|succ|próx|след|^[›»>→]+$/i;
const PREVIOUS = /prev|back|left|earlier|zurück|vorig|préc|anter|prece|indietro|пред|^[‹«<←]+$/i;
const CONFIRMS = /^(?:ok|apply|done|set|select|übernehmen|fertig|appliquer|valider|applica|aplicar|aceptar|готово)$/i;
const LANGUAGES = ['en', 'de', 'fr', 'it', 'es', 'pt', 'nl', 'pl', 'ru', 'cs', 'sv', 'da', 'fi', 'tr',
  'hu', 'ro', 'el', 'uk', 'bg', 'hr', 'ca', 'nb', 'ja', 'zh', 'ko'];

/** The names that months have -> the month, from 0; the page's own language goes before others. */
const monthNames = () => {
  const names = new Map();
  for (const language of [document.documentElement.lang || 'en', ...LANGUAGES]) {
    for (const month of ['long', 'short']) {
      let written;
      try { written = new Intl.DateTimeFormat(language, { month, timeZone: 'UTC' }); } catch (error) { continue; }
      for (let m = 0; m < 12; m += 1) {
        const name = fold(written.format(new Date(Date.UTC(2001, m, 15)))).replace(/\.$/, '');
        if (!names.has(name)) names.set(name, m);
      }
    }
  }
  return names;
};

const wordsIn = (text) => fold(text).split(/[^\p{L}\p{N}]+/u).filter(Boolean);

const monthIn = (text, names) => {
  const word = wordsIn(text).find((w) => names.has(w));
  return word === undefined ? null : names.get(word);
};

const yearIn = (text) => { const y = /(?<!\d)(?:19|20)\d\d(?!\d)/.exec(text); return y ? Number(y[0]) : null; };

const isCell = (e) => e.childElementCount < 4 && DAY.test(squeeze(e.textContent))
  && !Array.from(e.children).some((c) => DAY.test(squeeze(c.textContent))) && seen(e);

const cellsIn = (root) => Array.from(root.querySelectorAll('td,a,button,span,div,li,abbr,time')).filter(isCell);

/** The smallest element that shows all days from 1 to 28; null while there is none. */
const gridFor = (el, scope) => {
  for (const tree of scope ? [scope] : treesOf(el)) {
    for (const first of cellsIn(tree).filter((c) => Number(squeeze(c.textContent)) === 1)) {
      for (let up = first.parentElement, i = 0; up && i < 7; up = up.parentElement, i += 1) {
        const days = new Set(cellsIn(up).map((c) => Number(squeeze(c.textContent))));
        if (days.size >= 28) return up;
      }
    }
  }
  return null;
};

/** Text round the grid, without its days and without what lists hold. */
const headText = (up, grid) => {
  const out = [];
  const walker = document.createTreeWalker(up, NodeFilter.SHOW_TEXT);
  for (let t = walker.nextNode(); t; t = walker.nextNode()) {
    const box = t.parentElement;
    if (grid.contains(box) && isCell(box)) continue;
    if (!box.closest('select') && seen(box)) out.push(t.data);
  }
  return out.join(' ');
};

const listOf = (up, test) => Array.from(up.querySelectorAll('select'))
  .find((s) => s.options.length && Array.from(s.options).every((o) => test(o)));

/** What a calendar shows: its grid, head, month and year, and the boxes that set these. */
const calendarOf = (el, names, scope) => {
  const grid = gridFor(el, scope);
  if (!grid) return scope ? calendarOf(el, names) : null;
  for (let up = grid, i = 0; up && i < 6; up = up.parentElement, i += 1) {
    const months = listOf(up, (o) => monthIn(o.text, names) !== null);
    const years = listOf(up, (o) => yearIn(o.text) !== null);
    const typed = Array.from(up.querySelectorAll('input')).find((b) => b !== el && yearIn(b.value) !== null && b.value.length === 4);
    const text = headText(up, grid);
    const month = months ? monthIn(months.selectedOptions[0]?.text || '', names) : monthIn(text, names);
    const year = years ? yearIn(years.selectedOptions[0]?.text || '') : typed ? yearIn(typed.value) : yearIn(text);
    if (month !== null && year !== null) return { grid, up, at: year * 12 + month, months, years, typed };
  }
  return null;
};

const choose = (select, test) => {
  const option = Array.from(select.options).find((o) => !o.disabled && test(o));
  if (!option || option.selected) return false;
  option.selected = true;
  told(select);
  changed(select);
  return true;
};

/** Set month and year where the calendar has boxes for them; whether something was set. */
const setHead = (cal, wanted, names) => {
  const year = Math.floor(wanted / 12);
  const now = Math.floor(cal.at / 12);
  if (cal.years && now !== year && choose(cal.years, (o) => yearIn(o.text) === year)) return true;
  if (cal.typed && now !== year && !cal.typed.readOnly) {
    write(cal.typed, String(year));
    told(cal.typed);
    key(cal.typed, 'keyup', String(year).slice(-1));
    changed(cal.typed);
    return true;
  }
  return Boolean(cal.months && now === year && choose(cal.months, (o) => monthIn(o.text, names) === wanted % 12));
};

/** What can be pressed round the grid, and which way it seems to lead: 1, -1. */
const arrowsOf = (cal) => {
  const found = Array.from(cal.up.querySelectorAll('a,button,th,span,div,td,i,[role=button]'))
    .filter((e) => seen(e) && !isCell(e) && !e.querySelector('select,input,table,td') && !e.contains(cal.grid)
      && squeeze(e.textContent).length <= 14 && getComputedStyle(e).pointerEvents !== 'none');
  const way = (e) => {
    const marks = [squeeze(e.textContent), e.title, e.getAttribute('aria-label'), e.getAttribute('data-action'),
      String(e.className.baseVal ?? e.className)];
    return marks.some((m) => PREVIOUS.test(m || '')) ? -1 : marks.some((m) => NEXT.test(m || '')) ? 1 : 0;
  };
  const known = found.map((e) => [e, way(e)]).filter((pair) => pair[1]);
  return known.filter(([e]) => !known.some(([other]) => other !== e && e.contains(other) && e.localName !== 'button' && e.localName !== 'a'));
};

const reread = async (el, names, { at, up }) => {
  let cal = null;
  for (let i = 0; i < 12; i += 1) {
    cal = calendarOf(el, names, up.isConnected ? up : null);
    if (cal && cal.at !== at) break;
    await (i ? tick(i < 3 ? 0 : 25) : 0);
  }
  return cal;
};

/** Turn the leaves until the wanted month is on show; null when it cannot be reached. */
const turnTo = async (el, wanted, names) => {
  const until = performance.now() + TURNS_MS;
  const steps = new Map(); // place among the arrows -> months that one press turned
  let cal = calendarOf(el, names);
  for (let i = 0; cal && cal.at !== wanted && i < MOST_TURNS && performance.now() < until; i += 1) {
    const before = cal;
    if (setHead(cal, wanted, names)) {
      cal = await reread(el, names, before);
      if (cal && cal.at !== before.at) continue;
    }
    if (!cal) return null;
    const gap = wanted - before.at;
    const arrows = arrowsOf(cal);
    const step = (place) => steps.get(place) ?? arrows[place][1];
    const useful = arrows.map((_, place) => place).filter((p) => step(p) * gap > 0);
    const fresh = useful.find((p) => !steps.has(p));
    const sure = useful.filter((p) => Math.abs(step(p)) <= Math.abs(gap)).sort((a, b) => Math.abs(step(b)) - Math.abs(step(a)))[0];
    const place = fresh ?? sure;
    if (place === undefined) return null;
    pointed(arrows[place][0]);
    cal = await reread(el, names, before);
    steps.set(place, cal ? cal.at - before.at : 0);
  }
  return cal && cal.at === wanted ? cal : null;
};

/** Whether a text names the day; in which order its numbers stand was the calendar's choice. */
const namesDay = (text, [year, month, day], names) => {
  const numbers = (text.match(/\d+/g) || []).map(Number);
  for (const part of [[year, year % 100], [day]]) {
    const at = numbers.findIndex((n) => part.includes(n));
    if (at < 0) return false;
    numbers.splice(at, 1);
  }
  return numbers.includes(month) || monthIn(text, names || monthNames()) === month - 1;
};

/** Pick a day ('2010-12-24') in the calendar that opens at a box. */
const pickDay = async (el, day) => {
  const [year, month, date] = day.split('-').map(Number);
  const names = monthNames();
  if (!gridFor(el)) { pointed(el); el.focus({ preventScroll: true }); }
  const until = performance.now() + OPENS_MS;
  while (!calendarOf(el, names) && performance.now() < until) await tick(25);
  const cal = await turnTo(el, year * 12 + month - 1, names);
  if (!cal) { stroke(el, 'Escape'); return gridFor(el) ? 'no_option' : 'readonly'; }
  const cells = cellsIn(cal.grid);
  const first = cells.findIndex((c) => Number(squeeze(c.textContent)) === 1);
  const cell = cells[first + date - 1];
  if (!cell || Number(squeeze(cell.textContent)) !== date) return 'no_option';
  const before = el.value;
  pointed(cell);
  for (let i = 0; i < 12 && el.value === before; i += 1) await tick(i < 2 ? 0 : 25);
  if (el.value === before) {
    const ok = Array.from(cal.up.querySelectorAll('button,a,[role=button]')).find((b) => seen(b) && CONFIRMS.test(squeeze(b.textContent)));
    if (ok) { pointed(ok); await tick(0); }
  }
  if (gridFor(el)) stroke(el, 'Escape');
  leave(el);
  return namesDay(el.value, [year, month, date], names) ? '' : 'not_taken';
};
