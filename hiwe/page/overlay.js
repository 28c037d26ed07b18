// Finds a layer over the page (consent, newsletter) and closes it, by refusing where there is a
// choice. `target` is the control to be used (its index), -1 to look for known consent layers only.
(words, target) => {
  const squeeze = (text) => (text || '').replace(/\s+/g, ' ').trim().toLowerCase();
  const live = (window[Symbol.for('hiwe')] || { controls: [] }).controls;
  const wanted = target >= 0 ? live[target] : null;
  const marks = /cookie|consent|gdpr|onetrust|didomi|usercentrics|truste|cmpbox|cc-window|klaro/i;
  const wide = window.innerWidth, high = window.innerHeight;

  const deepest = (x, y) => {
    let el = document.elementFromPoint(x, y);
    while (el && el.shadowRoot) {
      const inner = el.shadowRoot.elementFromPoint(x, y);
      if (!inner || inner === el) break;
      el = inner;
    }
    return el;
  };
  const up = (el) => el.assignedSlot || el.parentElement || (el.getRootNode().host ?? null);

  /** The outermost ancestor that floats over the page, null when nothing does. */
  const layerOf = (el) => {
    let found = null;
    for (let e = el; e && e !== document.body && e !== document.documentElement; e = up(e)) {
      const position = getComputedStyle(e).position;
      if (position === 'fixed' || position === 'sticky' || e.matches('dialog[open]')
          || (position === 'absolute' && Number(getComputedStyle(e).zIndex) > 0)) found = e;
    }
    return found;
  };

  const contains = (outer, el) => {
    for (let e = el; e; e = up(e)) if (e === outer) return true;
    return false;
  };
  const says = (el, list) => {
    const text = squeeze(el.innerText || el.textContent);
    return list.some((w) => text.includes(w));
  };
  const named = (el) => marks.test(`${el.id} ${el.className} ${el.localName}`);

  const candidates = () => {
    const layers = new Set();
    const points = [[wide / 2, high / 2], [wide / 2, high - 20], [wide / 2, 20], [60, high - 40],
      [wide - 60, high - 40], [wide / 2, high * 0.75], [wide / 2, high * 0.25]];
    if (wanted && wanted.isConnected) {
      wanted.scrollIntoView({ block: 'center', behavior: 'instant' });
      const r = wanted.getBoundingClientRect();
      points.unshift([r.left + r.width / 2, r.top + r.height / 2]);
    }
    for (const [x, y] of points) {
      const layer = layerOf(deepest(x, y));
      if (layer && !(wanted && contains(layer, wanted))) layers.add(layer);
    }
    return [...layers];
  };

  const buttonsIn = (layer) => {
    const found = [];
    const walk = (root) => {
      for (const el of root.querySelectorAll('*')) {
        if (el.matches('button,a,[role=button],input[type=button],input[type=submit],[onclick]')
            && el.checkVisibility({ visibilityProperty: true })) found.push(el);
        if (el.shadowRoot) walk(el.shadowRoot);
      }
    };
    walk(layer);
    if (layer.shadowRoot) walk(layer.shadowRoot);
    return found;
  };
  const textOf = (b) => squeeze(b.value || b.innerText || b.textContent) || squeeze(b.getAttribute('aria-label') || b.title);
  const leads = (b) => b.localName === 'a' && b.getAttribute('href')
    && !/^(#|javascript:)/i.test(b.getAttribute('href'));
  const matching = (buttons, list) => buttons.find((b) => list.includes(textOf(b).replace(/[.!]$/, '')))
    || buttons.find((b) => textOf(b).length < 60 && list.some((w) => w.includes(' ') && textOf(b).includes(w)));
  const closing = (buttons) => matching(buttons, words.close)
    || buttons.find((b) => /(^|[-_\s])(close|dismiss|schliessen)([-_\s]|$)/i.test(`${b.className} ${b.id}`));

  const closeLayer = (layer) => {
    const buttons = buttonsIn(layer).filter((b) => !leads(b));
    const consent = named(layer) || says(layer, words.consent);
    const ways = consent
      ? [['refuse', matching(buttons, words.refuse)], ['close', closing(buttons)],
        ['accept', matching(buttons, words.accept)]]
      : [['close', closing(buttons)], ['refuse', matching(buttons, words.refuse)]];
    for (const [how, button] of ways) {
      if (!button) continue;
      const text = textOf(button);
      button.click();
      return { how, text };
    }
    return null;
  };

  for (const layer of candidates()) {
    const r = layer.getBoundingClientRect();
    const covers = wanted && (() => {
      const w = wanted.getBoundingClientRect();
      return contains(layer, deepest(w.left + w.width / 2, w.top + w.height / 2));
    })();
    const consent = named(layer) || says(layer, words.consent);
    const large = r.width * r.height > wide * high * 0.3;
    if (!covers && !consent && !(large && layer.matches('[role=dialog],[aria-modal=true],dialog'))) continue;
    if (layer.querySelector('form input[type=search]')) continue;
    const done = closeLayer(layer);
    if (done) return JSON.stringify(done);
    if (covers) {
      layer.style.setProperty('display', 'none', 'important'); // its buttons are out of reach
      return JSON.stringify({ how: 'hidden', text: '' });
    }
  }
  return JSON.stringify(null);
}
