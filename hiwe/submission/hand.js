// A person's hand: keys, the pointer, writing into a box, leaving it.

const fire = (el, kind, name, init) => el.dispatchEvent(
  new (view(el))[kind](name, { bubbles: true, cancelable: true, composed: true, ...init }));
const key = (el, name, pressed) => fire(el, 'KeyboardEvent', name, { key: pressed, code: pressed });
const told = (el) => { fire(el, 'InputEvent', 'input', { inputType: 'insertText' }); };
const changed = (el) => fire(el, 'Event', 'change', { cancelable: false });

const CODES = { Enter: 13, Escape: 27, ' ': 32, End: 35, Home: 36, ArrowLeft: 37, ArrowUp: 38,
  ArrowRight: 39, ArrowDown: 40 };

/** Strike a key as far as a script can: the page hears of it, but the browser sends no form. */
const stroke = (el, name) => {
  const init = { key: name, code: name === ' ' ? 'Space' : name, keyCode: CODES[name], which: CODES[name] };
  fire(el, 'KeyboardEvent', 'keydown', init);
  fire(el, 'KeyboardEvent', 'keyup', init);
};

const pointed = (el) => {
  const r = el.getBoundingClientRect();
  const at = { clientX: r.left + r.width / 2, clientY: r.top + r.height / 2, button: 0, detail: 1 };
  const pointer = { ...at, pointerType: 'mouse', pointerId: 1, isPrimary: true };
  for (const name of ['pointerover', 'pointermove']) fire(el, 'PointerEvent', name, pointer);
  for (const name of ['mouseover', 'mousemove']) fire(el, 'MouseEvent', name, at);
  fire(el, 'PointerEvent', 'pointerdown', pointer);
  fire(el, 'MouseEvent', 'mousedown', at);
  if (el.focus && el.tabIndex >= 0) el.focus({ preventScroll: true });
  fire(el, 'PointerEvent', 'pointerup', pointer);
  fire(el, 'MouseEvent', 'mouseup', at);
  if (el.isConnected) { if (el.click) el.click(); else fire(el, 'MouseEvent', 'click', at); }
};

/** Write through the prototype's setter: frameworks put their own on the element. */
const write = (el, text) => {
  const proto = el.localName === 'textarea' ? view(el).HTMLTextAreaElement
    : el.localName === 'input' ? view(el).HTMLInputElement : null;
  const own = proto && Object.getOwnPropertyDescriptor(proto.prototype, 'value');
  if (own) own.set.call(el, text); else el.value = text;
};

/** Leave a control as with the Tab key: pop-ups close, checks run. */
const leave = (el) => {
  key(el, 'keydown', 'Tab');
  el.blur();
};
