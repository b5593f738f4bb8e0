import { LOOKS } from '../../../domain/looks.ts';
import type { Pictures, ShownPicture } from '../../content/blocks.ts';
import type { Sheet, StructElement } from '../sheet.ts';
import { COLOUR, STYLE } from '../theme.ts';
import { drawCloseUp } from './close-up.ts';
import { fitInside } from './fitted.ts';

/** Pictures per row, picture height in points, and maximum caption lines. */
interface Grid {
  readonly columns: number;
  readonly height: number;
  readonly lines: number;
}

/** Grids by picture size, largest first. */
const GRIDS = {
  worst: [90, 76, 64, 52].map((height) => ({ columns: 4, height, lines: 1 })),
  thumbnails: [{ columns: 8, height: 40, lines: 2 }],
  photos: [
    { columns: 3, height: 128, lines: 4 },
    { columns: 4, height: 94, lines: 4 },
    { columns: 5, height: 68, lines: 4 },
  ],
} as const satisfies Record<Pictures['size'], readonly Grid[]>;

const BETWEEN = 6;
/** Gaps between a picture and its caption, and below a row, in points. */
const ABOVE_CAPTION = 2;
const BELOW_ROW = 6;
/** Height of the title above pictures, in points. */
const TITLE = 15;

interface Line {
  readonly shown: readonly { readonly one: ShownPicture; readonly text: readonly string[] }[];
  readonly height: number;
}

const computeWidth = (sheet: Sheet, { columns }: Grid) => (sheet.width - BETWEEN * (columns - 1)) / columns;

/** Lays out the rows of a grid, with the height of each including its spacing, in points. */
function layRows(sheet: Sheet, pictures: readonly ShownPicture[], grid: Grid): readonly Line[] {
  const { columns, height, lines } = grid;
  const captioned = pictures.map((one) => ({
    one,
    text: sheet.text.lines(one.caption, STYLE.label, computeWidth(sheet, grid), lines),
  }));
  return Array.from({ length: Math.ceil(pictures.length / columns) }, (_, row) => {
    const shown = captioned.slice(row * columns, (row + 1) * columns);
    const textHeight = Math.max(...shown.map(({ text }) => sheet.text.measureHeight(text, STYLE.label)));
    return { shown, height: height + ABOVE_CAPTION + textHeight + BELOW_ROW };
  });
}

/** Computes the minimum height of pictures, and the height of their first row, in points. */
export function measurePictures(
  sheet: Sheet,
  block: Pictures,
): { readonly least: number; readonly row: number } {
  const [smallest] = GRIDS[block.size].slice(-1);
  const rows = smallest ? layRows(sheet, block.pictures, smallest) : [];
  const title = block.title === undefined ? 0 : TITLE;
  return { least: measure(rows) + title, row: (rows[0]?.height ?? 0) + title };
}

const measure = (rows: readonly Line[]) => rows.reduce((sum, { height }) => sum + height, 0);

/**
 * Draws pictures in rows, each above its caption, in the largest grid that fits the first possible of `rooms` (points);
 * falls back to the smallest grid.
 */
export function drawPictures(
  sheet: Sheet,
  section: StructElement,
  block: Pictures,
  rooms: readonly number[],
): void {
  const { title, size, pictures } = block;
  const grids: readonly Grid[] = GRIDS[size];
  const fits = (room: number) =>
    grids.find((one) => measure(layRows(sheet, pictures, one)) + (title === undefined ? 0 : TITLE) <= room);
  const grid = rooms.map(fits).find((one) => one !== undefined) ?? grids.at(-1);
  if (!grid) return;
  if (title !== undefined) {
    sheet.mark(section, 'P', () => sheet.text.put([title], STYLE.head, sheet.left, sheet.y));
    sheet.y += TITLE;
  }
  const width = computeWidth(sheet, grid);
  for (const { shown, height } of layRows(sheet, pictures, grid)) {
    sheet.need(height - BELOW_ROW);
    const { y } = sheet;
    for (const [column, { one, text }] of shown.entries()) {
      const x = sheet.left + column * (width + BETWEEN);
      const room = { x, y, width, height: grid.height };
      sheet.mark(section, 'Figure', () => drawShown(sheet, one, room), {
        alt: sheet.text.clean(`${one.alt}.`),
      });
      const center = { width, to: 'center' } as const;
      sheet.mark(section, 'Caption', () =>
        sheet.text.put(text, STYLE.label, x, y + grid.height + ABOVE_CAPTION, center),
      );
    }
    sheet.y += height;
  }
}

/** A rectangle on a page, in points. */
interface Room {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Draws a placeholder with text instead of a picture. */
export function drawMissing(sheet: Sheet, words: string, { x, y, width, height }: Room): void {
  sheet.doc.rect(x, y, width, height).fill(COLOUR.band);
  sheet.text.put([words], STYLE.label, x, y + height / 2 - 5, { width, to: 'center' });
}

/** Draws a picture centred in a rectangle with its finding marked, or a placeholder without a picture. */
export function drawShown(sheet: Sheet, { picture, missing, mark }: ShownPicture, room: Room): void {
  const { x, y, width, height } = room;
  if (!picture) drawMissing(sheet, missing, room);
  else if (mark) {
    const frame = { colour: LOOKS[mark.look].fill, dashed: mark.look === 'to_check' };
    drawCloseUp(sheet, { picture, region: mark.region }, mark.box, room, frame);
  } else {
    const size = fitInside(picture, width, height);
    sheet.image(picture, x + (width - size.width) / 2, y + (height - size.height) / 2, size);
  }
}
