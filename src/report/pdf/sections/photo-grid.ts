import type { Photo } from '../../../contract/inspection.ts';
import { writePhotoCaption } from '../../content/photos.ts';
import type { PdfContext } from '../page-context.ts';
import type { Sheet, StructElement } from '../sheet.ts';
import { COLOUR, STYLE } from '../theme.ts';
import { fitInside } from './fitted.ts';

/** Photos without finds in a row, and their height at most, points: as large as a page has room for. */
const GRIDS = [
  { columns: 3, height: 128 },
  { columns: 4, height: 94 },
  { columns: 5, height: 68 },
] as const;
const GRID_GAP = 10;
/** A row's caption and what lies between rows, points. */
const ROW_EXTRA = 34;
/** What must still fit below the photos: the decision, points. */
const DECISION = 128;

/**
 * Returns the largest grid with which the photos, the decision and `closing` points after it fit on the rest of the
 * page, else photos and decision; the smallest where none does.
 */
function gridFor(sheet: Sheet, photos: number, closing: number): (typeof GRIDS)[number] {
  const room = sheet.bottom - sheet.y - DECISION;
  const fits =
    (rest: number) =>
    ({ columns, height }: (typeof GRIDS)[number]) =>
      Math.ceil(photos / columns) * (height + ROW_EXTRA) <= rest;
  return GRIDS.find(fits(room - closing)) ?? GRIDS.find(fits(room)) ?? GRIDS[2];
}

/**
 * Draws photos without finds next to each other, each above its caption; `closing`: height of what comes last, points.
 */
export function drawGrid(
  context: PdfContext,
  section: StructElement,
  photos: readonly Photo[],
  closing: number,
): void {
  const { sheet, pictures } = context;
  const grid = gridFor(sheet, photos.length, closing);
  const width = (sheet.width - GRID_GAP * (grid.columns - 1)) / grid.columns;
  for (let at = 0; at < photos.length; at += grid.columns) {
    const line = photos.slice(at, at + grid.columns).map((photo) => {
      const state = photo.analysed ? '' : ' (not analysed)';
      return { photo, text: sheet.text.lines(`${writePhotoCaption(photo)}${state}`, STYLE.label, width, 4) };
    });
    const textHeight = Math.max(...line.map((one) => sheet.text.measureHeight(one.text, STYLE.label)));
    sheet.need(grid.height + 3 + textHeight);
    const { y } = sheet;
    line.forEach(({ photo, text }, column) => {
      const x = sheet.left + column * (width + GRID_GAP);
      const picture = pictures.photos.get(photo.index);
      const size = fitInside(photo, width, grid.height);
      sheet.mark(
        section,
        'Figure',
        () => {
          if (picture)
            sheet.doc.image(
              Buffer.from(picture.jpeg),
              x + (width - size.width) / 2,
              y + (grid.height - size.height) / 2,
              size,
            );
          else {
            sheet.doc.rect(x, y, width, grid.height).fill(COLOUR.band);
            sheet.text.put(['no picture'], STYLE.label, x, y + grid.height / 2 - 5, { width, to: 'center' });
          }
        },
        { alt: sheet.text.clean(writePhotoCaption(photo)) },
      );
      sheet.mark(section, 'Caption', () => sheet.text.put(text, STYLE.label, x, y + grid.height + 3));
    });
    sheet.y += grid.height + 3 + textHeight + 8;
  }
}
