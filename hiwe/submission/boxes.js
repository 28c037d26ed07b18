// Boxes that are ticked and sliders, native ones and those that a script drew.

const MOST_STROKES = 400;

const isOn = (el) => (el.checked === undefined ? el.getAttribute('aria-checked') === 'true' : el.checked);

/** Tick a drawn box as a person does: with the mouse, else with the space bar. */
const tickDrawn = async (el, wanted) => {
  pointed(el);
  for (let i = 0; i < 8 && isOn(el) !== wanted; i += 1) await tick(i < 2 ? 0 : 25);
  if (isOn(el) !== wanted && el.isConnected) {
    if (el.focus) el.focus({ preventScroll: true });
    stroke(el, ' ');
    await tick(25);
  }
};

const isIdle = (el) => Boolean(el.disabled) || el.getAttribute('aria-disabled') === 'true';

const checkBoxes = async (item) => {
  const isRadio = item.kind === 'radio';
  if (item.values.some((v) => v.control < 0)) return 'no_option';
  for (const i of item.controls) {
    const el = live[i];
    if (!el || !el.isConnected) return 'gone';
    const wanted = item.values.some((v) => v.control === i);
    if (wanted && isIdle(el)) return 'disabled';
    if (isOn(el) === wanted || (isRadio && !wanted)) continue;
    if (el.localName === 'input') el.click(); else await tickDrawn(el, wanted);
  }
  return '';
};

const placeOf = (el) => Number(el.getAttribute('aria-valuenow'));

/** Move a drawn slider with the arrow keys until it stands at the number, or as near as it goes. */
const slide = async (el, number) => {
  el.focus({ preventScroll: true });
  for (let i = 0; i < MOST_STROKES && placeOf(el) !== number; i += 1) {
    const before = placeOf(el);
    stroke(el, before < number ? 'ArrowRight' : 'ArrowLeft');
    if (placeOf(el) === before) await tick(10);
    if (placeOf(el) === before || (placeOf(el) > number) !== (before > number)) break;
  }
  return placeOf(el) === number ? '' : 'not_taken';
};
