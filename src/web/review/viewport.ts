import type { DrawnBox } from '../../contract/review.ts';
import { type Box, clamp, intersection, type Size } from '../../domain/geometry.ts';

/** Visible region of a photo in its pixels; it may extend beyond the photo. */
export type Viewport = Box;

/** A position in the photo in its pixels. */
export type Point = Pick<Box, 'x' | 'y'>;

/** Minimum width of the visible region in pixels of the photo. */
const MIN_VIEW_WIDTH = 80;

/** Fits the whole photo into a stage of the given size. */
export function fitWholeView(photo: Size, stage: Size): Viewport {
  const scale = Math.max(photo.width / Math.max(1, stage.width), photo.height / Math.max(1, stage.height));
  const width = stage.width * scale;
  const height = stage.height * scale;
  return { x: (photo.width - width) / 2, y: (photo.height - height) / 2, width, height };
}

/** Fits the visible region to a stage of another size; center and magnification stay, the whole photo is the least. */
export function resizeViewport(view: Viewport, photo: Size, from: Size, to: Size): Viewport {
  const magnification = fitWholeView(photo, from).width / view.width;
  return centerOn(view, magnification, fitWholeView(photo, to), photo);
}

/** Zooms by a factor (above 1: in) around a point (pixels of the photo), which keeps its position on the stage. */
export function zoom(view: Viewport, factor: number, at: Point, photo: Size): Viewport {
  const maxWidth = Math.max(photo.width, photo.height) * 2.5;
  const width = Math.min(maxWidth, Math.max(MIN_VIEW_WIDTH, view.width / factor));
  const ratio = width / view.width;
  return {
    x: at.x - (at.x - view.x) * ratio,
    y: at.y - (at.y - view.y) * ratio,
    width,
    height: view.height * ratio,
  };
}

/** Moves the view to contain the box with a margin and at a visible size; unchanged if it already does. */
export function showBox(view: Viewport, box: DrawnBox, photo: Size, stage: Size): Viewport {
  const margin = 0.04;
  const isInside =
    box.x >= view.x + view.width * margin &&
    box.y >= view.y + view.height * margin &&
    box.x + box.width <= view.x + view.width * (1 - margin) &&
    box.y + box.height <= view.y + view.height * (1 - margin);
  const isTiny = Math.max(box.width / view.width, box.height / view.height) < 0.06;
  if (isInside && !isTiny) return view;
  const wholeView = fitWholeView(photo, stage);
  const factor = Math.min(
    wholeView.width / Math.max(MIN_VIEW_WIDTH, box.width * 4),
    wholeView.height / Math.max(MIN_VIEW_WIDTH, box.height * 4),
    3,
  );
  return factor <= 1 ? wholeView : centerOn(box, factor, wholeView, photo);
}

/** Zooms the view of the whole photo in and centers it on a box. */
export function centerOn(box: DrawnBox, factor: number, wholeView: Viewport, photo: Size): Viewport {
  const center = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const closeView = zoom(wholeView, Math.max(1, factor), center, photo);
  return { ...closeView, x: center.x - closeView.width / 2, y: center.y - closeView.height / 2 };
}

/** Returns the box between two corners, in whole pixels inside the photo, at least one pixel wide and high. */
export function makeBoxBetween(a: Point, b: Point, photo: Size): DrawnBox {
  const x = clamp(Math.round(Math.min(a.x, b.x)), 0, photo.width - 1);
  const y = clamp(Math.round(Math.min(a.y, b.y)), 0, photo.height - 1);
  const right = clamp(Math.round(Math.max(a.x, b.x)), x + 1, photo.width);
  const bottom = clamp(Math.round(Math.max(a.y, b.y)), y + 1, photo.height);
  return { x, y, width: right - x, height: bottom - y };
}

/** Moves a box inside the photo, or, if it is being resized, only its lower right corner. */
export function moveBox(box: DrawnBox, offset: Point, isResizing: boolean, photo: Size): DrawnBox {
  const [dx, dy] = [Math.round(offset.x), Math.round(offset.y)];
  if (isResizing)
    return {
      ...box,
      width: clamp(box.width + dx, 1, photo.width - box.x),
      height: clamp(box.height + dy, 1, photo.height - box.y),
    };
  return {
    ...box,
    x: clamp(box.x + dx, 0, photo.width - box.width),
    y: clamp(box.y + dy, 0, photo.height - box.height),
  };
}

/** Places the number of each box on the upper left corner of the box, or to the right of the numbers there. */
export function placeTags<T extends { number: number; box: Point }>(marks: readonly T[], height: number) {
  const placed: (T & Box)[] = [];
  for (const mark of marks) {
    const width = height * (0.7 + 0.55 * String(mark.number).length);
    const tag = { ...mark, x: mark.box.x, y: Math.max(0, mark.box.y - height), width, height };
    for (;;) {
      const other = placed.find((one) => intersection(one, tag) > 0);
      if (other === undefined) break;
      tag.x = other.x + other.width;
    }
    placed.push(tag);
  }
  return placed;
}
