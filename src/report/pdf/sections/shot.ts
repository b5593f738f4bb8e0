import type { Photo } from '../../../contract/inspection.ts';
import { describeAlsoInView, writePhotoCaption } from '../../content/photos.ts';
import type { DamageRow, Sighted } from '../../input.ts';
import { findMainEvidence } from '../../pictures.ts';
import type { PdfContext } from '../page-context.ts';
import type { Sheet } from '../sheet.ts';
import { STYLE } from '../theme.ts';
import { CARD, measureCardHeight } from './damage-card.ts';
import { fitInside } from './fitted.ts';

export const COLUMNS = 2;
export const GAP = 14;

/** One photo with finds, ready to draw. */
export interface Shot {
  readonly photo: Photo;
  readonly sighted: readonly Sighted[];
  /** Finds that this photo shows best. */
  readonly rows: readonly DamageRow[];
  readonly caption: readonly string[];
  readonly notes: readonly string[];
  readonly size: { readonly width: number; readonly height: number };
  /** Height of caption, photo and notes, points. */
  readonly headHeight: number;
}

/** Returns the width of a column of photos, points. */
export function measureColumnWidth(sheet: Sheet): number {
  return (sheet.width - GAP * (COLUMNS - 1)) / COLUMNS;
}

/** Lays out a photo with its caption and notes, at a height of at most so many points. */
export function layShot(
  { sheet, rows, checks, pictures }: PdfContext,
  photo: Photo,
  sighted: readonly Sighted[],
  mostHeight: number,
): Shot {
  const width = measureColumnWidth(sheet);
  const mine = [...rows, ...checks].filter(
    (row) => row.found && findMainEvidence(row.found)?.image_index === photo.index,
  );
  const caption = sheet.text.lines(writePhotoCaption(photo), STYLE.bold, width, 2);
  const missing = pictures.photos.has(photo.index)
    ? []
    : [`No picture: ${pictures.missing.get(photo.index) ?? 'the photo was not found'}`];
  const also = describeAlsoInView(sighted, photo);
  const notes = [...missing, ...(also === null ? [] : [also])].flatMap((note) =>
    sheet.text.lines(note, STYLE.label, width),
  );
  const size = missing.length > 0 ? { width, height: 0 } : fitInside(photo, width, mostHeight);
  const headHeight =
    sheet.text.measureHeight(caption, STYLE.bold) +
    size.height +
    sheet.text.measureHeight(notes, STYLE.label) +
    6;
  return { photo, sighted, rows: mine, caption, notes, size, headHeight };
}

/** Returns the height of cards below each other, points. */
function measureCardsHeight(sheet: Sheet, rows: readonly DamageRow[]): number {
  const width = measureColumnWidth(sheet);
  return rows.reduce((sum, row) => sum + measureCardHeight(sheet, row, width) + CARD.gap, 0);
}

/** Returns the height of a photo with all of its cards below it, points. */
export function measureHeight(sheet: Sheet, { headHeight, rows }: Shot): number {
  return headHeight + measureCardsHeight(sheet, rows);
}

/** Returns the least height that a photo needs: with its cards over both columns; points. */
export function measureLeastHeight(sheet: Sheet, shot: Shot): number {
  return spreadCards(sheet, shot).height;
}

/** Returns how many cards stand below a photo, the others next to it, so that both columns end alike. */
export function spreadCards(
  sheet: Sheet,
  { headHeight, rows }: Shot,
): { readonly below: number; readonly height: number } {
  const splits = [...rows.keys(), rows.length].map((below) => ({
    below,
    height: Math.max(
      headHeight + measureCardsHeight(sheet, rows.slice(0, below)),
      measureCardsHeight(sheet, rows.slice(below)),
    ),
  }));
  return splits.reduce((best, one) => (one.height < best.height ? one : best));
}
