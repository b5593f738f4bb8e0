import { writePhotoCaption } from '../../content/photos.ts';
import { type DamageRow, listSighted } from '../../input.ts';
import type { PdfContext } from '../page-context.ts';
import type { Sheet, StructElement } from '../sheet.ts';
import { STYLE } from '../theme.ts';
import { drawBoxed } from './boxed-photo.ts';
import { CARD, drawCard, measureCardHeight } from './damage-card.ts';
import { drawGrid } from './photo-grid.ts';
import {
  COLUMNS,
  GAP,
  layShot,
  measureColumnWidth,
  measureHeight,
  measureLeastHeight,
  type Shot,
  spreadCards,
} from './shot.ts';

/**
 * Heights of a photo at most, points: with the first, four to six photos with a card or two each fit on a page; with a
 * lower one a photo still finds room at the end of a page that would stay empty.
 */
const PHOTO_HEIGHTS = [152, 130, 108, 92] as const;
const LEAST_HEIGHT = PHOTO_HEIGHTS[PHOTO_HEIGHTS.length - 1] ?? 0;
/** Room below a photo's block, points. */
const BELOW = 8;

/** A photo with finds at a height of at most so many points. */
type Draft = (mostHeight: number) => Shot;

/**
 * Draws photos with finds, two next to each other with their cards, then the photos without finds, small, so that
 * `closing` points of text after the decision still fit on their page where they can.
 */
export function drawPhotos(context: PdfContext, closing: number): void {
  const { sheet, input } = context;
  const data = input.inspection?.data;
  if (!data || data.images.length === 0) return;
  const seen = data.images.map((photo) => ({ photo, sighted: listSighted(photo, data) }));
  const shots = seen
    .filter(({ sighted }) => sighted.length > 0)
    .map(
      ({ photo, sighted }): Draft =>
        (mostHeight) =>
          layShot(context, photo, sighted, data.images, mostHeight),
    );
  const without = seen.filter(({ sighted }) => sighted.length === 0).map(({ photo }) => photo);
  if (shots.length > 0) {
    sheet.group(sheet.root, 'Sect', (section) => {
      const [first] = shots;
      sheet.heading(
        section,
        'Photos with finds',
        1,
        first ? measureLeastHeight(sheet, first(LEAST_HEIGHT)) : 0,
      );
      drawShots(context, section, shots);
    });
  }
  if (without.length > 0) {
    sheet.group(sheet.root, 'Sect', (section) => {
      sheet.heading(section, 'Photos without finds', 1, 120);
      drawGrid(context, section, without, closing);
    });
  }
}

/**
 * Fills two columns page by page, each photo into the shorter one that has room for it; where neither has, over both
 * with its cards also next to it, and only then on a new page.
 */
function drawShots(context: PdfContext, section: StructElement, drafts: readonly Draft[]): void {
  const { sheet } = context;
  const width = measureColumnWidth(sheet);
  let ends: number[] = Array(COLUMNS).fill(sheet.y);
  for (const draft of drafts) {
    let placed = inColumn(sheet, draft, ends);
    if (placed === undefined) {
      sheet.y = Math.max(...ends);
      const isWide = PHOTO_HEIGHTS.some((most) => fitsWide(sheet, draft(most)));
      if (!isWide) sheet.newPage();
      ends = Array(COLUMNS).fill(sheet.y);
      placed = isWide ? undefined : inColumn(sheet, draft, ends);
    }
    if (placed === undefined) {
      drawWide(context, section, draft);
      ends = Array(COLUMNS).fill(sheet.y);
      continue;
    }
    const { shot, column, top } = placed;
    const x = sheet.left + column * (width + GAP);
    drawHead(context, section, shot, x, top);
    ends[column] = drawCards(context, section, shot.rows, x, top + shot.headHeight) + BELOW;
    sheet.y = Math.max(...ends);
  }
}

/** Returns a photo as high as the shorter column has room for it with its cards; undefined where it has none. */
function inColumn(sheet: Sheet, draft: Draft, ends: readonly number[]) {
  const top = Math.min(...ends);
  const shot = PHOTO_HEIGHTS.map(draft).find((one) => measureHeight(sheet, one) <= sheet.bottom - top);
  return shot && { shot, column: ends.indexOf(top), top };
}

function fitsWide(sheet: Sheet, shot: Shot): boolean {
  return measureLeastHeight(sheet, shot) <= sheet.bottom - sheet.y;
}

/** Draws a photo with its cards below and next to it; those for which a page has no room follow it. */
function drawWide(context: PdfContext, section: StructElement, draft: Draft): void {
  const { sheet } = context;
  const shot = PHOTO_HEIGHTS.map(draft).find((one) => fitsWide(sheet, one)) ?? draft(PHOTO_HEIGHTS[0]);
  const top = sheet.y;
  const onPage = cardsOnPage(sheet, shot);
  const now: Shot = { ...shot, rows: shot.rows.slice(0, onPage) };
  const { below } = spreadCards(sheet, now);
  drawHead(context, section, shot, sheet.left, top);
  const ends = [
    drawCards(context, section, now.rows.slice(0, below), sheet.left, top + shot.headHeight),
    drawCards(context, section, now.rows.slice(below), sheet.left + measureColumnWidth(sheet) + GAP, top),
  ];
  sheet.y = Math.max(...ends) + BELOW;
  drawFurtherCards(context, section, { ...shot, rows: shot.rows.slice(onPage) });
}

/** Returns how many of a photo's cards fit on the rest of the page. */
function cardsOnPage(sheet: Sheet, shot: Shot): number {
  const counts = [...shot.rows.keys(), shot.rows.length].toReversed();
  const fits = (count: number) =>
    spreadCards(sheet, { ...shot, rows: shot.rows.slice(0, count) }).height <= sheet.bottom - sheet.y;
  return counts.find(fits) ?? 0;
}

/** Draws cards below each other. @returns where they end, points from the top of the page */
function drawCards(
  context: PdfContext,
  section: StructElement,
  rows: readonly DamageRow[],
  x: number,
  top: number,
): number {
  const width = measureColumnWidth(context.sheet);
  let y = top;
  for (const row of rows) {
    drawCard(context, section, row, { x, y, width });
    y += measureCardHeight(context.sheet, row, width) + CARD.gap;
  }
  return y;
}

/** Draws caption, photo and notes. */
function drawHead(context: PdfContext, section: StructElement, shot: Shot, x: number, top: number): void {
  const { sheet, pictures } = context;
  const { photo, sighted, caption, notes, size } = shot;
  const width = measureColumnWidth(sheet);
  sheet.mark(section, 'H2', () => sheet.text.put(caption, STYLE.bold, x, top));
  let y = top + sheet.text.measureHeight(caption, STYLE.bold) + 2;
  const picture = pictures.photos.get(photo.index);
  if (picture) {
    const at = { x: x + (width - size.width) / 2, y, ...size };
    const numbers = sighted.map(({ damage }) => damage.number).join(', ');
    sheet.mark(section, 'Figure', () => drawBoxed(sheet, picture, photo, sighted, at), {
      alt: `${sheet.text.clean(writePhotoCaption(photo))}, with boxes around no. ${numbers}.`,
    });
    y += size.height + 3;
  }
  sheet.mark(section, 'P', () => sheet.text.put(notes, STYLE.label, x, y));
}

/** Draws the cards for which the page of their photo has no room. */
function drawFurtherCards(context: PdfContext, section: StructElement, { photo, rows: further }: Shot): void {
  const { sheet } = context;
  if (further.length === 0) return;
  const width = measureColumnWidth(sheet);
  sheet.heading(section, `Photo ${photo.index + 1}, further finds`, 2, CARD.height);
  for (let at = 0; at < further.length; at += COLUMNS) {
    const line = further.slice(at, at + COLUMNS);
    const height = Math.max(...line.map((row) => measureCardHeight(sheet, row, width)));
    sheet.need(height);
    const { y } = sheet;
    for (const [column, row] of line.entries())
      drawCard(context, section, row, { x: sheet.left + column * (width + GAP), y, width });
    sheet.y = y + height + CARD.gap;
  }
}
