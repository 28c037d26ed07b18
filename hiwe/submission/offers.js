// What a page offers to choose from: suggestions while one types, lists that a press opens.

const OPTIONS = '[role=option],li,.ui-menu-item,.autocomplete-suggestion,.tt-suggestion,'
  + '[class*="suggest"] > *,[class*="autocomplete"] > *,[class*="option"],[id*="suggest"] > *';
const LEVELS = 5; // elements above a box in which what it stands for is looked for
const FETCHED_MS = 1500; // suggestions that are asked for come within this time

const suggests = (el) => el.hasAttribute('aria-autocomplete') || el.hasAttribute('aria-owns')
  || el.getAttribute('role') === 'combobox' || el.hasAttribute('aria-controls')
  || /autocomplete|typeahead|suggest/i.test(el.className + ' ' + el.id);

/** The document and the shadow tree that an element stands in: pop-ups come in either. */
const treesOf = (el) => {
  const root = el.getRootNode();
  const trees = [root];
  for (let t = root; t.host; t = t.host.getRootNode()) trees.push(t.host, t.host.getRootNode());
  return trees;
};

const offersIn = (el) => [...new Set(treesOf(el).flatMap((t) => Array.from(t.querySelectorAll(OPTIONS))))];

/** Suggestions on show that were not there before; those in links would leave the page. */
const suggestionsFor = (el, before) => {
  const found = [];
  for (const o of offersIn(el)) {
    if (before.has(o) || !seen(o) || o.contains(el)) continue;
    const link = o.querySelector('a[href]') || o.closest('a[href]');
    if (link && !/^(#|javascript:)/.test(link.getAttribute('href'))) continue;
    if (!o.querySelector(OPTIONS)) found.push(o);
  }
  return found;
};

const shown = (el) => new Set(offersIn(el).filter(seen));

const best = (options, text) => {
  const wanted = fold(text);
  const bare = (o) => fold(o.textContent).replace(/\s*[([]\d[\d.,]*[)\]]$/, '');
  return options.find((o) => fold(o.textContent) === wanted) || options.find((o) => bare(o) === wanted)
    || options.find((o) => fold(o.getAttribute('data-value') || o.title) === wanted);
};

const requests = () => performance.getEntriesByType('resource').length;

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

/** An empty hidden field beside a box: perhaps a suggestion's own number goes there. */
const hasEmptyHidden = (el) => Boolean(el.form)
  && Array.from(el.form.querySelectorAll('input[type=hidden]')).some((h) => h.name && h.value === '');

/** Out of a person's sight and reach, though it may have a box of a pixel or so. */
const isAway = (el) => !seen(el) || el.tabIndex < 0 || el.getBoundingClientRect().width < 3;

/** A named control out of sight beside a box that sends nothing itself: the box stands for it. */
const stoodFor = (el) => {
  const bare = !el.name && !el.isContentEditable;
  if (!bare && !suggests(el) && !el.isContentEditable) return null;
  const root = el.closest('form') || el.ownerDocument.body;
  let up = el.parentElement;
  for (let i = 0; up && up !== root && i < LEVELS; i += 1, up = up.parentElement) {
    const around = [up, up.previousElementSibling, up.nextElementSibling].filter(Boolean);
    for (const place of around) {
      const inner = place === up || !place.matches('input,select,textarea')
        ? Array.from(place.querySelectorAll('input,select,textarea')) : [place];
      const kept = inner.filter((c) => c !== el && c.name && !c.disabled);
      const unseen = kept.filter((c) => (c.type === 'hidden' ? !c.value : isAway(c)));
      if (unseen.length === 1 && (bare || unseen[0].type !== 'hidden')) return unseen[0];
    }
    if (up.querySelectorAll('input:not([type=hidden]),select,textarea').length > 3) return null;
  }
  return null;
};

/** What is sent of a box that stands for another control. */
const sentBy = (el) => {
  const other = stoodFor(el);
  if (!other) return '';
  return other.selectedOptions ? Array.from(other.selectedOptions, (o) => `${o.value}\n${o.text}`).join('\n')
    : other.value;
};

/** The text that stands beside a box after its value was taken out of it: a tag, a chosen choice. */
const shownBeside = (el, text) => {
  const wanted = fold(text);
  const root = el.closest('form') || el.ownerDocument.body;
  let up = el.parentElement;
  for (let i = 0; up && up !== root && i < LEVELS; i += 1, up = up.parentElement) {
    const walker = el.ownerDocument.createTreeWalker(up, NodeFilter.SHOW_ELEMENT);
    for (let e = walker.nextNode(); e; e = walker.nextNode()) {
      if (e === el || e.closest('[role=listbox],[aria-live],label,script,select')) continue;
      if (e.childElementCount <= 2 && fold(e.textContent) === wanted && seen(e)) return true;
      if (fold(e.getAttribute('data-value') || e.title) === wanted && seen(e)) return true;
    }
  }
  return false;
};

/** The box to type into that came up with a list: it has the focus now. */
const searchBoxOf = (el) => {
  const focused = el.getRootNode().activeElement || el.ownerDocument.activeElement;
  return focused && focused !== el && focused.matches('input,textarea') && !focused.readOnly ? focused : null;
};

const listsOf = (el) => {
  const ids = `${el.getAttribute('aria-controls') || ''} ${el.getAttribute('aria-owns') || ''}`;
  const lists = ids.trim().split(/\s+/).map((id) => id && el.getRootNode().getElementById?.(id));
  return lists.filter(Boolean);
};

/** Open a list and press the choice; where the list has a box to search in, ask there for it. */
const openList = async (el, want) => {
  const before = shown(el);
  if (el.getAttribute('role') !== 'listbox') pointed(el);
  const until = performance.now() + FETCHED_MS;
  let asked = false;
  do {
    const marked = [el, ...listsOf(el), ...treesOf(el)];
    for (const scope of marked) {
      const hit = best(Array.from(scope.querySelectorAll('[role=option]')).filter(seen), want.label);
      if (hit) { pointed(hit); await tick(0); return ''; }
    }
    const hit = best(suggestionsFor(el, before), want.label);
    if (hit) { pointed(hit); await tick(0); return ''; }
    const box = searchBoxOf(el);
    if (box && !asked) { asked = true; write(box, want.label); told(box); key(box, 'keyup', 'a'); }
    await tick(25);
  } while (performance.now() < until);
  stroke(el.ownerDocument.activeElement || el, 'Escape');
  return 'no_option';
};
