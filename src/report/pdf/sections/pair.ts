import type { Cut } from '../../content/blocks.ts';
import type { Sheet, StructElement } from '../sheet.ts';
import { COLOUR, STYLE } from '../theme.ts';
import { drawCloseUp } from './close-up.ts';
import { drawMissing } from './pictures.ts';

/** Three pairs fill a page. */
const PICTURE_HEIGHT = 148;
const GAP = 12;
/** Height of a pair with its captions, points. */
export const PAIR_HEIGHT = PICTURE_HEIGHT + 28;

/** Draws one place of two visits, side by side. */
export function drawPair(sheet: Sheet, section: StructElement, sides: readonly Cut[]): void {
  sheet.need(PAIR_HEIGHT);
  const width = (sheet.width - GAP) / 2;
  for (const [column, cut] of sides.entries())
    drawCut(sheet, section, cut, sheet.left + column * (width + GAP), width);
  sheet.y += PAIR_HEIGHT;
}

function drawCut(
  sheet: Sheet,
  section: StructElement,
  { shown, missing, caption, listed, circle }: Cut,
  x: number,
  width: number,
): void {
  const { y } = sheet;
  const draw = () => {
    const room = { x, y, width, height: PICTURE_HEIGHT };
    drawMissing(sheet, shown ? '' : missing, room);
    if (shown) drawCloseUp(sheet, shown, shown.box, room, { colour: COLOUR.ink, dashed: !listed, circle });
  };
  sheet.mark(section, 'Figure', draw, { alt: `${caption}.` });
  const lines = sheet.text.lines(caption, STYLE.label, width, 2);
  sheet.mark(section, 'Caption', () => sheet.text.put(lines, STYLE.label, x, y + PICTURE_HEIGHT + 3));
}
