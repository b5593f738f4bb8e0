import type { Photo } from '../../../contract/inspection.ts';
import { SEVERITY_COLOUR } from '../../colours.ts';
import { photoCaption } from '../../content/photos.ts';
import { damagesOf, type Sighted, sightedIn } from '../../input.ts';
import { mainEvidence, type Picture } from '../../pictures.ts';
import type { PdfContext } from '../context.ts';
import type { Sheet, StructElement } from '../sheet.ts';
import { COLOUR, STYLE, type TextStyle } from '../theme.ts';
import { CARD, drawCard } from './damage-card.ts';
import { fitted } from './fitted.ts';

/** Height of a photo, points: two photos, each with a row of close-ups, fit on a page. */
function photoHeight(sheet: Sheet): number {
  return Math.min(230, sheet.pageRoom / 2 - 168);
}

/** Room below a note on a photo, points. */
const NOTE_AFTER = 4;

/** A block per photo with findings (boxes, close-ups next to facts), then the photos without findings, small. */
export function drawPhotos(context: PdfContext): void {
  const { sheet, input } = context;
  const data = input.inspection?.data;
  if (!data || data.images.length === 0) return;
  const damages = damagesOf(data);
  const seen = data.images.map((photo) => ({ photo, sighted: sightedIn(photo, damages) }));
  const withFindings = seen.filter((one) => one.sighted.length > 0);
  const without = seen.filter((one) => one.sighted.length === 0);
  if (withFindings.length > 0) {
    sheet.group(sheet.root, 'Sect', (section) => {
      sheet.heading(section, 'Photos with damage', 1, photoHeight(sheet) + CARD.height + 50);
      for (const one of withFindings) drawPhoto(context, section, one.photo, one.sighted);
    });
  }
  if (without.length > 0) {
    sheet.group(sheet.root, 'Sect', (section) => {
      sheet.heading(section, 'Photos without findings', 1, 120);
      drawGrid(
        context,
        section,
        without.map((one) => one.photo),
      );
    });
  }
}

function drawPhoto(
  context: PdfContext,
  section: StructElement,
  photo: Photo,
  sighted: readonly Sighted[],
): void {
  const { sheet, pictures, rows } = context;
  const picture = pictures.photos.get(photo.index);
  const size = fitted(photo, sheet.width, photoHeight(sheet));
  const mine = rows.filter((row) => row.found && mainEvidence(row.found)?.image_index === photo.index);
  const notes = [...alsoInView(photo, sighted), ...photo.issues.map((issue) => issue.message)];
  const notesHeight = notes.reduce(
    (sum, note) =>
      sum + sheet.text.heightOf(sheet.text.lines(note, STYLE.soft, sheet.width), STYLE.soft) + NOTE_AFTER,
    0,
  );
  sheet.heading(
    section,
    sheet.text.line(photoCaption(photo), STYLE.h2, sheet.width),
    2,
    (picture ? size.height : 40) + notesHeight + (mine.length > 0 ? CARD.height + 10 : 10),
  );
  const x = sheet.left + (sheet.width - size.width) / 2;
  const numbers = sighted.map((one) => one.damage.number).join(', ');
  if (picture) {
    const { y } = sheet;
    sheet.mark(section, 'Figure', () => drawBoxed(sheet, picture, photo, sighted, x, y, size), {
      alt: `${sheet.text.clean(photoCaption(photo))}, with boxes around damage no. ${numbers}.`,
    });
    sheet.y += size.height + 5;
  } else
    sheet.paragraph(
      section,
      `No picture: ${pictures.missing.get(photo.index) ?? 'the photo is not at hand'}. Damage no. ${numbers}.`,
      STYLE.soft,
    );
  for (const note of notes) sheet.paragraph(section, note, STYLE.soft, { after: NOTE_AFTER });
  for (let at = 0; at < mine.length; at += 2) {
    sheet.need(CARD.height);
    mine.slice(at, at + 2).forEach((row, column) => {
      drawCard(context, section, row, sheet.left + column * ((sheet.width + CARD.gap) / 2), sheet.y);
    });
    sheet.y += CARD.height + 6;
  }
  sheet.y += 4;
}

/** The sentence about damages that are seen here and described at another photo, if there are any. */
function alsoInView(photo: Photo, sighted: readonly Sighted[]): readonly string[] {
  const others = sighted.flatMap(({ damage }) => {
    const main = mainEvidence(damage)?.image_index;
    return main === undefined || main === photo.index ? [] : [`no. ${damage.number} (photo ${main + 1})`];
  });
  return others.length === 0 ? [] : [`Also in view, with details elsewhere: ${others.join(', ')}.`];
}

function drawBoxed(
  sheet: Sheet,
  picture: Picture,
  photo: Photo,
  sighted: readonly Sighted[],
  x: number,
  y: number,
  size: { width: number; height: number },
): void {
  const { doc } = sheet;
  doc.image(Buffer.from(picture.jpeg), x, y, size);
  const scale = size.width / photo.width;
  for (const { box, damage } of sighted) {
    const colour = SEVERITY_COLOUR[damage.severity].fill;
    const at = [x + box.x * scale, y + box.y * scale, box.width * scale, box.height * scale] as const;
    doc
      .rect(...at)
      .lineWidth(2.6)
      .strokeColor(COLOUR.white)
      .stroke();
    doc
      .rect(...at)
      .lineWidth(1.4)
      .strokeColor(colour)
      .stroke();
  }
  for (const { box, damage } of sighted) {
    drawNumber(
      sheet,
      damage.number,
      damage.severity,
      { x: x + box.x * scale, y: y + box.y * scale },
      { x, y, ...size },
    );
  }
}

/** A damage's number as a tag at the upper left corner of its box, kept inside the picture. */
function drawNumber(
  sheet: Sheet,
  number: number,
  severity: keyof typeof SEVERITY_COLOUR,
  corner: { x: number; y: number },
  frame: { x: number; y: number; width: number; height: number },
): void {
  const style: TextStyle = { font: 'bold', size: 7.5, colour: SEVERITY_COLOUR[severity].text };
  const text = String(number);
  const width = Math.max(11, sheet.text.widthOf(text, style) + 6);
  const x = Math.min(Math.max(frame.x, corner.x), frame.x + frame.width - width);
  const y = Math.min(Math.max(frame.y, corner.y - 11), frame.y + frame.height - 11);
  sheet.doc.rect(x, y, width, 11).lineWidth(0.8).fillAndStroke(SEVERITY_COLOUR[severity].fill, COLOUR.white);
  sheet.text.put([text], style, x, y + 0.9, { width, to: 'center' });
}

const GRID = { columns: 5, gap: 10, height: 74 } as const;

function drawGrid(context: PdfContext, section: StructElement, photos: readonly Photo[]): void {
  const { sheet, pictures } = context;
  const width = (sheet.width - GRID.gap * (GRID.columns - 1)) / GRID.columns;
  for (let at = 0; at < photos.length; at += GRID.columns) {
    const line = photos.slice(at, at + GRID.columns).map((photo) => {
      const state = photo.analysed ? '' : ' (not analysed)';
      return { photo, text: sheet.text.lines(`${photoCaption(photo)}${state}`, STYLE.label, width, 4) };
    });
    const textHeight = Math.max(...line.map((one) => sheet.text.heightOf(one.text, STYLE.label)));
    sheet.need(GRID.height + 3 + textHeight);
    const { y } = sheet;
    line.forEach(({ photo, text }, column) => {
      const x = sheet.left + column * (width + GRID.gap);
      const picture = pictures.photos.get(photo.index);
      const size = fitted(photo, width, GRID.height);
      sheet.mark(
        section,
        'Figure',
        () => {
          if (picture)
            sheet.doc.image(
              Buffer.from(picture.jpeg),
              x + (width - size.width) / 2,
              y + (GRID.height - size.height) / 2,
              size,
            );
          else {
            sheet.doc.rect(x, y, width, GRID.height).fill(COLOUR.band);
            sheet.text.put(['no picture'], STYLE.label, x, y + GRID.height / 2 - 5, { width, to: 'center' });
          }
        },
        { alt: sheet.text.clean(photoCaption(photo)) },
      );
      sheet.mark(section, 'Caption', () => sheet.text.put(text, STYLE.label, x, y + GRID.height + 3));
    });
    sheet.y += GRID.height + 3 + textHeight + 8;
  }
}
