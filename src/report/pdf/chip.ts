import { LOOKS, type Look } from '../../domain/looks.ts';
import { COLOR } from '../palette.ts';
import type { Sheet } from './sheet.ts';
import type { TextStyle } from './theme.ts';

/** Height in points. */
export const CHIP_HEIGHT = 11;
const STYLE: TextStyle = { font: 'bold', size: 7.2, color: COLOR.ink };

/** Measures the width of a chip with this label, in points. */
export const measureChip = ({ text }: Sheet, label: string): number => text.measureWidth(label, STYLE) + 10;

/** Draws a severity or "to check" as a rounded chip with its label, readable without color; coordinates in points. */
export function drawChip(
  sheet: Sheet,
  { look, label }: { readonly look: Look; readonly label: string },
  x: number,
  y: number,
  maxWidth: number,
): void {
  const { fill, text: color } = LOOKS[look];
  const width = Math.min(maxWidth, measureChip(sheet, label));
  sheet.doc.roundedRect(x, y, width, CHIP_HEIGHT, 3).fill(fill);
  sheet.text.put([label], { ...STYLE, color }, x, y + 1, { width, to: 'center' });
}
