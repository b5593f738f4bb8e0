import type { RgbImage } from '../../src/domain/photo.ts';
import { findConnectedComponents } from '../../src/domain/sight/connected-components.ts';
import type { SegmentLabel } from '../../src/domain/sight/detection.ts';
import type { CocoAnnotation, CocoImage } from './coco.ts';
import { type Canvas, fillPolygon } from './polygon.ts';

/** Value of ignored pixels. */
export const NOT_JUDGED = 255;

/** Labelled parts of a photo. `labels` of the canvas: indices into the model's labels, or `NOT_JUDGED`. */
export interface PartTarget extends Canvas {
  /** Parts that may be present without a label; predicting them on background is not an error. */
  readonly unlabelled: ReadonlySet<number>;
}

/** Names of the DSMLR Car Parts set that differ from ours. */
const ALIASES: Readonly<Record<string, SegmentLabel>> = {
  back_bumper: 'rear_bumper',
  back_glass: 'rear_window',
  back_left_door: 'rear_door_left',
  back_right_door: 'rear_door_right',
  back_left_light: 'taillight_left',
  back_right_light: 'taillight_right',
  front_glass: 'windshield',
  front_left_door: 'front_door_left',
  front_right_door: 'front_door_right',
  front_left_light: 'headlight_left',
  front_right_light: 'headlight_right',
  left_mirror: 'mirror_left',
  right_mirror: 'mirror_right',
  tailgate: 'trunk_lid',
  trunk: 'trunk_lid',
};

/** The silhouettes' outlines are a few pixels too tight. */
const OUTLINE_SLACK_PX = 3;
/** In front and rear views, side panels smaller than this fraction of the picture are noise. */
const SLIVER_SHARE = 0.005;
/** A view is front or rear if its side panels cover less than this fraction of its end panels' area. */
const END_VIEW_SHARE = 0.35;
const SIDE_PANELS = /^(front_fender|front_door|rear_door|quarter_panel|rocker)_/;
const ENDS: ReadonlySet<string> = new Set(['front_bumper', 'hood', 'rear_bumper', 'trunk_lid']);

/**
 * Paints the polygons of an image at the size of `picture`, later categories over earlier ones. Ignores unlabelled
 * pixels of the vehicle (optional `silhouette`, slightly dilated) and categories unknown to the model. The image's
 * `ignore_classes` become `unlabelled`.
 */
export function paintParts(
  image: CocoImage,
  picture: { readonly width: number; readonly height: number },
  labels: readonly SegmentLabel[],
  silhouette?: RgbImage,
): PartTarget {
  const { width, height } = picture;
  const canvas: Canvas = { width, height, labels: new Uint8Array(width * height) };
  if (silhouette !== undefined) markVehicle(canvas, silhouette);
  const scale = [width / image.width, height / image.height] as const;
  for (const annotation of image.annotations.toSorted((a, b) => a.categoryId - b.categoryId)) {
    if (annotation.category === '_background_') continue;
    const value = findLabel(annotation, image.annotations, labels);
    for (const outline of annotation.polygons) {
      fillPolygon(
        canvas,
        outline.map((place, i) => place * scale[i % 2 === 0 ? 0 : 1]),
        value,
      );
    }
  }
  dropSlivers(canvas, labels);
  return { ...canvas, unlabelled: new Set(image.ignored.map((name) => findLabelIndex(name, labels))) };
}

function findLabelIndex(name: string, labels: readonly SegmentLabel[]): number {
  const index = labels.indexOf(ALIASES[name] ?? (name as SegmentLabel));
  return index === -1 ? NOT_JUDGED : index;
}

/** Returns the label of a category; a pick-up's bed side becomes the quarter panel on the side of the visible doors. */
function findLabel(
  annotation: CocoAnnotation,
  all: readonly CocoAnnotation[],
  labels: readonly SegmentLabel[],
): number {
  if (!annotation.isPickupBedSide) return findLabelIndex(annotation.category, labels);
  const seen = (side: string) =>
    all
      .filter(({ category }) => category.endsWith(`_${side}_door`))
      .reduce((sum, { box }) => sum + box.width * box.height, 0);
  const [left, right] = [seen('left'), seen('right')];
  if (left === right) return NOT_JUDGED;
  return findLabelIndex(left > right ? 'quarter_panel_left' : 'quarter_panel_right', labels);
}

function markVehicle({ width, height, labels }: Canvas, silhouette: RgbImage): void {
  const inside = (x: number, y: number) => {
    const [column, row] = [
      Math.floor((x * silhouette.width) / width),
      Math.floor((y * silhouette.height) / height),
    ];
    return (silhouette.data[(row * silhouette.width + column) * 3] ?? 0) > 127;
  };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (!inside(x, y)) continue;
      for (let dy = -OUTLINE_SLACK_PX; dy <= OUTLINE_SLACK_PX; dy++) {
        const reach = Math.floor(Math.sqrt(OUTLINE_SLACK_PX ** 2 - dy ** 2));
        const row = y + dy;
        if (row < 0 || row >= height) continue;
        labels.fill(
          NOT_JUDGED,
          row * width + Math.max(0, x - reach),
          row * width + Math.min(width, x + reach + 1),
        );
      }
    }
  }
}

function dropSlivers({ width, labels: target }: Canvas, labels: readonly SegmentLabel[]): void {
  const count = (chosen: (label: string) => boolean) =>
    target.reduce((sum, value) => sum + (chosen(labels[value] ?? '') ? 1 : 0), 0);
  const sides = count((label) => SIDE_PANELS.test(label));
  if (sides > END_VIEW_SHARE * count((label) => ENDS.has(label))) return;
  for (const [index, label] of labels.entries()) {
    if (!SIDE_PANELS.test(label)) continue;
    const own = target.map((value) => (value === index ? 1 : 0));
    for (const group of findConnectedComponents(own, width)) {
      if (group.length < SLIVER_SHARE * target.length) for (const pixel of group) target[pixel] = NOT_JUDGED;
    }
  }
}
