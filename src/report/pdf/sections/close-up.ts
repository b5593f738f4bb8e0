import type { Box } from '../../../domain/geometry.ts';
import type { CloseUp } from '../../pictures.ts';
import type { Sheet } from '../sheet.ts';
import { drawBox } from './boxed-photo.ts';
import { fitInside } from './fit-inside.ts';

/** Draws a close-up centred in `frame` (points), with the bounding box (pixels of the photo) clipped to it. */
export function drawCloseUp(
  sheet: Sheet,
  { picture, region }: Pick<CloseUp, 'picture' | 'region'>,
  box: Box | null | undefined,
  frame: Box,
  style: { readonly colour: string; readonly dashed: boolean },
): void {
  const size = fitInside(picture, frame.width, frame.height);
  const left = frame.x + (frame.width - size.width) / 2;
  const top = frame.y + (frame.height - size.height) / 2;
  sheet.image(picture, left, top, size);
  if (!box) return;
  const scale = size.width / region.width;
  const x = Math.max(left, left + (box.x - region.x) * scale);
  const y = Math.max(top, top + (box.y - region.y) * scale);
  const right = Math.min(left + size.width, left + (box.x + box.width - region.x) * scale);
  const bottom = Math.min(top + size.height, top + (box.y + box.height - region.y) * scale);
  if (right <= x || bottom <= y) return;
  drawBox(sheet, { x, y, width: right - x, height: bottom - y }, style.colour, style.dashed);
}
