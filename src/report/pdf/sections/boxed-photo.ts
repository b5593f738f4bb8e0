import type { Photo } from '../../../contract/inspection.ts';
import { type Box, type Size, scaleBox } from '../../../domain/geometry.ts';
import { layOutLabels } from '../../../domain/label-layout.ts';
import { chooseLook, LOOKS } from '../../../domain/looks.ts';
import { formatFindingNumber } from '../../figures.ts';
import type { PhotoFinding } from '../../finding-rows.ts';
import { COLOR } from '../../palette.ts';
import type { Picture } from '../../pictures.ts';
import type { Sheet } from '../sheet.ts';
import type { TextStyle } from '../theme.ts';

const DASH = 3.2;

/** Draws a photo with numbered bounding boxes, dashed for places to check, without overlapping tags. */
export function drawBoxed(
  sheet: Sheet,
  picture: Picture,
  photo: Photo,
  findings: readonly PhotoFinding[],
  frame: Box,
): void {
  sheet.image(picture, frame.x, frame.y, { width: frame.width, height: frame.height });
  const scale = frame.width / photo.width;
  const tags = findings.map(({ damage, box, toCheck }) => {
    const look = LOOKS[chooseLook({ severity: damage.severity, toCheck })];
    const target = scaleBox(box, { width: scale, height: scale });
    const at = { ...target, x: frame.x + target.x, y: frame.y + target.y };
    drawBox(sheet, at, look.fill, toCheck);
    const text = formatFindingNumber({ number: damage.number, toCheck });
    const style: TextStyle = { font: 'bold', size: 7.5, color: look.text };
    const width = Math.max(TAG_HEIGHT, sheet.text.measureWidth(text, style) + 6);
    return { text, style, fill: look.fill, target, size: { width, height: TAG_HEIGHT } };
  });
  for (const { text, style, fill, label } of layOutLabels(tags, frame)) {
    const [x, y] = [frame.x + label.x, frame.y + label.y];
    sheet.doc.rect(x, y, label.width, TAG_HEIGHT).lineWidth(0.8).fillAndStroke(fill, COLOR.white);
    sheet.text.put([text], style, x, y + 0.9, { width: label.width, to: 'center' });
  }
}

/** Tag height in points. */
const TAG_HEIGHT = 11;

/** Draws a bounding box over a casing that keeps it visible on any paint: white, or dark below bright dashes. */
export function drawBox({ doc }: Sheet, { x, y, width, height }: Box, color: string, dashed: boolean): void {
  const isBright = dashed && color !== COLOR.ink;
  doc.rect(x, y, width, height).lineWidth(isBright ? 2 : 2.6);
  if (isBright) doc.dash(DASH, { space: DASH });
  doc.strokeColor(isBright ? COLOR.ink : COLOR.white).stroke();
  if (dashed) doc.dash(DASH, { space: DASH });
  doc
    .rect(x, y, width, height)
    .lineWidth(dashed ? 1.2 : 1.4)
    .strokeColor(color)
    .stroke();
  if (dashed) doc.undash();
}

/** Bounding box of a finding in pixels of the photo, and the region of the photo that a picture shows. */
interface Mark {
  readonly region: Box;
  readonly box: Box | undefined;
  readonly color: string;
  readonly dashed: boolean;
}

/** Draws a picture centered in `frame` (points), with the marked box clipped to it. */
export function drawFitted(sheet: Sheet, picture: Picture, frame: Box, mark?: Mark): void {
  const size = fitInside(picture, frame.width, frame.height);
  const left = frame.x + (frame.width - size.width) / 2;
  const top = frame.y + (frame.height - size.height) / 2;
  sheet.image(picture, left, top, size);
  if (!mark?.box) return;
  const { box, region, color, dashed } = mark;
  const scale = size.width / region.width;
  const x = Math.max(left, left + (box.x - region.x) * scale);
  const y = Math.max(top, top + (box.y - region.y) * scale);
  const right = Math.min(left + size.width, left + (box.x + box.width - region.x) * scale);
  const bottom = Math.min(top + size.height, top + (box.y + box.height - region.y) * scale);
  if (right <= x || bottom <= y) return;
  drawBox(sheet, { x, y, width: right - x, height: bottom - y }, color, dashed);
}

/** Scales a photo to the largest size that fits, preserving its aspect ratio, in points. */
export function fitInside(photo: Size, width: number, height: number): Size {
  const scale = Math.min(width / photo.width, height / photo.height);
  return { width: photo.width * scale, height: photo.height * scale };
}
