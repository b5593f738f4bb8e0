import type { Box } from '../../../domain/geometry.ts';
import { LOOKS } from '../../../domain/looks.ts';
import type { Pictures, ShownPicture } from '../../content/blocks.ts';
import type { Sheet, StructElement } from '../sheet.ts';
import { COLOUR, STYLE } from '../theme.ts';
import { drawCloseUp } from './close-up.ts';
import { fitInside } from './fit-inside.ts';

interface Grid {
  readonly columns: number;
  /** Picture height in points. */
  readonly height: number;
  readonly maxCaptionLines: number;
}

/** Grids by picture size, largest first. */
const GRIDS = {
  worst: [90, 76, 64, 52].map((height) => ({ columns: 4, height, maxCaptionLines: 1 })),
  thumbnails: [{ columns: 8, height: 40, maxCaptionLines: 2 }],
  photos: [
    { columns: 3, height: 128, maxCaptionLines: 4 },
    { columns: 4, height: 94, maxCaptionLines: 4 },
    { columns: 5, height: 68, maxCaptionLines: 4 },
  ],
} as const satisfies Record<Pictures['size'], readonly Grid[]>;

const GAP = 6;
/** Gaps between a picture and its caption, and below a row, in points. */
const ABOVE_CAPTION = 2;
const BELOW_ROW = 6;
/** Height of the title above pictures, in points. */
const TITLE_HEIGHT = 15;

/** A row of pictures with their wrapped captions; the height in points includes its spacing. */
interface PictureRow {
  readonly pictures: readonly { readonly picture: ShownPicture; readonly caption: readonly string[] }[];
  readonly height: number;
}

/** A block laid out in a grid; the height in points includes its title. */
interface PictureLayout {
  readonly grid: Grid;
  readonly rows: readonly PictureRow[];
  readonly height: number;
}

const computeWidth = (sheet: Sheet, { columns }: Grid) => (sheet.width - GAP * (columns - 1)) / columns;

/** Lays out pictures in a grid. */
function layOut(sheet: Sheet, { title, pictures }: Pictures, grid: Grid): PictureLayout {
  const { columns, height: pictureHeight, maxCaptionLines } = grid;
  const captioned = pictures.map((picture) => ({
    picture,
    caption: sheet.text.lines(picture.caption, STYLE.label, computeWidth(sheet, grid), maxCaptionLines),
  }));
  const rows = Array.from({ length: Math.ceil(pictures.length / columns) }, (_, row) => {
    const inRow = captioned.slice(row * columns, (row + 1) * columns);
    const captions = inRow.map(({ caption }) => sheet.text.measureHeight(caption, STYLE.label));
    return {
      pictures: inRow,
      height: pictureHeight + ABOVE_CAPTION + Math.max(...captions) + BELOW_ROW,
    };
  });
  const titleHeight = title === undefined ? 0 : TITLE_HEIGHT;
  return { grid, rows, height: rows.reduce((sum, { height }) => sum + height, titleHeight) };
}

/** Computes the minimum height of pictures, and the height of their first row, in points. */
export function measurePictures(
  sheet: Sheet,
  block: Pictures,
): { readonly minHeight: number; readonly firstRow: number } {
  const [smallest] = GRIDS[block.size].slice(-1).map((grid) => layOut(sheet, block, grid));
  if (!smallest) return { minHeight: 0, firstRow: 0 };
  const { rows, height } = smallest;
  return { minHeight: height, firstRow: rows.slice(1).reduce((sum, row) => sum - row.height, height) };
}

/**
 * Draws pictures in rows, each above its caption, in the largest grid that fits the first possible of
 * `availableHeights` (points); falls back to the smallest grid.
 */
export function drawPictures(
  sheet: Sheet,
  section: StructElement,
  block: Pictures,
  availableHeights: readonly number[],
): void {
  const { title, size } = block;
  const layouts = GRIDS[size].map((grid) => layOut(sheet, block, grid));
  const chosen =
    availableHeights
      .map((available) => layouts.find(({ height }) => height <= available))
      .find((one) => one !== undefined) ?? layouts.at(-1);
  if (!chosen) return;
  const { grid, rows } = chosen;
  if (title !== undefined) {
    sheet.mark(section, 'P', () => sheet.text.put([title], STYLE.head, sheet.left, sheet.y));
    sheet.y += TITLE_HEIGHT;
  }
  const width = computeWidth(sheet, grid);
  for (const { pictures, height } of rows) {
    sheet.need(height - BELOW_ROW);
    const { y } = sheet;
    for (const [column, { picture, caption }] of pictures.entries()) {
      const x = sheet.left + column * (width + GAP);
      const frame = { x, y, width, height: grid.height };
      sheet.mark(section, 'Figure', () => drawShown(sheet, picture, frame), {
        alt: sheet.text.clean(`${picture.alt}.`),
      });
      sheet.mark(section, 'Caption', () =>
        sheet.text.put(caption, STYLE.label, x, y + grid.height + ABOVE_CAPTION, { width, to: 'center' }),
      );
    }
    sheet.y += height;
  }
}

/** Draws a placeholder with text instead of a picture. */
export function drawMissing(sheet: Sheet, text: string, { x, y, width, height }: Box): void {
  sheet.doc.rect(x, y, width, height).fill(COLOUR.band);
  sheet.text.put([text], STYLE.label, x, y + height / 2 - 5, { width, to: 'center' });
}

/** Draws a picture centred in a rectangle with its finding marked, or a placeholder without a picture. */
export function drawShown(sheet: Sheet, { picture, missing, mark }: ShownPicture, frame: Box): void {
  const { x, y, width, height } = frame;
  if (!picture) drawMissing(sheet, missing, frame);
  else if (mark) {
    const style = { colour: LOOKS[mark.look].fill, dashed: mark.look === 'to_check' };
    drawCloseUp(sheet, { picture, region: mark.region }, mark.box, frame, style);
  } else {
    const size = fitInside(picture, width, height);
    sheet.image(picture, x + (width - size.width) / 2, y + (height - size.height) / 2, size);
  }
}
