import type { DamageRow } from '../../input.ts';
import type { Sheet } from '../sheet.ts';
import { STYLE } from '../theme.ts';
import { CARD, measureCardHeight } from './damage-card.ts';
import {
  COLUMNS,
  measureColumnWidth,
  measureHeight,
  measureLeastHeight,
  type Shot,
  spreadCards,
} from './shot.ts';

/**
 * Heights of a photo at most, points, largest first: the last ones are for a photo that else finds no room at the end
 * of a page.
 */
const PHOTO_HEIGHTS = [152, 130, 108, 92] as const;
/** The height that photos may be reduced to so that more of them stand on a page, points, and how many are enough. */
const LEAST_OF_ALL = 108;
const MOST_PHOTOS = 6;
/** Room below a photo's block, points. */
const BELOW = 8;
/** Above and below the heading of further cards, points. */
const AROUND_HEADING = { above: 6, below: 3 } as const;

/** A photo with finds at a height of at most so many points. */
export type Draft = (mostHeight: number) => Shot;

interface PlacedCard {
  readonly row: DamageRow;
  readonly column: number;
  /** Points from the top of the page. */
  readonly y: number;
}

/** What stands on a page: a photo with cards, or cards for which the page of their photo had no room. */
interface PlacedShot {
  readonly kind: 'photo' | 'further' | 'more';
  /** Pages after the one that the photos begin on. */
  readonly page: number;
  readonly shot: Shot;
  readonly column: number;
  readonly y: number;
  readonly cards: readonly PlacedCard[];
}

interface Pages {
  readonly placed: readonly PlacedShot[];
  readonly page: number;
  /** Where the last page ends, points from its top. */
  readonly end: number;
}

/** Photos that fit on the rest of a page, one each, and where they end, points from its top. */
interface Filled {
  readonly shots: readonly PlacedShot[];
  readonly end: number;
}

/** Returns a photo as low as it is ever drawn. */
export function layLowest(draft: Draft): Shot {
  return draft(Math.min(...PHOTO_HEIGHTS));
}

/** Lays out photos from a place of the page on, page by page: the more on a page, up to six, the better. */
export function layPages(sheet: Sheet, drafts: readonly Draft[], from: number): Pages {
  const placed: PlacedShot[] = [];
  let page = 0;
  let end = from;
  let rest = drafts;
  for (let [first] = rest; first; [first] = rest) {
    const { shots, end: below } = fillPage(sheet, rest, page, end);
    if (shots.length > 0) {
      placed.push(...shots);
      rest = rest.slice(shots.length);
      if (rest.length > 0) page++;
      end = rest.length > 0 ? sheet.top : below;
    } else if (end > sheet.top) {
      page++;
      end = sheet.top;
    } else {
      // More cards than a page holds.
      const laid = layOverBoth(sheet, first(PHOTO_HEIGHTS[0]), page, end);
      placed.push(...laid.placed);
      ({ page, end } = laid);
      rest = rest.slice(1);
    }
  }
  return { placed, page, end };
}

/** Fills the rest of a page with photos as large as leave the most of them on it. */
function fillPage(sheet: Sheet, drafts: readonly Draft[], page: number, from: number): Filled {
  const fills = PHOTO_HEIGHTS.filter((most) => most >= LEAST_OF_ALL).map((most) =>
    fillColumns(
      sheet,
      drafts,
      page,
      from,
      PHOTO_HEIGHTS.filter((height) => height <= most),
    ),
  );
  const count = ({ shots }: Filled) => Math.min(shots.length, MOST_PHOTOS);
  return fills.reduce((best, one) => (count(one) > count(best) ? one : best));
}

/**
 * Fills two columns, each photo as large as it fits, into the shorter one or over both with its cards also next to it.
 * Ends with the first photo that has no room.
 */
function fillColumns(
  sheet: Sheet,
  drafts: readonly Draft[],
  page: number,
  from: number,
  heights: readonly number[],
): Filled {
  const shots: PlacedShot[] = [];
  let ends: number[] = Array(COLUMNS).fill(from);
  for (const draft of drafts) {
    const sizes = heights.map(draft);
    const [y, lowest] = [Math.min(...ends), Math.max(...ends)];
    const fitsColumn = (one: Shot) => measureHeight(sheet, one) <= sheet.bottom - y;
    const shot = sizes.find(
      (one) => fitsColumn(one) || measureLeastHeight(sheet, one) <= sheet.bottom - lowest,
    );
    if (!shot) break;
    if (fitsColumn(shot)) {
      const column = ends.indexOf(y);
      const cards = stack(sheet, shot.rows, column, y + shot.headHeight);
      shots.push({ kind: 'photo', page, shot, column, y, cards: cards.placed });
      ends[column] = cards.end + BELOW;
    } else {
      const laid = layOverBoth(sheet, shot, page, lowest);
      shots.push(...laid.placed);
      ends = Array(COLUMNS).fill(laid.end);
    }
  }
  return { shots, end: Math.max(...ends) };
}

/** Lays a photo out with its cards below and next to it; those for which the page has no room follow it. */
function layOverBoth(sheet: Sheet, shot: Shot, page: number, y: number): Pages {
  const room = sheet.bottom - y;
  const counts = [...shot.rows.keys(), shot.rows.length].toReversed();
  const here = (count: number): Shot => ({ ...shot, rows: shot.rows.slice(0, count) });
  const onPage = counts.find((count) => spreadCards(sheet, here(count)).height <= room) ?? 0;
  const { below } = spreadCards(sheet, here(onPage));
  const [left, right] = [
    stack(sheet, shot.rows.slice(0, below), 0, y + shot.headHeight),
    stack(sheet, shot.rows.slice(below, onPage), 1, y),
  ];
  const cards = [...left.placed, ...right.placed];
  const first: PlacedShot = { kind: 'photo', page, shot, column: 0, y, cards };
  const rest = layFurther(sheet, shot, shot.rows.slice(onPage), page, Math.max(left.end, right.end) + BELOW);
  return { ...rest, placed: [first, ...rest.placed] };
}

/** Lays out cards, two next to each other, over as many pages as they need. */
function layFurther(sheet: Sheet, shot: Shot, rows: readonly DamageRow[], page: number, y: number): Pages {
  const placed: PlacedShot[] = [];
  const width = measureColumnWidth(sheet);
  const above = { page, y };
  let at = { page, y };
  let cards: PlacedCard[] = [];
  const close = () => {
    if (cards.length > 0)
      placed.push({ kind: placed.length === 0 ? 'further' : 'more', shot, column: 0, cards, ...above });
    cards = [];
  };
  for (let first = 0; first < rows.length; first += COLUMNS) {
    const line = rows.slice(first, first + COLUMNS);
    const height = Math.max(...line.map((row) => measureCardHeight(sheet, row, width)));
    const heading = first === 0 ? measureHeadingHeight(sheet) : 0;
    if (at.y + heading + height > sheet.bottom && at.y > sheet.top) {
      close();
      at = { page: at.page + 1, y: sheet.top };
    }
    if (cards.length === 0) Object.assign(above, at);
    const top = at.y + heading;
    cards.push(...line.map((row, column) => ({ row, column, y: top })));
    at = { page: at.page, y: top + height + CARD.gap };
  }
  close();
  return { placed, page: at.page, end: at.y };
}

function measureHeadingHeight(sheet: Sheet): number {
  return AROUND_HEADING.above + sheet.text.measureHeight(['X'], STYLE.h2) + AROUND_HEADING.below;
}

/** Puts cards below each other into a column. */
function stack(
  sheet: Sheet,
  rows: readonly DamageRow[],
  column: number,
  top: number,
): { readonly placed: readonly PlacedCard[]; readonly end: number } {
  const width = measureColumnWidth(sheet);
  const placed: PlacedCard[] = [];
  let y = top;
  for (const row of rows) {
    placed.push({ row, column, y });
    y += measureCardHeight(sheet, row, width) + CARD.gap;
  }
  return { placed, end: y };
}
