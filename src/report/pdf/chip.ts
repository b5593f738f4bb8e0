import { LOOKS, type Look } from '../../domain/looks.ts';
import { COLOR } from '../palette.ts';
import type { Sheet } from './sheet.ts';
import type { TextStyle } from './theme.ts';

/** Height in points. */
export const CHIP_HEIGHT = 11;
export const CHIP_STYLE: TextStyle = { font: 'bold', size: 7.2, color: COLOR.ink };

/** Draws a severity or "to check" as a rounded chip with its label, readable without color; coordinates in points. */
export function drawChip(
  sheet: Sheet,
  { look, label }: { readonly look: Look; readonly label: string },
  x: number,
  y: number,
  maxWidth: number,
): void {
  const colors = LOOKS[look];
  const style: TextStyle = { ...CHIP_STYLE, color: colors.text };
  const width = Math.min(maxWidth, sheet.text.measureWidth(label, style) + 10);
  sheet.doc.roundedRect(x, y, width, CHIP_HEIGHT, 3).fill(colors.fill);
  sheet.text.put([label], style, x, y + 1, { width, to: 'center' });
}
