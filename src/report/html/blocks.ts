import { compact } from '../../lib/lists.ts';
import {
  type Block,
  type Card,
  type Cell,
  type Choice,
  type Column,
  type Figure,
  type PairSide,
  type Pictures,
  type Row,
  readCell,
  type Section,
  type Shot,
  type Table,
  type Tone,
} from '../content/blocks.ts';
import type { Fact } from '../facts.ts';
import { ABSENT } from '../figures.ts';
import type { Translator } from '../translator.ts';
import {
  drawBoxes,
  drawCloseUpBox,
  drawCrop,
  drawPlan,
  makeDataUri,
  renderCloseUp,
  writeFindingAttributes,
} from './drawings.ts';
import { html, type Markup, raw } from './markup.ts';

/** Returns the anchor of a section; from the second vehicle on, it includes the vehicle's number. */
export const makeAnchor = ({ id, vehicle = 1 }: Section) => (vehicle === 1 ? id : `${id}-${vehicle}`);

/** Renders a section with its heading; `t` translates the labels of its controls. */
export function renderSection(section: Section, t: Translator): Markup {
  const { id, title, blocks } = section;
  const anchor = makeAnchor(section);
  const content = blocks.map((block) => renderBlock(block, t));
  if (title === '') return html`<section class="s-${id}">${content}</section>`;
  return html`<section class="s-${id}" aria-labelledby="${anchor}"><h2 id="${anchor}">${title}</h2>${content}</section>`;
}

const PARAGRAPH_CLASS: Readonly<Partial<Record<Tone, string>>> = {
  soft: 'soft',
  bold: 'strong',
  warning: 'strong',
};

const writeClass = (name: string | undefined) => name && html` class="${name}"`;

function renderBlock(block: Block, t: Translator): Markup {
  switch (block.kind) {
    case 'heading':
      return html`<h3>${block.text}</h3>`;
    case 'paragraph':
      return html`<p${writeClass(block.tone && PARAGRAPH_CLASS[block.tone])}>${block.text}</p>`;
    case 'table':
      return renderTable(block);
    case 'figures':
      return html`<dl class="figures">${block.figures.map(renderFigure)}</dl>`;
    case 'facts':
      return html`<dl class="facts">${block.facts.map(renderFact)}</dl>`;
    case 'beside_plan':
      return html`
        <div class="answer">
          <div class="repair">${block.blocks.map((one) => renderBlock(one, t))}</div>
          ${block.plan && drawPlan(block.plan)}
        </div>`;
    case 'pictures':
      return renderPictures(block, t);
    case 'shots':
      return html`<div class="shots">${block.shots.map((shot) => renderShot(shot, t))}</div>`;
    case 'pair':
      return html`
        <div class="${block.sides.every(({ crop }) => crop) ? 'pair' : 'pair one-sided'}">
          ${block.sides.map(renderSide)}
        </div>
        ${block.choice && renderChoice(block.choice, t)}`;
    case 'form':
      return html`
        <ul class="boxes">${block.boxes.map((text) => html`<li>${text}</li>`)}</ul>
        <div class="lines">${block.lines.map((text) => html`<div>${text}</div>`)}</div>`;
  }
}

const renderFact = ([label, value]: Fact) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`;

const renderFigure = ({ label, value, note }: Figure) =>
  html`<div><dt>${label}</dt><dd>${value}</dd><dd>${note}</dd></div>`;

function renderTable({ columns, rows }: Table): Markup {
  const titles = columns.map(
    (column) => html`<th scope="col"${writeClass(chooseClass(column))}>${column.title}</th>`,
  );
  return html`
    <div class="scroll"><table${writeClass(columns.length >= MIN_STACKED_COLUMNS ? 'stack' : '')}>
      <thead><tr>${titles}</tr></thead>
      <tbody>${rows.map((row) => renderRow(row, columns))}</tbody>
    </table></div>`;
}

/** Renders a row and, if it has a note, a second row below. */
function renderRow({ cells, bold, note, finding }: Row, columns: readonly Column[]): Markup {
  const row = columns.map((column, index) => {
    const cell = cells[index] ?? '';
    const names = compact([chooseClass(column), isBreakable(cell) && 'breakable']).join(' ');
    // A phone shows each cell that is not empty with the title of its column.
    const label = cell !== '' && cell !== ABSENT && html` data-label="${column.title}"`;
    return html`<td${writeClass(names)}${label}>${renderCell(cell)}</td>`;
  });
  const names = compact([bold && 'strong', note && 'has-note']).join(' ');
  const noteRow =
    note &&
    html`
      <tr class="note" ${finding && html`data-severity="${finding.look}"`}>
        <td></td><td colspan="${columns.length - 1}">${note}</td>
      </tr>`;
  return html`<tr${writeClass(names)} ${finding && writeFindingAttributes(finding)}>${row}</tr>${noteRow}`;
}

/** Minimum number of columns of a table that a phone shows as stacked cells with their titles. */
const MIN_STACKED_COLUMNS = 3;

/** Maximum word length in characters; longer words are file names or amounts, which may break anywhere. */
const MAX_WORD_LENGTH = 24;

function isBreakable(cell: Cell): boolean {
  return typeof cell === 'string' && cell.split(/\s/).some((word) => word.length > MAX_WORD_LENGTH);
}

/** Inserts word joiners around the dash of a range to keep it on one line: `$353–1,002`. */
function preventRangeBreaks(text: string): string {
  return text.replace(/(?<=\d)–(?=\d)/g, '\u2060–\u2060');
}

function renderCell(cell: Cell): Markup | string {
  const text = readCell(cell);
  return typeof cell === 'object' && 'severity' in cell
    ? html`<span class="chip ${cell.severity}">${text}</span>`
    : preventRangeBreaks(text);
}

const chooseClass = ({ small, align }: Column) => (small ? 'small' : align);

function renderPictures({ size, title, pictures }: Pictures, t: Translator): Markup {
  const figures = pictures.map((shown) => {
    const { picture, alt, caption, missing } = shown;
    const image = picture && html`<img src="${makeDataUri(picture)}" alt="${alt}">`;
    const zoom = image ? renderZoom(t`Enlarge ${caption}`, image) : html`<p class="soft">${missing}</p>`;
    return html`<figure>${size === 'photos' ? zoom : renderCloseUp(shown)}<figcaption>${caption}</figcaption></figure>`;
  });
  const name = { worst: 'crops worst', thumbnails: 'crops', photos: 'grid' }[size];
  return html`${title !== undefined && html`<h2>${title}</h2>`}<div class="${name}">${figures}</div>`;
}

const renderZoom = (label: string, image: Markup) =>
  html`<button type="button" class="zoom" aria-label="${label}">${image}</button>`;

function renderShot({ photo, picture, alt, caption, findings, notes, cards }: Shot, t: Translator): Markup {
  const size = picture && html`width="${picture.width}" height="${picture.height}"`;
  const image = picture && html`<img src="${makeDataUri(picture)}" ${size} alt="${alt}">`;
  const zoom = image && renderZoom(t`Enlarge photo ${photo.index + 1}`, image);
  return html`
    <div class="shot">
      <h3>${caption}</h3>
      ${zoom && html`<figure class="photo">${zoom}${drawBoxes(photo, findings, t)}</figure>`}
      ${notes.map((note) => html`<p class="soft">${note}</p>`)}
      <ul class="cards">${cards.map(renderCard)}</ul>
    </div>`;
}

function renderSide({ crop, caption, isListed }: PairSide): Markup {
  const look = isListed ? 'listed' : 'unlisted';
  const picture = crop && drawCrop(crop.picture, caption, drawCloseUpBox(crop.region, crop.box, look));
  return html`<figure>${picture}<figcaption>${caption}</figcaption></figure>`;
}

function renderChoice({ row, options, note }: Choice, t: Translator): Markup {
  const choices = options.map(
    ({ value, label, isChosen }) =>
      html`<option value="${value}"${isChosen && raw(' selected')}>${label}</option>`,
  );
  return html`
    <p class="decide" data-row="${row}">
      <select aria-label="${t`Decision on row ${row}`}">
        <option value="">${t`As the photos say`}</option>
        ${choices}
      </select>
      <input aria-label="${t`Note on row ${row}`}" placeholder="${t`Note`}" maxlength="500" value="${note}">
    </p>`;
}

function renderCard({ finding, title, closeUp, facts }: Card): Markup {
  const { look } = finding;
  return html`
    <li class="card ${look}" ${writeFindingAttributes(finding)} tabindex="-1">
      ${renderCloseUp(closeUp)}
      <div>
        <h4>${title}</h4>
        <span class="chip ${look}">${finding.label}</span>
        <ul>${facts.map((fact) => html`<li>${preventRangeBreaks(fact)}</li>`)}</ul>
      </div>
    </li>`;
}
