// Puts the figures of a running crawl in place; text only, so nothing of a site becomes markup.
'use strict';
const live = document.getElementById('live');
const LEAST_MS = 2000, LATER_MS = 15000, PATIENCE = 20;

function place(now) {
  for (const cell of live.querySelectorAll('[data-live]')) {
    const text = now.texts[cell.dataset.live];
    if (text !== undefined && cell.textContent !== text) cell.textContent = text;
  }
  live.querySelector('[data-events]').replaceChildren(...now.events.map(told));
}

function told(event) {
  const line = document.createElement('li');
  const text = event.form ? document.createElement('a') : document.createElement('span');
  if (event.form) text.href = `/forms/${event.form}`;
  text.textContent = event.text;
  if (event.level !== 'info') line.className = event.level;
  line.append(event.level === 'info' ? '' : `${event.level}: `, `${event.site} `, text);
  return line;
}

async function look() {
  const began = performance.now();
  let wait = LATER_MS;
  try {
    const answer = await fetch('/live');
    if (answer.ok) {
      const now = await answer.json();
      if (now.phase !== live.dataset.phase || String(now.sites) !== live.dataset.sites) {
        location.reload();
        return;
      }
      place(now);
      const idle = !['running', 'paused', 'stopping'].includes(now.phase);
      wait = idle ? LATER_MS : Math.max(LEAST_MS, PATIENCE * (performance.now() - began));
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // the server is gone: look again later
  }
  setTimeout(look, wait);
}

setTimeout(look, LEAST_MS);
