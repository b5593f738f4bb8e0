import type { Box } from '../../../domain/geometry.ts';
import type { PairSide } from '../../content/blocks.ts';
import type { Sheet, StructElement } from '../sheet.ts';
import { COLOUR, STYLE } from '../theme.ts';
import { drawCloseUp } from './close-up.ts';
import { drawMissing } from './pictures.ts';

/** Picture height in points: three pairs per page. */
const PICTURE_HEIGHT = 132;
/** Height in points of the picture of a location that only one visit shows; both captions are to its right. */
const ONE_SIDED_HEIGHT = 54;
const GAP = 12;

/**
 * Draws both crops of a location side by side; if only one visit shows it, its crop is small, with both captions to the
 * right, that of the finding first.
 */
export function drawPair(sheet: Sheet, section: StructElement, sides: readonly PairSide[]): void {
  const isWhole = sides.every(({ crop }) => crop);
  const text = 8 + 10 * stackCaptions(sheet, sides).length;
  const oneSided = sides.some(({ crop }) => crop) ? Math.max(ONE_SIDED_HEIGHT + 8, text) : text;
  const height = isWhole ? PICTURE_HEIGHT + measureCaptions(sheet, sides) : oneSided;
  sheet.need(height);
  const width = measureWidth(sheet);
  if (isWhole)
    for (const [column, side] of sides.entries()) {
      const x = sheet.left + column * (width + GAP);
      drawSide(sheet, section, side, { x, y: sheet.y, width, height: PICTURE_HEIGHT });
    }
  else drawOneSided(sheet, section, sides);
  sheet.y += height;
}

function drawOneSided(sheet: Sheet, section: StructElement, sides: readonly PairSide[]): void {
  const frame = { x: sheet.left, y: sheet.y, width: (4 / 3) * ONE_SIDED_HEIGHT, height: ONE_SIDED_HEIGHT };
  const shownSide = sides.find(({ crop }) => crop);
  if (shownSide) drawPicture(sheet, section, shownSide, frame);
  const left = shownSide ? frame.x + frame.width + GAP : frame.x;
  sheet.mark(section, 'Caption', () => {
    for (const [at, { line, style }] of stackCaptions(sheet, sides).entries())
      sheet.text.put([line], style, left, frame.y + 2 + 10 * at);
  });
}

const stackCaptions = (sheet: Sheet, sides: readonly PairSide[]) =>
  sides.flatMap(({ caption, isListed }) => {
    const style = isListed ? STYLE.cell : STYLE.label;
    const width = sheet.width - (4 / 3) * ONE_SIDED_HEIGHT - GAP;
    return sheet.text.lines(caption, style, width, 2).map((line) => ({ line, style }));
  });

const measureWidth = (sheet: Sheet) => (sheet.width - GAP) / 2;

const writeCaption = (sheet: Sheet, { caption }: PairSide) =>
  sheet.text.lines(caption, STYLE.label, measureWidth(sheet), 2);

/** Computes the height of the captions including spacing, in points. */
function measureCaptions(sheet: Sheet, sides: readonly PairSide[]): number {
  const lines = Math.max(...sides.map((side) => writeCaption(sheet, side).length));
  return 8 + 10 * lines;
}

function drawPicture(sheet: Sheet, section: StructElement, side: PairSide, frame: Box): void {
  const { crop, caption, isListed } = side;
  const draw = () => {
    drawMissing(sheet, '', frame);
    if (crop) drawCloseUp(sheet, crop, crop.box, frame, { colour: COLOUR.ink, dashed: !isListed });
  };
  sheet.mark(section, 'Figure', draw, { alt: `${caption}.` });
}

function drawSide(sheet: Sheet, section: StructElement, side: PairSide, frame: Box): void {
  drawPicture(sheet, section, side, frame);
  sheet.mark(section, 'Caption', () =>
    sheet.text.put(writeCaption(sheet, side), STYLE.label, frame.x, frame.y + frame.height + 3),
  );
}
