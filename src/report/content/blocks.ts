import type { Photo } from '../../contract/inspection.ts';
import type { Severity } from '../../domain/damage.ts';
import type { Box } from '../../domain/geometry.ts';
import type { Look } from '../../domain/looks.ts';
import type { Fact } from '../facts.ts';
import type { PhotoFinding } from '../finding-rows.ts';
import type { Picture } from '../pictures.ts';
import type { Plan } from '../plan/plan.ts';
import type { Translator } from '../translator.ts';

export interface Column {
  readonly title: string;
  /** Fraction of the table's width on a page. */
  readonly share: number;
  /** Text columns are left-aligned and wrap on narrow terminals; numeric columns are right-aligned. */
  readonly align?: 'left' | 'right';
  /** Small type, used for hashes. */
  readonly small?: boolean;
}

/** A table cell: text, a severity shown as a colored chip with its label, or the file name of a photo. */
export type Cell =
  | string
  | { readonly severity: Severity; readonly label: string }
  | { readonly photo: string };

/** Reference from a row or card to its finding. */
export interface FindingRef {
  readonly id: string;
  readonly number: number;
  readonly look: Look;
  /** Label of the look, `Severe` or `To check`. */
  readonly label: string;
}

export interface Row {
  readonly cells: readonly Cell[];
  readonly bold?: boolean;
  /** True for a group heading, which is kept on the same page as the next row. */
  readonly isGroupHeading?: boolean;
  /** Secondary line below the cells. */
  readonly note?: string;
  /** Severity that colors the row number. */
  readonly severity?: Severity;
  /** Finding of the row, by which a page filters it. */
  readonly finding?: FindingRef;
}

export interface Table {
  readonly kind: 'table';
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

/** A headline figure: cost, condition or open places. */
export interface Figure {
  readonly label: string;
  readonly value: string;
  /** Secondary text of the value. */
  readonly note: string;
  readonly tone?: 'good' | 'open' | 'bad';
}

/** A picture with its caption; in a close-up, the finding is marked. */
export interface ShownPicture {
  readonly picture: Picture | undefined;
  readonly alt: string;
  readonly caption: string;
  /** Text shown if there is no picture. */
  readonly missing: string;
  /** Region of the photo shown, and bounding box of the finding, in pixels of the upright photo. */
  readonly mark?: { readonly region: Box; readonly box: Box | undefined; readonly look: Look };
}

/** Pictures in a row, each above its caption. */
export interface Pictures {
  readonly kind: 'pictures';
  /** `worst` and `photos`: four per row of a page; `thumbnails`: eight. */
  readonly size: 'worst' | 'thumbnails' | 'photos';
  readonly title?: string;
  readonly pictures: readonly ShownPicture[];
}

export interface Card {
  readonly finding: FindingRef;
  readonly title: string;
  readonly closeUp: ShownPicture;
  readonly facts: readonly string[];
}

/** A photo with a bounding box per finding, and a card for each finding that it shows best. */
export interface Shot {
  readonly photo: Photo;
  readonly picture: Picture | undefined;
  readonly alt: string;
  readonly caption: string;
  readonly findings: readonly PhotoFinding[];
  readonly notes: readonly string[];
  readonly cards: readonly Card[];
}

/** Form filled in by hand: check boxes and write-on lines, in reading order. */
export interface Form {
  readonly kind: 'form';
  readonly boxes: readonly string[];
  readonly lines: readonly [remarks: string, name: string, date: string, signature: string];
}

/** A compared place as shown in one of the two visits. */
export interface PairSide {
  /** Picture, its region of the photo, and bounding box of the place, in pixels of the upright photo. */
  readonly crop: { readonly picture: Picture; readonly region: Box; readonly box: Box } | null;
  readonly caption: string;
  /** True if the visit lists a finding at the place. */
  readonly isListed: boolean;
}

/** Decisions a reviewer can take on a row of the interactive page. */
export interface Choice {
  readonly row: string;
  readonly options: readonly { readonly value: string; readonly label: string; readonly isChosen: boolean }[];
  readonly note: string;
}

/** A compared place in both visits, side by side. */
interface Pair {
  readonly kind: 'pair';
  readonly sides: readonly PairSide[];
  /** Absent where there is nothing to decide. */
  readonly choice?: Choice;
}

/** Emphasis of a paragraph: `warning` stands out, `item` is a list item. */
export type Tone = 'soft' | 'bold' | 'item' | 'warning';

/** A medium-independent element of a report. Text-only media omit plan, pictures, shots, pairs and form. */
export type Block =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string; readonly tone?: Tone }
  | Table
  | { readonly kind: 'figures'; readonly figures: readonly Figure[] }
  | { readonly kind: 'facts'; readonly facts: readonly Fact[] }
  /** Blocks shown next to the plan of the vehicle, if there is one. */
  | { readonly kind: 'beside_plan'; readonly blocks: readonly Block[]; readonly plan: Plan | null }
  | Pictures
  | { readonly kind: 'shots'; readonly shots: readonly Shot[] }
  | Pair
  | Form;

export interface Section {
  /** Anchor id in lower-case kebab case. */
  readonly id: string;
  /** Number of the section's vehicle, if the result has several. */
  readonly vehicle?: number;
  /** Empty if the blocks need no title. */
  readonly title: string;
  readonly blocks: readonly Block[];
  readonly small?: boolean;
  /** True for a part of another section, titled one level below it. */
  readonly nested?: boolean;
}

export const makeHeading = (text: string): Block => ({ kind: 'heading', text });
export const makeParagraph = (text: string, tone?: Tone): Block =>
  tone ? { kind: 'paragraph', text, tone } : { kind: 'paragraph', text };

/** A column with a function that returns its cell of a row. */
export type ColumnOf<R> = Column & { readonly cell: (row: R) => Cell };

type MakeColumn = <R>(title: string, share: number, cell: (row: R) => Cell) => ColumnOf<R>;

/** Creates a text column that takes `share` of the table's width on a page. */
export const textColumn: MakeColumn = (title, share, cell) => ({ title, share, cell });
/** Creates a right-aligned column, for numbers. */
export const numberColumn: MakeColumn = (title, share, cell) => ({ title, share, align: 'right', cell });
/** Creates a column in small type, for hashes. */
export const hashColumn: MakeColumn = (title, share, cell) => ({ title, share, small: true, cell });

/** Creates a table from columns that write their own cells, without `false` ones; `more` adds properties of a row. */
export function tabulate<R>(
  rows: readonly R[],
  columns: readonly (ColumnOf<R> | false)[],
  more: (row: R) => Omit<Row, 'cells'> = () => ({}),
): Table {
  const shown = columns.filter((one) => one !== false);
  return {
    kind: 'table',
    columns: shown.map(({ cell: _, ...column }) => column),
    rows: rows.map((row) => ({ ...more(row), cells: shown.map(({ cell }) => cell(row)) })),
  };
}

/** Creates a table under a heading; empty without rows. */
export const makeTitledTable = <R>(
  title: string,
  rows: readonly R[],
  columns: readonly ColumnOf<R>[],
): readonly Block[] => (rows.length === 0 ? [] : [makeHeading(title), tabulate(rows, columns)]);

/** Creates a section; null without blocks. */
export const makeSection = (id: string, title: string, blocks: readonly Block[]): Section | null =>
  blocks.length === 0 ? null : { id, title, blocks };

/** Creates a section of one table; null without rows. */
export const makeTableSection = <R>(
  id: string,
  title: string,
  rows: readonly R[],
  columns: readonly ColumnOf<R>[],
): Section | null => makeSection(id, title, rows.length === 0 ? [] : [tabulate(rows, columns)]);

/** Creates a form to decide and sign, with a check box per outcome. */
export const makeForm = (boxes: readonly string[], t: Translator): Form => ({
  kind: 'form',
  boxes,
  lines: [t`Remarks`, t`Name`, t`Date`, t`Signature`],
});

export const makeFigures = (figures: readonly Figure[]): Block => ({ kind: 'figures', figures });

export function readCell(cell: Cell): string {
  if (typeof cell === 'string') return cell;
  return 'severity' in cell ? cell.label : cell.photo;
}
