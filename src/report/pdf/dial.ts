import { SCORE_BANDS } from '../colours.ts';
import { drawArc, LEAST_ARC, placeOnDial } from '../dial.ts';
import type { Grade } from '../headline.ts';
import type { Sheet } from './sheet.ts';
import { COLOUR, STYLE } from './theme.ts';

/**
 * Draws a half-circle dial from 0 (left) to 10 (right) with the score, its word, and coloured bands; an arc inside them
 * goes down to the score if all to check is confirmed. Box 150 x 112 points.
 */
export function drawDial(sheet: Sheet, { score, word, confirmed }: Grade, x: number, y: number): void {
  const { doc } = sheet;
  const centre = { x: x + 75, y: y + 78 };
  const radius = 62;
  for (const band of SCORE_BANDS) {
    doc
      .path(drawArc(centre, radius, band.from + 0.04, band.to - 0.04))
      .lineWidth(13)
      .lineCap('butt')
      .strokeColor(band.colour)
      .stroke();
  }
  const value = Math.min(10, Math.max(0, score));
  const lower = confirmed === null ? value : Math.min(10, Math.max(0, confirmed));
  if (value - lower >= LEAST_ARC)
    doc
      .path(drawArc(centre, radius - 11, lower, value))
      .lineWidth(3)
      .strokeColor(COLOUR.soft)
      .stroke();
  const tip = placeOnDial(centre, radius - 12, value);
  const outer = placeOnDial(centre, radius + 10, value);
  doc.moveTo(tip.x, tip.y).lineTo(outer.x, outer.y).lineWidth(3.2).strokeColor(COLOUR.white).stroke();
  doc.moveTo(tip.x, tip.y).lineTo(outer.x, outer.y).lineWidth(2).strokeColor(COLOUR.ink).stroke();
  sheet.text.put([value.toFixed(1)], { font: 'bold', size: 30, colour: COLOUR.ink }, x, centre.y - 34, {
    width: 150,
    to: 'center',
  });
  sheet.text.put(['of 10'], STYLE.label, x, centre.y + 2, { width: 150, to: 'center' });
  sheet.text.put([word], { font: 'bold', size: 14, colour: COLOUR.ink }, x, centre.y + 13, {
    width: 150,
    to: 'center',
  });
  sheet.text.put(['0'], STYLE.label, centre.x - radius - 3, centre.y + 1);
  sheet.text.put(['10'], STYLE.label, centre.x + radius - 5, centre.y + 1);
}
