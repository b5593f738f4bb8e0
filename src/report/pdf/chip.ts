import { LOOKS, type Look } from '../../domain/looks.ts';
import type { Sheet } from './sheet.ts';
import { COLOUR, type TextStyle } from './theme.ts';

/** Height in points. */
export const CHIP_HEIGHT = 11;
export const CHIP_STYLE: TextStyle = { font: 'bold', size: 7.2, colour: COLOUR.ink };

/** Draws a severity or "to check" as a rounded chip with its label, readable without colour; coordinates in points. */
export function drawChip(
  sheet: Sheet,
  { look, label }: { readonly look: Look; readonly label: string },
  x: number,
  y: number,
  maxWidth: number,
): void {
  const colours = LOOKS[look];
  const style: TextStyle = { ...CHIP_STYLE, colour: colours.text };
  const width = Math.min(maxWidth, sheet.text.measureWidth(label, style) + 10);
  sheet.doc.roundedRect(x, y, width, CHIP_HEIGHT, 3).fill(colours.fill);
  sheet.text.put([label], style, x, y + 1, { width, to: 'center' });
}
