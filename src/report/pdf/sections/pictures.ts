import type { Box } from '../../../domain/geometry.ts';
import { LOOKS } from '../../../domain/looks.ts';
import type { Pictures, ShownPicture } from '../../content/blocks.ts';
import { COLOR } from '../../palette.ts';
import type { Sheet, StructElement } from '../sheet.ts';
import { STYLE } from '../theme.ts';
import { drawFitted } from './boxed-photo.ts';

interface Grid {
  readonly columns: number;
  /** Picture height in points. */
  readonly height: number;
  readonly maxCaptionLines: number;
}

const GRIDS = {
  worst: { columns: 4, height: 76, maxCaptionLines: 1 },
  thumbnails: { columns: 8, height: 40, maxCaptionLines: 3 },
  photos: { columns: 4, height: 94, maxCaptionLines: 4 },
} as const satisfies Record<Pictures['size'], Grid>;

const GAP = 6;
/** Gaps between a picture and its caption, and below a row, in points. */
const ABOVE_CAPTION = 2;
const BELOW_ROW = 6;
/** Height of the title above pictures, in points. */
const TITLE_HEIGHT = 15;

/** Returns pictures reduced to their first row. */
export const takeFirstRow = (block: Pictures): Pictures => ({
  ...block,
  pictures: block.pictures.slice(0, GRIDS[block.size].columns),
});

/** Draws pictures in rows, each above its caption. */
export function drawPictures(sheet: Sheet, section: StructElement, block: Pictures): void {
  const { title, size } = block;
  const { columns, height: pictureHeight, maxCaptionLines } = GRIDS[size];
  const width = (sheet.width - GAP * (columns - 1)) / columns;
  if (title !== undefined) {
    sheet.mark(section, 'P', () => sheet.text.put([title], STYLE.head, sheet.left, sheet.y));
    sheet.y += TITLE_HEIGHT;
  }
  for (let from = 0; from < block.pictures.length; from += columns) {
    const pictures = block.pictures.slice(from, from + columns).map((picture) => ({
      picture,
      caption: sheet.text.lines(picture.caption, STYLE.label, width, maxCaptionLines),
    }));
    const captions = pictures.map(({ caption }) => sheet.text.measureHeight(caption, STYLE.label));
    const height = pictureHeight + ABOVE_CAPTION + Math.max(...captions) + BELOW_ROW;
    sheet.need(height - BELOW_ROW);
    const { y } = sheet;
    for (const [column, { picture, caption }] of pictures.entries()) {
      const x = sheet.left + column * (width + GAP);
      const frame = { x, y, width, height: pictureHeight };
      sheet.mark(section, 'Figure', () => drawShown(sheet, picture, frame), {
        alt: sheet.text.clean(`${picture.alt}.`),
      });
      sheet.mark(section, 'Caption', () =>
        sheet.text.put(caption, STYLE.label, x, y + pictureHeight + ABOVE_CAPTION, { width, to: 'center' }),
      );
    }
    sheet.y += height;
  }
}

/** Draws a placeholder with text instead of a picture. */
export function drawMissing(sheet: Sheet, text: string, { x, y, width, height }: Box): void {
  sheet.doc.rect(x, y, width, height).fill(COLOR.band);
  sheet.text.put([text], STYLE.label, x, y + height / 2 - 5, { width, to: 'center' });
}

/** Draws a picture centered in a rectangle with its finding marked, or a placeholder without a picture. */
export function drawShown(sheet: Sheet, { picture, missing, mark }: ShownPicture, frame: Box): void {
  if (picture) {
    const style = mark && { color: LOOKS[mark.look].fill, dashed: mark.look === 'to_check' };
    drawFitted(sheet, picture, frame, style && { ...mark, ...style });
  } else drawMissing(sheet, missing, frame);
}
