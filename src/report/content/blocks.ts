import type { Severity } from '../../domain/damage.ts';

export interface Column {
  readonly title: string;
  /** Share of the table's width. */
  readonly share: number;
  readonly align?: 'left' | 'right';
  /** Small print, for hashes. */
  readonly small?: boolean;
}

/** A cell: text, or a severity shown as a coloured chip with its word. */
export type Cell = string | { readonly severity: Severity };

export interface Row {
  readonly cells: readonly Cell[];
  readonly bold?: boolean;
  /** A soft line under the cells: a reason, a note. */
  readonly note?: string;
}

/** A piece of a report in words and figures, the same for every medium. */
export type Block =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string; readonly tone?: 'soft' | 'bold' | 'item' }
  | { readonly kind: 'table'; readonly columns: readonly Column[]; readonly rows: readonly Row[] };

/** A titled part of a report. */
export interface Section {
  /** Anchor, lower case with dashes. */
  readonly id: string;
  readonly title: string;
  readonly blocks: readonly Block[];
  /** Small print: what is looked up, not read. */
  readonly small?: boolean;
}

/** Returns a heading. */
export const makeHeading = (text: string): Block => ({ kind: 'heading', text });
/** Returns a paragraph. */
export const makeParagraph = (text: string, tone?: 'soft' | 'bold' | 'item'): Block =>
  tone ? { kind: 'paragraph', text, tone } : { kind: 'paragraph', text };
/** Returns a table. */
export const makeTable = (columns: readonly Column[], rows: readonly Row[]): Block => ({
  kind: 'table',
  columns,
  rows,
});
