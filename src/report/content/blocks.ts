import type { Severity } from '../../domain/damage.ts';

export interface Column {
  readonly title: string;
  /** Share of the table's width on a page. */
  readonly share: number;
  /** Words are aligned left and break into lines where a terminal is too narrow; figures are aligned right. */
  readonly align?: 'left' | 'right';
  /** Small print, for hashes. */
  readonly small?: boolean;
}

/** The name of a photo; `url` is its address in the result. */
interface PhotoName {
  readonly photo: string;
  readonly url: string;
}

/** A cell: text, a severity shown as a coloured chip with its word, or the name of a photo. */
export type Cell = string | { readonly severity: Severity } | PhotoName;

export interface Row {
  readonly cells: readonly Cell[];
  readonly bold?: boolean;
  /** A soft line under the cells: a reason, a note. */
  readonly note?: string;
  /** The severity that colours the row's number. */
  readonly severity?: Severity;
}

/** One of the figures that answer what it costs, how bad it is and what is open. */
export interface Figure {
  readonly label: string;
  readonly value: string;
  /** What belongs to the value. */
  readonly note: string;
  readonly tone?: 'good' | 'open' | 'bad';
}

/** How a paragraph is meant: `warning` stands out, `item` is one of a list. */
export type Tone = 'soft' | 'bold' | 'item' | 'warning';

/** A piece of a report in words and figures, the same for every medium. */
export type Block =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string; readonly tone?: Tone }
  | { readonly kind: 'table'; readonly columns: readonly Column[]; readonly rows: readonly Row[] }
  | { readonly kind: 'figures'; readonly figures: readonly Figure[] };

/** A part of a report. */
export interface Section {
  /** Anchor, lower case with dashes. */
  readonly id: string;
  /** Empty where the blocks need none. */
  readonly title: string;
  readonly blocks: readonly Block[];
  /** Small print: what is looked up, not read. */
  readonly small?: boolean;
}

/** Returns a heading. */
export const makeHeading = (text: string): Block => ({ kind: 'heading', text });
/** Returns a paragraph. */
export const makeParagraph = (text: string, tone?: Tone): Block =>
  tone ? { kind: 'paragraph', text, tone } : { kind: 'paragraph', text };
/** Returns a table. */
export const makeTable = (columns: readonly Column[], rows: readonly Row[]): Block => ({
  kind: 'table',
  columns,
  rows,
});

/** Returns figures. */
export const makeFigures = (figures: readonly Figure[]): Block => ({ kind: 'figures', figures });

/** Returns the text of a cell; a severity by the words of `severities`. */
export function readCell(cell: Cell, severities: Readonly<Record<Severity, string>>): string {
  if (typeof cell === 'string') return cell;
  return 'severity' in cell ? severities[cell.severity] : cell.photo;
}
