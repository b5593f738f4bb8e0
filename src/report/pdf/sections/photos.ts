import type { Photo } from '../../../contract/inspection.ts';
import { photoCaption } from '../../content/photos.ts';
import { type DamageRow, type Sighted, sightedIn } from '../../input.ts';
import { ownIssues } from '../../photo-issues.ts';
import { mainEvidence } from '../../pictures.ts';
import type { PdfContext } from '../page-context.ts';
import type { Sheet, StructElement } from '../sheet.ts';
import { STYLE } from '../theme.ts';
import { drawBoxed } from './boxed-photo.ts';
import { CARD, drawCard } from './damage-card.ts';
import { fitted } from './fitted.ts';
import { drawGrid } from './photo-grid.ts';

const COLUMNS = 2;
const GAP = 14;
/**
 * Heights of a photo at most, points: with the first, four to six photos with a card or two each fit on a page; with a
 * lower one a photo still finds room at the end of a page that would stay empty.
 */
const PHOTO_HEIGHTS = [152, 130, 108, 92] as const;
const LEAST_HEIGHT = PHOTO_HEIGHTS[PHOTO_HEIGHTS.length - 1] ?? 0;
/** Cards below a photo; further ones follow over the whole width. */
const MOST_CARDS = 4;
/** Room below a photo's block, points. */
const BELOW = 8;

/** One photo with finds, ready to draw. */
interface Shot {
  readonly photo: Photo;
  readonly sighted: readonly Sighted[];
  /** Finds that this photo shows best. */
  readonly rows: readonly DamageRow[];
  readonly caption: readonly string[];
  readonly notes: readonly string[];
  readonly size: { readonly width: number; readonly height: number };
  readonly height: number;
}

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
  const seen = data.images.map((photo) => ({ photo, sighted: sightedIn(photo, data) }));
  const shots = seen
    .filter(({ sighted }) => sighted.length > 0)
    .map(
      ({ photo, sighted }): Draft =>
        (mostHeight) =>
          shotOf(context, photo, sighted, data.images, mostHeight),
    );
  const without = seen.filter(({ sighted }) => sighted.length === 0).map(({ photo }) => photo);
  if (shots.length > 0) {
    sheet.group(sheet.root, 'Sect', (section) => {
      sheet.heading(section, 'Photos with finds', 1, shots[0]?.(LEAST_HEIGHT).height ?? 0);
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

function columnWidth(sheet: Sheet): number {
  return (sheet.width - GAP * (COLUMNS - 1)) / COLUMNS;
}

function shotOf(
  { sheet, rows, checks, pictures }: PdfContext,
  photo: Photo,
  sighted: readonly Sighted[],
  all: readonly Photo[],
  mostHeight: number,
): Shot {
  const width = columnWidth(sheet);
  const mine = [...rows, ...checks].filter(
    (row) => row.found && mainEvidence(row.found)?.image_index === photo.index,
  );
  const caption = sheet.text.lines(photoCaption(photo), STYLE.bold, width, 2);
  const missing = pictures.photos.has(photo.index)
    ? []
    : [`No picture: ${pictures.missing.get(photo.index) ?? 'the photo was not found'}`];
  const notes = [
    ...missing,
    ...alsoInView(sighted, photo),
    ...ownIssues(photo, all).map(({ message }) => message),
  ].flatMap((note) => sheet.text.lines(note, STYLE.label, width));
  const size = missing.length > 0 ? { width, height: 0 } : fitted(photo, width, mostHeight);
  const height =
    sheet.text.heightOf(caption, STYLE.bold) +
    size.height +
    sheet.text.heightOf(notes, STYLE.label) +
    6 +
    Math.min(MOST_CARDS, mine.length) * (CARD.height + CARD.gap);
  return { photo, sighted, rows: mine, caption, notes, size, height };
}

/** Fills two columns page by page, each photo into the shorter one that has room for it. */
function drawShots(context: PdfContext, section: StructElement, drafts: readonly Draft[]): void {
  const { sheet } = context;
  const width = columnWidth(sheet);
  let ends: number[] = Array(COLUMNS).fill(sheet.y);
  for (const draft of drafts) {
    let column = ends.indexOf(Math.min(...ends));
    const room = sheet.bottom - (ends[column] ?? 0);
    let shot = PHOTO_HEIGHTS.map(draft).find(({ height }) => height <= room);
    if (shot === undefined) {
      sheet.newPage();
      ends = Array(COLUMNS).fill(sheet.y);
      column = 0;
      shot = draft(PHOTO_HEIGHTS[0]);
    }
    const top = ends[column] ?? sheet.y;
    drawShot(context, section, shot, sheet.left + column * (width + GAP), top);
    ends[column] = top + shot.height + BELOW;
    sheet.y = Math.max(...ends);
    if (shot.rows.length > MOST_CARDS) {
      drawFurtherCards(context, section, shot);
      ends = Array(COLUMNS).fill(sheet.y);
    }
  }
}

function drawShot(context: PdfContext, section: StructElement, shot: Shot, x: number, top: number): void {
  const { sheet, pictures } = context;
  const { photo, sighted, caption, notes, size } = shot;
  const width = columnWidth(sheet);
  sheet.mark(section, 'H2', () => sheet.text.put(caption, STYLE.bold, x, top));
  let y = top + sheet.text.heightOf(caption, STYLE.bold) + 2;
  const picture = pictures.photos.get(photo.index);
  if (picture) {
    const at = { x: x + (width - size.width) / 2, y, ...size };
    const numbers = sighted.map(({ damage }) => damage.number).join(', ');
    sheet.mark(section, 'Figure', () => drawBoxed(sheet, picture, photo, sighted, at), {
      alt: `${sheet.text.clean(photoCaption(photo))}, with boxes around no. ${numbers}.`,
    });
    y += size.height + 3;
  }
  sheet.mark(section, 'P', () => sheet.text.put(notes, STYLE.label, x, y));
  y += sheet.text.heightOf(notes, STYLE.label) + 2;
  for (const row of shot.rows.slice(0, MOST_CARDS)) {
    drawCard(context, section, row, { x, y, width });
    y += CARD.height + CARD.gap;
  }
}

/** Draws the cards that have no room below their photo. */
function drawFurtherCards(context: PdfContext, section: StructElement, { photo, rows }: Shot): void {
  const { sheet } = context;
  const further = rows.slice(MOST_CARDS);
  if (further.length === 0) return;
  const width = columnWidth(sheet);
  sheet.heading(section, `Photo ${photo.index + 1}, further finds`, 2, CARD.height);
  for (let at = 0; at < further.length; at += COLUMNS) {
    sheet.need(CARD.height);
    const { y } = sheet;
    for (const [column, row] of further.slice(at, at + COLUMNS).entries())
      drawCard(context, section, row, { x: sheet.left + column * (width + GAP), y, width });
    sheet.y = y + CARD.height + CARD.gap;
  }
}

/** Returns the sentence about finds that are seen here and described at another photo, if there are any. */
function alsoInView(sighted: readonly Sighted[], photo: Photo): readonly string[] {
  const others = sighted.flatMap(({ damage }) => {
    const main = mainEvidence(damage)?.image_index;
    return main === undefined || main === photo.index ? [] : [`no. ${damage.number} (photo ${main + 1})`];
  });
  return others.length === 0 ? [] : [`Also in view: ${others.join(', ')}.`];
}
