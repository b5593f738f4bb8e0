import {
  type Block,
  type Cell,
  type Column,
  type Row,
  readCell,
  type Section,
  type Tone,
} from '../content/blocks.ts';
import { ABSENT } from '../figures.ts';
import { SEVERITY_WORDS } from '../words.ts';
import { html, type Markup, raw } from './markup.ts';

/** Renders a section with its heading. */
export function renderSection(section: Section): Markup {
  return html`<section aria-labelledby="${section.id}"><h2 id="${section.id}">${section.title}</h2>${section.blocks.map(renderBlock)}</section>`;
}

const PARAGRAPH_CLASS = {
  plain: 'plain',
  soft: 'soft',
  bold: 'strong',
  warning: 'strong',
  item: 'plain',
} as const satisfies Record<Tone | 'plain', string>;

/** Renders a block. */
export function renderBlock(block: Block): Markup {
  if (block.kind === 'heading') return html`<h3>${block.text}</h3>`;
  if (block.kind === 'paragraph')
    return html`<p class="${PARAGRAPH_CLASS[block.tone ?? 'plain']}">${block.text}</p>`;
  if (block.kind === 'figures')
    return html`<dl class="figures">${block.figures.map(({ label, value, note, tone = 'plain' }) => html`<div><dt>${label}</dt><dd class="${tone}">${value}</dd><dd>${note}</dd></div>`)}</dl>`;
  return html`<div class="scroll"><table class="${stackClass(block.columns)}">${renderTableHead(block.columns)}<tbody>${block.rows.map((row) => renderRow(row, block.columns))}</tbody></table></div>`;
}

/** Renders the titles of columns. */
export function renderTableHead(columns: readonly Column[]): Markup {
  return html`<thead><tr>${columns.map((column) => html`<th scope="col" class="${chooseClass(column)}">${column.title}</th>`)}</tr></thead>`;
}

/** Renders a row, with its note in a row below; `extra` stands in its second cell. */
export function renderRow(
  row: Row,
  columns: readonly Column[],
  attributes: Markup | null = null,
  extra?: Markup,
): Markup {
  const cells = row.cells.map(
    (cell, index) =>
      html`<td class="${chooseClass(columns[index])}${isBreakable(cell) ? ' breakable' : ''}"${renderLabel(columns[index], cell)}>${renderCell(cell)}${index === 1 && extra}</td>`,
  );
  const names = [row.bold ? 'strong' : '', row.note ? 'has-note' : ''].filter(Boolean).join(' ');
  const severity = attributes && /data-severity="\w+"/.exec(attributes.text)?.[0];
  const note = row.note
    ? html`<tr class="note" ${severity ? raw(severity) : null}><td></td><td colspan="${columns.length - 1}">${row.note}</td></tr>`
    : null;
  return html`<tr class="${names}" ${attributes}>${cells}</tr>${note}`;
}

/** From this many columns on a table does not fit a phone; there each row is a list of its cells with their titles. */
const COLUMNS_TO_STACK = 3;

/** Returns the class of a table that becomes lists on a phone; empty where it fits. */
export function stackClass(columns: readonly Column[]): string {
  return columns.length >= COLUMNS_TO_STACK ? 'stack' : '';
}

/** Returns the attribute with the title that a cell has on a phone; none where the cell says nothing. */
function renderLabel(column: Column | undefined, cell: Cell): Markup | null {
  return column && cell !== '' && cell !== ABSENT ? html` data-label="${column.title}"` : null;
}

/** A word longer than this, in characters, is a file name or a sum, which may break anywhere; words of a language may not. */
const LONGEST_WORD = 24;

function isBreakable(cell: Cell): boolean {
  return typeof cell === 'string' && cell.split(/\s/).some((word) => word.length > LONGEST_WORD);
}

/** Returns the text with word joiners around the dash of a range: `$353–1,002` stays on one line. */
export function keepRangesWhole(text: string): string {
  return text.replace(/(?<=\d)–(?=\d)/g, '\u2060–\u2060');
}

function renderCell(cell: Cell): Markup | string {
  const text = readCell(cell, SEVERITY_WORDS);
  return typeof cell === 'object' && 'severity' in cell
    ? html`<span class="chip ${cell.severity}">${text}</span>`
    : keepRangesWhole(text);
}

function chooseClass(column: Column | undefined): string {
  return column?.small ? 'small' : (column?.align ?? 'left');
}
