import { writePhotoCaption } from '../../content/photos.ts';
import { listSighted } from '../../input.ts';
import type { PdfContext } from '../page-context.ts';
import type { StructElement } from '../sheet.ts';
import { STYLE } from '../theme.ts';
import { drawBoxed } from './boxed-photo.ts';
import { drawCard } from './damage-card.ts';
import { belongOnNextPage, drawGrid } from './photo-grid.ts';
import { type Draft, layLowest, layPages } from './photo-pages.ts';
import { GAP, layShot, measureColumnWidth, measureLeastHeight, type Shot } from './shot.ts';

/** Room for a heading with what is above and below it, points. */
const HEADING = 36;

/**
 * Draws photos with finds, two next to each other with their cards, then the photos without finds, small, so that
 * `closing` points of text after them still fit on their page where they can.
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
          layShot(context, photo, sighted, mostHeight),
    );
  const without = seen.filter(({ sighted }) => sighted.length === 0).map(({ photo }) => photo);
  if (shots.length > 0) {
    sheet.group(sheet.root, 'Sect', (section) => {
      const [first] = shots;
      sheet.heading(section, 'Photos with finds', 1, first ? measureLeastHeight(sheet, layLowest(first)) : 0);
      drawShots(context, section, shots);
    });
  }
  if (without.length > 0) {
    if (belongOnNextPage(sheet, without, HEADING)) sheet.newPage();
    sheet.group(sheet.root, 'Sect', (section) => {
      sheet.heading(section, 'Photos without finds', 1, 120);
      drawGrid(context, section, without, closing);
    });
  }
}

/** Draws photos with their cards, on as many pages as they need. */
function drawShots(context: PdfContext, section: StructElement, drafts: readonly Draft[]): void {
  const { sheet } = context;
  const { placed, end } = layPages(sheet, drafts, sheet.y);
  const step = measureColumnWidth(sheet) + GAP;
  let page = 0;
  for (const one of placed) {
    for (; page < one.page; page++) sheet.newPage();
    if (one.kind === 'photo') drawHead(context, section, one.shot, sheet.left + one.column * step, one.y);
    if (one.kind === 'further') {
      sheet.y = one.y;
      sheet.heading(section, `Photo ${one.shot.photo.index + 1}, further finds`, 2, 0);
    }
    for (const { row, column, y } of one.cards)
      drawCard(context, section, row, {
        x: sheet.left + column * step,
        y,
        width: measureColumnWidth(sheet),
      });
  }
  sheet.y = end;
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
