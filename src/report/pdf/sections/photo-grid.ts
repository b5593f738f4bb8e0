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
type Grid = (typeof GRIDS)[number];
const GRID_GAP = 10;
/** Between a photo and its caption, and between rows, points. */
const ABOVE_CAPTION = 3;
const BELOW_ROW = 8;

/**
 * Returns the largest grid with which the photos and `closing` points after them fit on the rest of the page, else the
 * photos alone; the smallest where none does.
 */
function chooseGrid(sheet: Sheet, photos: readonly Photo[], closing: number): Grid {
  const room = sheet.bottom - sheet.y;
  const fits = (rest: number) => (grid: Grid) => measureGridHeight(sheet, photos, grid) <= rest;
  return GRIDS.find(fits(room - closing)) ?? GRIDS.find(fits(room)) ?? GRIDS[2];
}

/**
 * Returns whether the photos, with `heading` points above them, are better off on the next page: they do not fit here
 * however small, and fit there.
 */
export function belongOnNextPage(sheet: Sheet, photos: readonly Photo[], heading: number): boolean {
  const least = heading + measureGridHeight(sheet, photos, GRIDS[2]);
  return least > sheet.bottom - sheet.y && least <= sheet.pageRoom;
}

function measureGridHeight(sheet: Sheet, photos: readonly Photo[], grid: Grid): number {
  return layRows(sheet, photos, grid).reduce((sum, { height }) => sum + height, 0);
}

interface CaptionedPhoto {
  readonly photo: Photo;
  readonly text: readonly string[];
}

/** Returns the rows of a grid, with the height of each and of what lies below it, points. */
function layRows(
  sheet: Sheet,
  photos: readonly Photo[],
  grid: Grid,
): readonly { readonly line: readonly CaptionedPhoto[]; readonly height: number }[] {
  const width = computeCellWidth(sheet, grid);
  const captioned = photos.map((photo) => {
    const state = photo.analysed ? '' : ' (not analysed)';
    return { photo, text: sheet.text.lines(`${writePhotoCaption(photo)}${state}`, STYLE.label, width, 4) };
  });
  return Array.from({ length: Math.ceil(photos.length / grid.columns) }, (_, row) => {
    const line = captioned.slice(row * grid.columns, (row + 1) * grid.columns);
    const textHeight = Math.max(...line.map(({ text }) => sheet.text.measureHeight(text, STYLE.label)));
    return { line, height: grid.height + ABOVE_CAPTION + textHeight + BELOW_ROW };
  });
}

function computeCellWidth(sheet: Sheet, { columns }: Grid): number {
  return (sheet.width - GRID_GAP * (columns - 1)) / columns;
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
  const grid = chooseGrid(sheet, photos, closing);
  const width = computeCellWidth(sheet, grid);
  for (const { line, height } of layRows(sheet, photos, grid)) {
    sheet.need(height - BELOW_ROW);
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
            sheet.image(picture, x + (width - size.width) / 2, y + (grid.height - size.height) / 2, size);
          else {
            sheet.doc.rect(x, y, width, grid.height).fill(COLOUR.band);
            sheet.text.put(['no picture'], STYLE.label, x, y + grid.height / 2 - 5, { width, to: 'center' });
          }
        },
        { alt: sheet.text.clean(writePhotoCaption(photo)) },
      );
      sheet.mark(section, 'Caption', () =>
        sheet.text.put(text, STYLE.label, x, y + grid.height + ABOVE_CAPTION),
      );
    });
    sheet.y += height;
  }
}
