import type { Box } from '../../../domain/geometry.ts';
import type { PairSide } from '../../content/blocks.ts';
import { COLOR } from '../../palette.ts';
import type { Sheet, StructElement } from '../sheet.ts';
import { STYLE } from '../theme.ts';
import { drawFitted } from './boxed-photo.ts';
import { drawMissing } from './pictures.ts';

/** Picture height in points: three pairs per page. */
const PICTURE_HEIGHT = 132;
/** Height in points of the picture of a place that only one visit shows; both captions are to its right. */
const ONE_SIDED_HEIGHT = 54;
const GAP = 12;

/** Draws both crops of a place side by side, each above its caption. */
export function drawPair(sheet: Sheet, section: StructElement, sides: readonly PairSide[]): void {
  if (!sides.every(({ crop }) => crop)) {
    drawOneSided(sheet, section, sides);
    return;
  }
  const width = (sheet.width - GAP) / 2;
  const columns = sides.map((side) => ({
    side,
    lines: sheet.text.lines(side.caption, STYLE.label, width, 2),
  }));
  const height = PICTURE_HEIGHT + measureLines(Math.max(...columns.map(({ lines }) => lines.length)));
  sheet.need(height);
  for (const [column, { side, lines }] of columns.entries()) {
    const frame = { x: sheet.left + column * (width + GAP), y: sheet.y, width, height: PICTURE_HEIGHT };
    drawPicture(sheet, section, side, frame);
    sheet.mark(section, 'Caption', () =>
      sheet.text.put(lines, STYLE.label, frame.x, frame.y + frame.height + 3),
    );
  }
  sheet.y += height;
}

/** Height of caption lines with the space around them, in points. */
const measureLines = (count: number) => 8 + 10 * count;

/** Draws a place that only one visit shows: its small crop, with both captions to the right. */
function drawOneSided(sheet: Sheet, section: StructElement, sides: readonly PairSide[]): void {
  const size = { width: (4 / 3) * ONE_SIDED_HEIGHT, height: ONE_SIDED_HEIGHT };
  const lines = sides.flatMap(({ caption, isListed }) => {
    const style = isListed ? STYLE.cell : STYLE.label;
    return sheet.text
      .lines(caption, style, sheet.width - size.width - GAP, 2)
      .map((line) => ({ line, style }));
  });
  const shown = sides.find(({ crop }) => crop);
  const height = Math.max(shown ? ONE_SIDED_HEIGHT + 8 : 0, measureLines(lines.length));
  sheet.need(height);
  const { y, left } = sheet;
  if (shown) drawPicture(sheet, section, shown, { x: left, y, ...size });
  sheet.mark(section, 'Caption', () => {
    for (const [at, { line, style }] of lines.entries())
      sheet.text.put([line], style, shown ? left + size.width + GAP : left, y + 2 + 10 * at);
  });
  sheet.y += height;
}

function drawPicture(sheet: Sheet, section: StructElement, side: PairSide, frame: Box): void {
  const { crop, caption, isListed } = side;
  const draw = () => {
    drawMissing(sheet, '', frame);
    if (crop) drawFitted(sheet, crop.picture, frame, { ...crop, color: COLOR.ink, dashed: !isListed });
  };
  sheet.mark(section, 'Figure', draw, { alt: `${caption}.` });
}
