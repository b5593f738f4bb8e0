import type { Photo } from '../../../contract/inspection.ts';
import type { Box } from '../../../domain/geometry.ts';
import { SEVERITY_COLOUR, TO_CHECK_COLOUR } from '../../colours.ts';
import type { Sighted } from '../../input.ts';
import type { Picture } from '../../pictures.ts';
import type { Sheet } from '../sheet.ts';
import { COLOUR, type TextStyle } from '../theme.ts';

const DASH = 3.2;

/**
 * Draws a photo with its numbered boxes: solid in the colour of the severity for damage, dashed for places to check.
 */
export function drawBoxed(
  sheet: Sheet,
  picture: Picture,
  photo: Photo,
  sighted: readonly Sighted[],
  frame: Box,
): void {
  sheet.doc.image(Buffer.from(picture.jpeg), frame.x, frame.y, { width: frame.width, height: frame.height });
  const scale = frame.width / photo.width;
  const placed = sighted.map((one) => ({
    ...one,
    at: {
      x: frame.x + one.box.x * scale,
      y: frame.y + one.box.y * scale,
      width: one.box.width * scale,
      height: one.box.height * scale,
    },
  }));
  for (const { at, damage, toCheck } of placed)
    drawBox(sheet, at, toCheck ? TO_CHECK_COLOUR.fill : SEVERITY_COLOUR[damage.severity].fill, toCheck);
  for (const { at, damage, toCheck } of placed)
    drawTag(
      sheet,
      toCheck ? `${damage.number}?` : String(damage.number),
      toCheck ? TO_CHECK_COLOUR : SEVERITY_COLOUR[damage.severity],
      at,
      frame,
    );
}

/** Draws a box with a light edge on each side; dashed for a place to check. */
export function drawBox({ doc }: Sheet, { x, y, width, height }: Box, colour: string, dashed: boolean): void {
  doc.rect(x, y, width, height).lineWidth(dashed ? 2 : 2.6);
  if (dashed) doc.dash(DASH, { space: DASH });
  doc.strokeColor(dashed ? COLOUR.ink : COLOUR.white).stroke();
  doc
    .rect(x, y, width, height)
    .lineWidth(dashed ? 1.2 : 1.4)
    .strokeColor(colour)
    .stroke();
  if (dashed) doc.undash();
}

/** Draws a number as a tag at the upper left corner of its box, kept inside the picture. */
function drawTag(
  sheet: Sheet,
  text: string,
  colours: { readonly fill: string; readonly text: string },
  corner: { readonly x: number; readonly y: number },
  frame: Box,
): void {
  const style: TextStyle = { font: 'bold', size: 7.5, colour: colours.text };
  const width = Math.max(11, sheet.text.widthOf(text, style) + 6);
  const x = Math.min(Math.max(frame.x, corner.x), frame.x + frame.width - width);
  const y = Math.min(Math.max(frame.y, corner.y - 11), frame.y + frame.height - 11);
  sheet.doc.rect(x, y, width, 11).lineWidth(0.8).fillAndStroke(colours.fill, COLOUR.white);
  sheet.text.put([text], style, x, y + 0.9, { width, to: 'center' });
}
