// What all page functions of this stage share: the live controls of the last snapshot, text, sight.

const live = (window[Symbol.for('hiwe')] || { controls: [] }).controls;
const squeeze = (text) => (text || '').replace(/\s+/g, ' ').trim();
const fold = (text) => squeeze(text).normalize('NFKC').toLowerCase();
const tick = (ms) => new Promise((done) => setTimeout(done, ms));
const view = (el) => el.ownerDocument.defaultView;
const seen = (el) => el.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  && el.getClientRects().length > 0;
