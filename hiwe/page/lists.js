async () => {
  'use strict';
  // Opens drop-downs made by script whose choices exist only while they are open, and keeps what
  // they offer on the element, where the snapshot looks for it.
  const CHOICES = Symbol.for('hiwe.choices');
  const CLOSED = '[role=combobox]:not(input):not([aria-expanded=true]),'
    + '[aria-haspopup=listbox]:not(input):not([aria-expanded=true]),'
    + 'input[role=combobox]:not([name]):not([aria-expanded=true])';
  const MOST = 8;
  const MOST_VAIN = 2; // lists without choices, after which no more is opened
  const WAIT_MS = 600;
  const tick = (ms) => new Promise((done) => setTimeout(done, ms));
  const squeezed = (text) => text.replace(/\s+/g, ' ').trim();
  const seen = (el) => el.getClientRects().length > 0
    && el.checkVisibility({ opacityProperty: true, visibilityProperty: true });

  const trees = [document];
  for (let i = 0; i < trees.length; i += 1) {
    for (const el of trees[i].querySelectorAll('*')) if (el.shadowRoot) trees.push(el.shadowRoot);
    if (trees.length > 200) break;
  }
  const options = () => trees.flatMap((t) => Array.from(t.querySelectorAll('[role=option]')));
  const hasChoices = (el) => {
    const ids = `${el.getAttribute('aria-controls') || ''} ${el.getAttribute('aria-owns') || ''}`;
    const lists = ids.trim().split(/\s+/).map((id) => id && document.getElementById(id));
    return [el, ...lists].some((list) => list && list.querySelector('[role=option]'));
  };
  const point = (el) => {
    const r = el.getBoundingClientRect();
    const at = { bubbles: true, cancelable: true, composed: true, button: 0, detail: 1,
      clientX: r.left + r.width / 2, clientY: r.top + r.height / 2 };
    el.dispatchEvent(new PointerEvent('pointerdown', at));
    el.dispatchEvent(new MouseEvent('mousedown', at));
    el.dispatchEvent(new PointerEvent('pointerup', at));
    el.dispatchEvent(new MouseEvent('mouseup', at));
    el.click();
  };
  const escape = (el) => {
    for (const target of new Set([document.activeElement || el, el])) {
      for (const name of ['keydown', 'keyup']) {
        target.dispatchEvent(new KeyboardEvent(name, { key: 'Escape', code: 'Escape', bubbles: true }));
      }
    }
  };

  const found = trees.flatMap((t) => Array.from(t.querySelectorAll(CLOSED)))
    .filter((el) => !el[CHOICES] && !el.querySelector('input') && seen(el) && !hasChoices(el)
      && !el.closest('nav,header [role=navigation],[role=menubar]') && !el.matches('a[href]'));
  let vain = 0;
  for (const el of found.slice(0, MOST)) {
    if (vain >= MOST_VAIN) break;
    const before = new Set(options().filter(seen));
    point(el);
    const until = performance.now() + WAIT_MS;
    let fresh = [];
    while (!fresh.length && performance.now() < until) {
      await tick(25);
      fresh = options().filter((o) => seen(o) && !before.has(o));
    }
    const texts = [...new Set(fresh.map((o) => squeezed(o.textContent)).filter(Boolean))];
    if (texts.length) el[CHOICES] = texts; else vain += 1;
    escape(el);
    await tick(25);
    if (fresh.some((o) => o.isConnected && seen(o))) {
      point(el); // a second press closes what Escape does not
      await tick(25);
    }
  }
  return found.length;
}
