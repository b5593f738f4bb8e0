import type { DrawnBox } from '../../contract/review.ts';
import type { Box, Size } from '../../domain/geometry.ts';

/** Visible region of a photo in its pixels; it may extend beyond the photo. */
export type Viewport = Box;

/** Minimum width of the visible region in pixels of the photo. */
const MIN_VIEW_WIDTH = 80;

/** Fits the whole photo into a stage of the given size. */
export function fitWholeView(photo: Size, stage: Size): Viewport {
  const scale = Math.max(photo.width / Math.max(1, stage.width), photo.height / Math.max(1, stage.height));
  const width = stage.width * scale;
  const height = stage.height * scale;
  return { x: (photo.width - width) / 2, y: (photo.height - height) / 2, width, height };
}

/** Zooms by a factor (above 1: in) around a point (pixels of the photo), which keeps its position on the stage. */
export function zoom(view: Viewport, factor: number, at: { x: number; y: number }, photo: Size): Viewport {
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
export function makeBoxBetween(
  a: { x: number; y: number },
  b: { x: number; y: number },
  photo: Size,
): DrawnBox {
  const clamp = (value: number, max: number) => Math.min(max, Math.max(0, Math.round(value)));
  const left = Math.min(clamp(a.x, photo.width), clamp(b.x, photo.width), photo.width - 1);
  const top = Math.min(clamp(a.y, photo.height), clamp(b.y, photo.height), photo.height - 1);
  const right = Math.max(clamp(a.x, photo.width), clamp(b.x, photo.width), left + 1);
  const bottom = Math.max(clamp(a.y, photo.height), clamp(b.y, photo.height), top + 1);
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** Moves a box inside the photo, or, if it is being resized, only its lower right corner. */
export function moveBox(
  box: DrawnBox,
  offset: { readonly x: number; readonly y: number },
  isResizing: boolean,
  photo: Size,
): DrawnBox {
  const clamp = (value: number, min: number, max: number) => Math.min(max, Math.max(min, Math.round(value)));
  if (isResizing)
    return {
      ...box,
      width: clamp(box.width + offset.x, 1, photo.width - box.x),
      height: clamp(box.height + offset.y, 1, photo.height - box.y),
    };
  return {
    ...box,
    x: clamp(box.x + offset.x, 0, photo.width - box.width),
    y: clamp(box.y + offset.y, 0, photo.height - box.height),
  };
}
