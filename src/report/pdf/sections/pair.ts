import type { Box } from '../../../domain/geometry.ts';
import type { PairSide } from '../../content/blocks.ts';
import type { Sheet, StructElement } from '../sheet.ts';
import { COLOUR, STYLE } from '../theme.ts';
import { drawCloseUp } from './close-up.ts';
import { drawMissing } from './pictures.ts';

/** Picture height in points: three pairs per page, less to fill a page or if only one visit has a picture. */
const PICTURE_HEIGHT = 148;
const MIN_HEIGHT = 104;
const ONE_SIDED_HEIGHT = 74;
const GAP = 12;

/** Computes the minimum height of a pair including captions, in points. */
export function measurePair(sheet: Sheet, sides: readonly PairSide[]): number {
  const isWhole = sides.every(({ shown }) => shown);
  return (isWhole ? MIN_HEIGHT : ONE_SIDED_HEIGHT) + measureCaptions(sheet, sides);
}

/** Draws both crops of a location side by side, as large as the remaining space permits. */
export function drawPair(sheet: Sheet, section: StructElement, sides: readonly PairSide[]): void {
  sheet.need(measurePair(sheet, sides));
  const captions = measureCaptions(sheet, sides);
  const height = sides.every(({ shown }) => shown)
    ? Math.min(PICTURE_HEIGHT, sheet.bottom - sheet.y - captions)
    : ONE_SIDED_HEIGHT;
  const width = measureWidth(sheet);
  for (const [column, side] of sides.entries())
    drawSide(sheet, section, side, { x: sheet.left + column * (width + GAP), y: sheet.y, width, height });
  sheet.y += height + captions;
}

const measureWidth = (sheet: Sheet) => (sheet.width - GAP) / 2;

const writeCaption = (sheet: Sheet, { caption }: PairSide) =>
  sheet.text.lines(caption, STYLE.label, measureWidth(sheet), 2);

/** Computes the height of the captions including spacing, in points. */
function measureCaptions(sheet: Sheet, sides: readonly PairSide[]): number {
  const lines = Math.max(...sides.map((side) => writeCaption(sheet, side).length));
  return 8 + 10 * lines;
}

function drawSide(sheet: Sheet, section: StructElement, side: PairSide, room: Box): void {
  const { shown, missing, caption, listed, circle } = side;
  const draw = () => {
    drawMissing(sheet, shown ? '' : missing, room);
    if (shown) drawCloseUp(sheet, shown, shown.box, room, { colour: COLOUR.ink, dashed: !listed, circle });
  };
  sheet.mark(section, 'Figure', draw, { alt: `${caption}.` });
  sheet.mark(section, 'Caption', () =>
    sheet.text.put(writeCaption(sheet, side), STYLE.label, room.x, room.y + room.height + 3),
  );
}
