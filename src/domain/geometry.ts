/** Axis-aligned box in pixels; image and origin are documented where a value is created. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Width and height of an image, pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Returns the area of a box in square pixels; 0 for a degenerate box. */
export const area = (box: Box): number => Math.max(0, box.width) * Math.max(0, box.height);

/** Clips a box to another of the same frame; the result is degenerate if they do not overlap. */
export function clipBox(a: Box, b: Box): Box {
  const [x, y] = [Math.max(a.x, b.x), Math.max(a.y, b.y)];
  const right = Math.min(a.x + a.width, b.x + b.width);
  const bottom = Math.min(a.y + a.height, b.y + b.height);
  return { x, y, width: right - x, height: bottom - y };
}

/** Returns the intersection area of two boxes of the same frame, square pixels. */
export const intersection = (a: Box, b: Box): number => area(clipBox(a, b));

/** Returns the intersection over union of two boxes of the same frame, in [0, 1]. */
export function iou(a: Box, b: Box): number {
  const shared = intersection(a, b);
  return shared > 0 ? shared / (area(a) + area(b) - shared) : 0;
}

/** Returns the gap between two boxes, pixels; 0 if they touch. */
export function measureGap(a: Box, b: Box): number {
  const dx = Math.max(0, b.x - (a.x + a.width), a.x - (b.x + b.width));
  const dy = Math.max(0, b.y - (a.y + a.height), a.y - (b.y + b.height));
  return Math.hypot(dx, dy);
}

/** Returns the smallest box enclosing two boxes of the same frame. */
export function union(a: Box, b: Box): Box {
  const x = Math.min(a.x, b.x);
  const y = Math.min(a.y, b.y);
  return {
    x,
    y,
    width: Math.max(a.x + a.width, b.x + b.width) - x,
    height: Math.max(a.y + a.height, b.y + b.height) - y,
  };
}

/** Returns the intersection as a fraction (0 to 1) of the smaller box; 0 if that box has no area. */
export function computeShareOfSmaller(a: Box, b: Box): number {
  const smaller = Math.min(area(a), area(b));
  return smaller > 0 ? intersection(a, b) / smaller : 0;
}

/** Returns whether two boxes mark the same location: they overlap well, or one lies in a slightly larger one. */
export function isSamePlace(a: Box, b: Box): boolean {
  if (iou(a, b) > 0.3) return true;
  const ratio = Math.min(area(a), area(b)) / Math.max(1, area(a), area(b));
  return computeShareOfSmaller(a, b) > 0.7 && ratio > 0.08;
}

/** Returns whether a box touches the image border, so its content may be truncated. */
export const touchesBorder = ({ x, y, width, height }: Box, picture: Size): boolean =>
  x <= 2 || y <= 2 || x + width >= picture.width - 2 || y + height >= picture.height - 2;

/** Clamps a value to a range; returns `min` if the range is empty. */
export const clamp = (value: number, min: number, max: number): number => Math.max(min, Math.min(max, value));

/** Returns the frame of an image as a box with its origin at the top left. */
export const frameOf = ({ width, height }: Size): Box => ({ x: 0, y: 0, width, height });

/** Moves the sides of a box outwards, in its unit: left and right by `x`, top and bottom by `y`. */
export const growBox = (box: Box, x: number, y = x): Box => ({
  x: box.x - x,
  y: box.y - y,
  width: box.width + 2 * x,
  height: box.height + 2 * y,
});

/** Scales a box to a frame that is `zoom` times as wide and high. */
export const scaleBox = ({ x, y, width, height }: Box, zoom: Size): Box => ({
  x: x * zoom.width,
  y: y * zoom.height,
  width: width * zoom.width,
  height: height * zoom.height,
});

/** Rounds a box to whole pixels, at least 1 x 1, and clamps it to the image (origin top-left). */
export function clampToPixels(box: Box, image: Size): Box {
  const x = Math.min(Math.max(0, Math.floor(box.x)), image.width - 1);
  const y = Math.min(Math.max(0, Math.floor(box.y)), image.height - 1);
  const right = Math.min(image.width, Math.max(x + 1, Math.ceil(box.x + box.width)));
  const bottom = Math.min(image.height, Math.max(y + 1, Math.ceil(box.y + box.height)));
  return { x, y, width: right - x, height: bottom - y };
}

/**
 * Returns the crop of a close-up: 4:3, twice as wide and high as the damage's box or more, and a ninth of the photo's
 * long side high or more, as far as the photo reaches. It always contains the box. Pixels of the upright photo.
 */
export function closeUpRegion(box: Box, image: Size): Box {
  const minHeight = Math.max(image.width, image.height) / 9;
  const height = Math.max(box.height * 2, (box.width * 2 * 3) / 4, minHeight);
  const width = (height * 4) / 3;
  const scale = Math.min(1, image.width / width, image.height / height);
  const size = {
    width: Math.max(width * scale, Math.min(box.width, image.width)),
    height: Math.max(height * scale, Math.min(box.height, image.height)),
  };
  const x = clamp(box.x + box.width / 2 - size.width / 2, 0, image.width - size.width);
  const y = clamp(box.y + box.height / 2 - size.height / 2, 0, image.height - size.height);
  return clampToPixels({ x, y, ...size }, image);
}
