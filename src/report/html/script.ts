import type { Translator } from '../translator.ts';

/** Texts that the script announces to screen readers. */
const ANNOUNCEMENTS = ['Damage no.', 'in its photo', 'in the list', 'of', 'damages shown'];

/** Returns the browser script of the report; `t` translates its announcements. */
export function writeScript(t: Translator): string {
  const words = Object.fromEntries(ANNOUNCEMENTS.map((text) => [text, t.word(text)]));
  return `\n'use strict';\nconst words = ${JSON.stringify(words)};\n${SCRIPT}`;
}

/** Links cards and bounding boxes, filters by severity, and enlarges photos. The page is complete without it. */
const SCRIPT = `const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const of = (id) => all('[data-damage]').filter((element) => element.dataset.damage === id);
const announce = (text) => { document.getElementById('live').textContent = text; };

function select(id, target) {
  for (const element of all('.current')) element.classList.remove('current');
  for (const element of of(id)) element.classList.add('current');
  const goal = of(id).find((element) => element.matches(target));
  if (!goal) return;
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  goal.scrollIntoView({ block: 'center', behavior: calm ? 'auto' : 'smooth' });
  goal.focus({ preventScroll: true });
  announce(words['Damage no.'] + ' ' + goal.dataset.number + ', ' + words[target === '.box' ? 'in its photo' : 'in the list']);
}

document.addEventListener('click', (event) => {
  const box = event.target.closest('.box');
  if (box && !box.closest('dialog')) return select(box.dataset.damage, '.card');
  const zoom = event.target.closest('.zoom');
  if (zoom) return zoom.closest('dialog') ? undefined : enlarge(zoom.closest('.photo') || zoom.parentElement);
  const row = event.target.closest('.card');
  if (row && !String(getSelection())) select(row.dataset.damage, '.box');
});
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' && event.key !== ' ') return;
  const focus = document.activeElement;
  if (!focus || !focus.matches('.box, .card') || focus.closest('dialog')) return;
  event.preventDefault();
  select(focus.dataset.damage, focus.matches('.box') ? '.card' : '.box');
});

const boxes = all('input[name=severity]');
function filter() {
  const shown = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
  for (const element of all('[data-severity]')) {
    const hide = !shown.has(element.dataset.severity);
    element.hidden = hide;
    element.toggleAttribute('data-filtered', hide);
    if (element instanceof SVGElement) element.style.display = hide ? 'none' : '';
  }
  const rows = all('tr[data-damage], .card');
  announce(rows.filter((row) => !row.hidden).length + ' ' + words.of + ' ' + rows.length + ' ' + words['damages shown']);
}
for (const box of boxes) box.addEventListener('change', filter);
addEventListener('beforeprint', () => { for (const element of all('[data-filtered]')) { element.hidden = false; element.style && (element.style.display = ''); } });
addEventListener('afterprint', () => { if (boxes.length) filter(); });

const dialog = document.querySelector('dialog');
let opener = null;
function enlarge(photo) {
  opener = photo.querySelector('.zoom');
  const shown = photo.cloneNode(true);
  shown.className = 'photo';
  for (const element of all('[tabindex]', shown)) element.removeAttribute('tabindex');
  dialog.querySelector('.stage').replaceChildren(shown);
  dialog.setAttribute('aria-label', photo.querySelector('img').alt);
  dialog.showModal();
}
dialog.addEventListener('click', () => dialog.close());
dialog.addEventListener('close', () => { if (opener) opener.focus(); });
`;
