// Installed before any script of a page runs, in every frame: notes when the document last changed
// and which one-shot timers are still to come, so that "settled" can be told from "still waiting".
(() => {
  const KEY = Symbol.for('hiwe.watch');
  if (window[KEY]) return;
  const LONGEST_TIMER_MS = 10000;
  const DEEPEST_TIMER = 3; // timers that set timers again and again are a clock, not an answer
  const nativeTimeout = window.setTimeout;
  const nativeClear = window.clearTimeout;
  const now = () => performance.now();
  const watch = {
    born: now(), last: now(), styled: 0, count: 0, late: 0, depth: 0, timers: new Map(),
    interactive: document.readyState === 'loading' ? 0 : now(), clicks: 0,
  };
  Object.defineProperty(window, KEY, { value: watch });

  window.setTimeout = function setTimeout(handler, delay, ...rest) {
    const ms = Number(delay) || 0;
    if (ms < 1 || ms > LONGEST_TIMER_MS || typeof handler !== 'function'
        || watch.depth >= DEEPEST_TIMER) {
      return nativeTimeout.call(window, handler, delay, ...rest);
    }
    const depth = watch.depth + 1;
    const id = nativeTimeout.call(window, function fire(...given) {
      watch.timers.delete(id);
      const before = watch.depth;
      watch.depth = depth;
      try { return handler.apply(this, given); } finally { watch.depth = before; }
    }, delay, ...rest);
    watch.timers.set(id, now() + ms);
    return id;
  };
  window.clearTimeout = function clearTimeout(id) {
    watch.timers.delete(id);
    return nativeClear.call(window, id);
  };

  const STYLE = new Set(['class', 'style']);
  const observer = new MutationObserver((records) => {
    let structural = 0;
    for (const r of records) if (r.type !== 'attributes' || !STYLE.has(r.attributeName)) structural++;
    if (structural < records.length) watch.styled = now();
    if (!structural) return;
    watch.count += structural;
    watch.last = now();
    if (watch.interactive) watch.late += structural;
  });
  const WHAT = { subtree: true, childList: true, characterData: true, attributes: true,
    attributeFilter: ['hidden', 'disabled', 'open', 'class', 'style', 'aria-busy', 'value'] };
  observer.observe(document, WHAT);
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function attachShadow(init) {
    const root = attach.call(this, init);
    observer.observe(root, WHAT);
    watch.late++;
    return root;
  };
  document.addEventListener('readystatechange', () => {
    if (document.readyState === 'interactive') watch.interactive = now();
  });

  // Timers still to come within `horizon` ms after the page was born or `from`, soonest first.
  const timersDue = (horizon, from) => {
    const t = now(), due = [];
    for (const [id, at] of watch.timers) {
      if (at < t - 100) watch.timers.delete(id); // cleared in a way we do not see
      else if (at <= from + horizon) due.push(at - t);
    }
    return due.length;
  };

  const refreshOf = () => {
    const meta = document.querySelector('meta[http-equiv="refresh" i]');
    if (!meta) return null;
    const m = /^\s*(\d+(?:\.\d*)?)\s*(?:[;,]\s*(?:url\s*=\s*)?["']?([^"']*))?/i.exec(meta.content);
    return m && { delay: Number(m[1]), url: m[2] ? new URL(m[2], document.baseURI).href : '' };
  };

  // A short page that asks for patience, or a visible part that says it is busy.
  const WAIT = new RegExp('please wait|one moment|just a moment|searching|loading|in progress'
    + '|bitte warten|einen moment|wird geladen|suche läuft|veuillez patienter|recherche en cours'
    + '|chargement|attendere|ricerca in corso|caricamento|espere|un momento|buscando|cargando'
    + '|aguarde|carregando|even geduld|een ogenblik|bezig met|vänta|vent venligst|vennligst vent'
    + '|odota|proszę czekać|trwa wyszukiwanie|čekejte|prosím čakajte|kérjük várjon|așteptați'
    + '|подождите|идёт поиск|загрузка|зачекайте|моля изчакайте|περιμένετε|lütfen bekleyin'
    + '|请稍候|請稍候|お待ちください|読み込み中|검색 중|잠시만', 'i');
  const SHORT = 400;
  const isBusy = () => {
    const body = document.body;
    if (!body) return false;
    const text = body.textContent.length < 4 * SHORT ? body.innerText : '';
    if (text && text.length < SHORT && !body.querySelector('input:not([type=hidden]),select')
      && WAIT.test(text)) return true;
    for (const el of document.querySelectorAll('[aria-busy="true"],[role=progressbar]')) {
      if (el.checkVisibility({ visibilityProperty: true, opacityProperty: true })
        && el.getClientRects().length) return true;
    }
    return false;
  };

  watch.status = (horizon = 0, from = 0) => {
    const t = now();
    return {
      ready: document.readyState === 'complete', age: t - watch.born,
      interactive: watch.interactive ? t - watch.interactive : -1,
      still: t - watch.last, styled: t - watch.styled, count: watch.count, late: watch.late,
      timers: horizon ? timersDue(horizon, from) : 0, refresh: refreshOf(),
      busy: isBusy(), url: location.href,
      at: t, length: document.body ? document.body.textContent.length : 0,
    };
  };

  // Resolves with the status once the document is at rest, or after `limit` ms whatever it does.
  watch.rest = ({ quiet, limit, horizon, from, count, until }) => new Promise((resolve) => {
    const began = now();
    const look = () => {
      const s = watch.status(horizon, from);
      const parsed = s.ready || s.interactive > 2500;
      const touched = s.late > 0 || from > 0;
      const need = touched ? quiet : 0;
      const styles = s.styled >= need || s.still >= 4 * need;
      const untouched = s.count === count && s.at < until;
      s.rest = parsed && s.still >= need && styles && s.timers === 0 && !untouched;
      if (s.rest || now() - began >= limit) resolve(JSON.stringify(s));
      else nativeTimeout.call(window, look, s.still < need ? Math.min(need - s.still + 1, 40) : 15);
    };
    look();
  });
})();
