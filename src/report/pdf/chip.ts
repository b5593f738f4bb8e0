import type { Severity } from '../../domain/damage.ts';
import { SEVERITY_COLOUR, TO_CHECK_COLOUR } from '../colours.ts';
import { SEVERITY_WORDS } from '../words.ts';
import type { Sheet } from './sheet.ts';
import { COLOUR, type TextStyle } from './theme.ts';

/** Points. */
export const CHIP_HEIGHT = 11;
export const CHIP_STYLE: TextStyle = { font: 'bold', size: 7.2, colour: COLOUR.ink };

/** Draws a severity, or that somebody must look, as a rounded chip with its word: readable without colour. Points. */
export function drawChip(
  sheet: Sheet,
  what: Severity | 'to_check',
  x: number,
  y: number,
  room: number,
): void {
  const colours = what === 'to_check' ? TO_CHECK_COLOUR : SEVERITY_COLOUR[what];
  const style: TextStyle = { ...CHIP_STYLE, colour: colours.text };
  const text = what === 'to_check' ? 'To check' : SEVERITY_WORDS[what];
  const width = Math.min(room, sheet.text.measureWidth(text, style) + 10);
  sheet.doc.roundedRect(x, y, width, CHIP_HEIGHT, 3).fill(colours.fill);
  sheet.text.put([text], style, x, y + 1, { width, to: 'center' });
}
