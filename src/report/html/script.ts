import type { Language } from '../content/language.ts';

/** Texts that the script announces to screen readers. */
const ANNOUNCEMENTS = [
  'Damage no.',
  'in its photo',
  'in the table',
  'of',
  'damages shown',
  'light colours',
  'dark colours',
];

/** Returns the browser script of the report; `say` translates its announcements. */
export function writeScript(say: Language['say']): string {
  const words = Object.fromEntries(ANNOUNCEMENTS.map((text) => [text, say(text)]));
  return `\n'use strict';\nconst words = ${JSON.stringify(words)};\n${SCRIPT}`;
}

/** Links rows and bounding boxes, filters by severity, zooms, and switches the theme. The page is complete without it. */
const SCRIPT = `const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const of = (id) => all('[data-damage]').filter((element) => element.dataset.damage === id);
const say = (text) => { document.getElementById('live').textContent = text; };

function select(id, target) {
  for (const element of all('.current')) element.classList.remove('current');
  for (const element of of(id)) element.classList.add('current');
  const goal = of(id).find((element) => element.matches(target));
  if (!goal) return;
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  goal.scrollIntoView({ block: 'center', behavior: calm ? 'auto' : 'smooth' });
  goal.focus({ preventScroll: true });
  say(words['Damage no.'] + ' ' + goal.dataset.number + ', ' + words[target === '.box' ? 'in its photo' : 'in the table']);
}

document.addEventListener('click', (event) => {
  const box = event.target.closest('.box');
  if (box && !box.closest('dialog')) return select(box.dataset.damage, 'tr');
  const zoom = event.target.closest('.zoom');
  if (zoom) return openZoom(zoom.closest('.photo') || zoom.parentElement);
  const row = event.target.closest('tr[data-damage], .card[data-damage]');
  if (row && !String(getSelection())) select(row.dataset.damage, '.box');
});
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' && event.key !== ' ') return;
  const focus = document.activeElement;
  if (!focus || !focus.matches('.box, tr[data-damage]') || focus.closest('dialog')) return;
  event.preventDefault();
  select(focus.dataset.damage, focus.matches('.box') ? 'tr' : '.box');
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
  const rows = all('tr[data-damage]');
  say(rows.filter((row) => !row.hidden).length + ' ' + words.of + ' ' + rows.length + ' ' + words['damages shown']);
}
for (const box of boxes) box.addEventListener('change', filter);
addEventListener('beforeprint', () => { for (const element of all('[data-filtered]')) { element.hidden = false; element.style && (element.style.display = ''); } });
addEventListener('afterprint', () => { if (boxes.length) filter(); });

document.getElementById('theme').addEventListener('click', () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = dark ? 'light' : 'dark';
  say(words[root.dataset.theme + ' colours']);
});

const dialog = document.getElementById('zoom');
const stage = dialog.querySelector('.stage');
let view = { x: 0, y: 0, scale: 1 };
let sheet = null;
let opener = null;
function place() { if (sheet) sheet.style.transform = 'translate(' + view.x + 'px,' + view.y + 'px) scale(' + view.scale + ')'; }
function fit() {
  const picture = sheet.querySelector('img');
  const scale = Math.min(innerWidth / picture.naturalWidth, innerHeight / picture.naturalHeight);
  view = { scale, x: (innerWidth - picture.naturalWidth * scale) / 2, y: (innerHeight - picture.naturalHeight * scale) / 2 };
  place();
}
function zoomBy(factor, x = innerWidth / 2, y = innerHeight / 2) {
  const scale = Math.min(12, Math.max(0.05, view.scale * factor));
  const change = scale / view.scale;
  view = { scale, x: x - (x - view.x) * change, y: y - (y - view.y) * change };
  place();
}
function openZoom(photo) {
  opener = photo.querySelector('.zoom');
  const source = photo.querySelector('img');
  sheet = document.createElement('div');
  const copy = source.cloneNode();
  sheet.className = 'photo';
  copy.style.width = source.naturalWidth + 'px';
  sheet.style.maxWidth = 'none';
  sheet.style.width = source.naturalWidth + 'px';
  sheet.append(copy);
  const marks = photo.querySelector('svg');
  if (marks) {
    const clone = marks.cloneNode(true);
    for (const box of all('.box', clone)) { box.removeAttribute('tabindex'); box.removeAttribute('role'); }
    sheet.append(clone);
  }
  stage.replaceChildren(sheet);
  dialog.showModal();
  dialog.setAttribute('aria-label', source.alt);
  fit();
}
dialog.addEventListener('close', () => { stage.replaceChildren(); sheet = null; if (opener) opener.focus(); });
dialog.addEventListener('click', (event) => {
  const what = event.target.dataset.zoom;
  if (what === 'in') zoomBy(1.4);
  else if (what === 'out') zoomBy(1 / 1.4);
  else if (what === 'fit') fit();
  else if (what === 'close') dialog.close();
});
dialog.addEventListener('wheel', (event) => { event.preventDefault(); zoomBy(Math.exp(-event.deltaY / 400), event.clientX, event.clientY); }, { passive: false });
dialog.addEventListener('keydown', (event) => {
  const step = { ArrowLeft: [80, 0], ArrowRight: [-80, 0], ArrowUp: [0, 80], ArrowDown: [0, -80] }[event.key];
  if (step) { view.x += step[0]; view.y += step[1]; place(); event.preventDefault(); }
  else if (event.key === '+' || event.key === '=') zoomBy(1.4);
  else if (event.key === '-') zoomBy(1 / 1.4);
  else if (event.key === '0') fit();
});
let drag = null;
stage.addEventListener('pointerdown', (event) => { drag = { x: event.clientX - view.x, y: event.clientY - view.y }; stage.setPointerCapture(event.pointerId); });
stage.addEventListener('pointermove', (event) => { if (drag) { view.x = event.clientX - drag.x; view.y = event.clientY - drag.y; place(); } });
stage.addEventListener('pointerup', () => { drag = null; });
`;
