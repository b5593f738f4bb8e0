import type { Card, Shot } from '../../content/blocks.ts';
import { CHIP_STYLE, drawChip } from '../chip.ts';
import type { Sheet, StructElement } from '../sheet.ts';
import { COLOUR, STYLE } from '../theme.ts';
import { drawBoxed } from './boxed-photo.ts';
import { fitInside } from './fit-inside.ts';
import { drawShown } from './pictures.ts';

const COLUMNS = 2;
const GAP = 14;
/** Maximum photo heights in points, largest first; the smallest is reserved for a photo at the end of a page. */
const PHOTO_HEIGHTS = [152, 130, 108, 92] as const;
/** Photos per page from which no smaller height is tried; a page uses the largest height that fits most. */
const ENOUGH_PHOTOS = 6;
/** Gap below the last card of a photo, in points. */
const BELOW_CARDS = 5;
/** Minimum card height, gap below, close-up width and padding, in points. */
const CARD = { height: 54, gap: 5, crop: 64, pad: 5 } as const;
/** Offset of the facts from the top of a card, and their line height, in points. */
const FACTS = { top: 19, line: 9.6 } as const;

/** An unbreakable element of a column: a photo with its caption, or a card. Sizes in points. */
interface Piece {
  readonly height: number;
  draw(section: StructElement, x: number, y: number): void;
}

interface PlacedPiece {
  readonly piece: Piece;
  readonly column: number;
  readonly y: number;
}

const measureColumnWidth = (sheet: Sheet) => (sheet.width - GAP * (COLUMNS - 1)) / COLUMNS;

/** Computes the minimum height of the first photo in points. */
export function measureFirstShot(sheet: Sheet, [first]: readonly Shot[]): number {
  return first ? spreadOverColumns(layOutShot(sheet, first, Math.min(...PHOTO_HEIGHTS)), 0).end : 0;
}

/** Draws photos with their cards in two columns; a photo that fits on one page is not split. */
export function drawShots(sheet: Sheet, section: StructElement, shots: readonly Shot[]): void {
  const step = measureColumnWidth(sheet) + GAP;
  const draw = (placed: readonly PlacedPiece[]) => {
    for (const { piece, column, y } of placed) piece.draw(section, sheet.left + column * step, y);
  };
  const draft = (shot: Shot) => ({
    shot,
    sizes: PHOTO_HEIGHTS.map((height) => layOutShot(sheet, shot, height)),
  });
  let remaining = shots.map(draft);
  for (let [first] = remaining; first; [first] = remaining) {
    const pages = PHOTO_HEIGHTS.slice(0, -1).map((_, at) =>
      fillPage(
        remaining.map(({ sizes }) => sizes.slice(at)),
        sheet.y,
        sheet.bottom,
      ),
    );
    const page = pages.reduce((best, one) => (Math.min(one.whole, ENOUGH_PHOTOS) > best.whole ? one : best));
    if (page.whole > 0) {
      draw(page.placed);
      remaining = remaining.slice(page.whole);
      sheet.y = page.end;
      if (remaining.length > 0) sheet.newPage();
    } else if (sheet.y > sheet.top) sheet.newPage();
    else {
      // The cards exceed a full page.
      const { shot, sizes } = first;
      const placed = fillColumns(sizes[0] ?? [], sheet.y, sheet.bottom);
      draw(placed);
      const caption = shot.continuation;
      const cards = shot.cards.slice(placed.length - 1);
      remaining = [draft({ ...shot, picture: undefined, notes: [], caption, cards }), ...remaining.slice(1)];
      sheet.newPage();
    }
  }
}

const measure = (pieces: readonly Piece[]) => pieces.reduce((sum, { height }) => sum + height, 0);

/** Stacks elements in a column. */
function stack(pieces: readonly Piece[], column: number, top: number): readonly PlacedPiece[] {
  return pieces.map((piece, index) => ({ piece, column, y: top + measure(pieces.slice(0, index)) }));
}

/** Splits a photo over both columns with balanced heights; `end` is the bottom of the taller one. */
function spreadOverColumns(
  pieces: readonly Piece[],
  top: number,
): { readonly placed: readonly PlacedPiece[]; readonly end: number } {
  const splits = pieces.map((_, index) => [pieces.slice(0, index + 1), pieces.slice(index + 1)] as const);
  const height = ([left, right]: (typeof splits)[number]) => Math.max(measure(left), measure(right));
  const [left, right] = splits.reduce((best, one) => (height(one) < height(best) ? one : best));
  return { placed: [...stack(left, 0, top), ...stack(right, 1, top)], end: top + height([left, right]) };
}

/**
 * Fills a page with as many whole photos as fit, each at its largest fitting size, in the shorter column or over both.
 * @param drafts elements of each photo, largest size first
 */
function fillPage(drafts: readonly (readonly (readonly Piece[])[])[], top: number, bottom: number) {
  const ends = [top, top];
  const placed: PlacedPiece[] = [];
  let photoCount = 0;
  for (const sizes of drafts) {
    const column = ends.indexOf(Math.min(...ends));
    const below = Math.max(...ends);
    const fits = (pieces: readonly Piece[]) => (ends[column] ?? top) + measure(pieces) <= bottom;
    const pieces = sizes.find((one) => fits(one) || spreadOverColumns(one, below).end <= bottom);
    if (!pieces) break;
    if (fits(pieces)) {
      placed.push(...stack(pieces, column, ends[column] ?? top));
      ends[column] = (ends[column] ?? top) + measure(pieces);
    } else {
      const both = spreadOverColumns(pieces, below);
      placed.push(...both.placed);
      ends.fill(both.end);
    }
    photoCount++;
  }
  return { whole: photoCount, placed, end: Math.max(...ends) };
}

/** Fills both columns of a page with as many elements of one photo as fit. */
function fillColumns(pieces: readonly Piece[], top: number, bottom: number): readonly PlacedPiece[] {
  const placed: PlacedPiece[] = [];
  let [column, y] = [0, top];
  for (const piece of pieces) {
    if (y + piece.height > bottom) [column, y] = [column + 1, top];
    if (column === COLUMNS) break;
    placed.push({ piece, column, y });
    y += piece.height;
  }
  return placed;
}

/** Lays out the elements of a photo; its picture is at most `maxHeight` points high. */
function layOutShot(sheet: Sheet, shot: Shot, maxHeight: number): readonly Piece[] {
  const { photo, picture, alt, findings, cards } = shot;
  const width = measureColumnWidth(sheet);
  const caption = sheet.text.lines(shot.caption, STYLE.bold, width, 2);
  const notes = shot.notes.flatMap((note) => sheet.text.lines(note, STYLE.label, width));
  const size = picture ? fitInside(photo, width, maxHeight) : { width, height: 0 };
  const above = sheet.text.measureHeight(caption, STYLE.bold) + 2;
  const headHeight = above + size.height + sheet.text.measureHeight(notes, STYLE.label) + 4;
  const draw = (section: StructElement, x: number, y: number) => {
    sheet.mark(section, 'H2', () => sheet.text.put(caption, STYLE.bold, x, y));
    const at = { x: x + (width - size.width) / 2, y: y + above, ...size };
    if (picture)
      sheet.mark(section, 'Figure', () => drawBoxed(sheet, picture, photo, findings, at), {
        alt: `${sheet.text.clean(alt)}.`,
      });
    const below = y + above + (picture ? size.height + 3 : 0);
    sheet.mark(section, 'P', () => sheet.text.put(notes, STYLE.label, x, below));
  };
  const pieces = [{ height: headHeight, draw }, ...cards.map((card) => layOutCard(sheet, card, width))];
  return pieces.map((one, index) => ({
    ...one,
    height: one.height + (index < cards.length ? 0 : BELOW_CARDS),
  }));
}

/** Lays out the close-up of a finding next to its facts; a place to check has a dashed border. */
function layOutCard(sheet: Sheet, { finding, title, closeUp, facts }: Card, width: number): Piece {
  const { crop, pad } = CARD;
  const textWidth = width - crop - 3 * pad - 2;
  const wrapped = facts.map((fact) => sheet.text.lines(fact, STYLE.label, textWidth, 3));
  const chip = finding.label;
  const chipWidth = sheet.text.measureWidth(chip, CHIP_STYLE) + 10;
  const name = sheet.text.lines(title, STYLE.bold, textWidth - chipWidth - 4, 2);
  const top = FACTS.top + sheet.text.measureHeight(name.slice(1), STYLE.bold);
  const height = Math.max(CARD.height, top + wrapped.flat().length * FACTS.line + pad);
  const draw = (section: StructElement, x: number, y: number) => {
    sheet.decorate(() => {
      sheet.doc.roundedRect(x, y, width, height, 4).lineWidth(0.6);
      if (finding.look === 'to_check') sheet.doc.dash(3, { space: 2.5 });
      sheet.doc
        .strokeColor(finding.look === 'to_check' ? COLOUR.soft : COLOUR.rule)
        .stroke()
        .undash();
    });
    sheet.group(section, 'Div', (card) => {
      const frame = { x: x + pad, y: y + pad, width: crop, height: CARD.height - 2 * pad };
      sheet.mark(card, 'Figure', () => drawShown(sheet, closeUp, frame), { alt: `${closeUp.alt}.` });
      const textX = x + crop + 2 * pad + 2;
      sheet.mark(card, 'P', () => sheet.text.put(name, STYLE.bold, textX, y + 4));
      sheet.mark(card, 'P', () => drawChip(sheet, finding, textX + textWidth - chipWidth, y + 4, chipWidth), {
        alt: chip,
      });
      let line = y + top;
      for (const lines of wrapped)
        sheet.mark(card, 'P', () => {
          for (const text of lines) {
            sheet.text.put([text], { ...STYLE.label, colour: COLOUR.ink }, textX, line);
            line += FACTS.line;
          }
        });
    });
  };
  return { height: height + CARD.gap, draw };
}
