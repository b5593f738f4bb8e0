import type { Photo } from '../../contract/inspection.ts';
import type { Severity } from '../../domain/damage.ts';
import type { Box } from '../../domain/geometry.ts';
import type { Look } from '../../domain/looks.ts';
import type { Fact } from '../facts.ts';
import type { Sighted } from '../input.ts';
import type { Picture } from '../pictures.ts';
import type { Plan } from '../plan/plan.ts';
import { SEVERITY_WORDS } from '../words.ts';

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

/** The find that a row or a card speaks of. */
export interface FindRef {
  readonly id: string;
  readonly number: number;
  readonly look: Look;
  /** Whether a photo shows it. */
  readonly seen: boolean;
}

export interface Row {
  readonly cells: readonly Cell[];
  readonly bold?: boolean;
  /** Whether it names the rows after it: it stays on the page of the next one. */
  readonly leads?: boolean;
  /** A soft line under the cells: a reason, a note. */
  readonly note?: string;
  /** The severity that colours the row's number. */
  readonly severity?: Severity;
  /** The find that the row is on, so that a page can lead from it to its photo and back. */
  readonly find?: FindRef;
}

/** A table. */
export interface Table {
  readonly kind: 'table';
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  /** Returns the table with at most `rows` rows kept as they are; one row stands for the others. */
  readonly fold?: (rows: number) => Table;
}

/** One of the figures that answer what it costs, how bad it is and what is open. */
export interface Figure {
  readonly label: string;
  readonly value: string;
  /** What belongs to the value. */
  readonly note: string;
  readonly tone?: 'good' | 'open' | 'bad';
}

/** A picture with its words; a close-up has its find marked in it. */
export interface Shown {
  readonly picture: Picture | undefined;
  readonly alt: string;
  readonly caption: string;
  /** What part of the photo the picture shows and where the find is in it, pixels of the upright photo. */
  readonly mark?: { readonly region: Box; readonly box: Box | undefined; readonly look: Look };
}

/** Pictures next to each other, each above its caption. */
export interface Pictures {
  readonly kind: 'pictures';
  /** `worst`: four in a row; `thumbnails`: eight; `photos`: as large as there is room for. */
  readonly size: 'worst' | 'thumbnails' | 'photos';
  readonly title?: string;
  readonly pictures: readonly Shown[];
}

/** A find next to its close-up. */
export interface Card {
  readonly find: FindRef;
  readonly title: string;
  readonly closeUp: Shown;
  readonly facts: readonly string[];
}

/** A photo with a box on each find, and a card for each that it shows best. */
export interface Shot {
  readonly photo: Photo;
  readonly picture: Picture | undefined;
  readonly alt: string;
  readonly caption: string;
  readonly sighted: readonly Sighted[];
  readonly notes: readonly string[];
  readonly cards: readonly Card[];
}

/** What a person fills in by hand: the boxes to tick and the lines to write on, in reading order. */
export interface Form {
  readonly kind: 'form';
  readonly boxes: readonly string[];
  readonly lines: readonly [remarks: string, name: string, date: string, signature: string];
}

/** A place as one of two visits shows it. */
export interface Cut {
  /** The picture, what part of its photo that is and where the place is in it, pixels of the upright photo. */
  readonly shown: { readonly picture: Picture; readonly region: Box; readonly box: Box } | null;
  /** Said where there is no picture. */
  readonly missing: string;
  readonly caption: string;
  /** Whether the visit lists the place. */
  readonly listed: boolean;
  /** The limit that the place is held to, pixels of the upright photo. */
  readonly circle: { readonly x: number; readonly y: number; readonly radius: number } | null;
}

/** What a person may decide of a row, on a page that can be filled in. */
export interface Choice {
  readonly row: number;
  readonly options: readonly { readonly value: string; readonly label: string; readonly chosen: boolean }[];
  readonly note: string;
}

/** One place in two visits, side by side. */
interface Pair {
  readonly kind: 'pair';
  readonly sides: readonly Cut[];
  readonly choice: Choice;
}

/** How a paragraph is meant: `warning` stands out, `item` is one of a list. */
export type Tone = 'soft' | 'bold' | 'item' | 'warning';

/** A piece of a report, the same for every medium; one that shows no pictures leaves out plan, pictures, shots, pairs, form. */
export type Block =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string; readonly tone?: Tone }
  | Table
  | { readonly kind: 'figures'; readonly figures: readonly Figure[] }
  | { readonly kind: 'facts'; readonly facts: readonly Fact[] }
  /** What is said, next to the plan of the vehicle where there is one. */
  | { readonly kind: 'beside_plan'; readonly blocks: readonly Block[]; readonly plan: Plan | null }
  | Pictures
  | { readonly kind: 'shots'; readonly shots: readonly Shot[] }
  | Pair
  | Form;

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
export const makeTable = (columns: readonly Column[], rows: readonly Row[]): Table => ({
  kind: 'table',
  columns,
  rows,
});

/** Returns figures. */
export const makeFigures = (figures: readonly Figure[]): Block => ({ kind: 'figures', figures });

/** Returns the text of a cell. */
export function readCell(cell: Cell): string {
  if (typeof cell === 'string') return cell;
  return 'severity' in cell ? SEVERITY_WORDS[cell.severity] : cell.photo;
}
