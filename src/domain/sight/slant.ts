import type { Size } from '../geometry.ts';
import type { SegmentLabel } from './detection.ts';
import type { Scale } from './measure.ts';
import type { VisiblePart } from './part-map.ts';
import { findPartSize } from './part-sizes.ts';

/** Minimum credible aspect ratio, relative to straight on; a narrower part may be partly hidden. Assumed. */
const MIN_SLANT = 0.3;

/**
 * Returns the foreshortening of a panel's length along the vehicle, 0.3 to 1; 1 if unknown, as for a truncated panel.
 * Boxes in pixels of the upright photo.
 */
export function findSlant(part: VisiblePart | undefined, photo: Size): number {
  if (part === undefined || part.isTruncated || isAtEdge(part, photo)) return 1;
  const { aspect_ratio: straightRatio } = findPartSize(part.label);
  if (straightRatio === undefined || part.box.height === 0) return 1;
  return Math.min(1, Math.max(MIN_SLANT, part.box.width / part.box.height / straightRatio));
}

/**
 * Distance to the photo's edge, as a share of its width, within which a part may be truncated, because boxes are
 * trimmed.
 */
const EDGE_MARGIN_SHARE = 0.03;

function isAtEdge({ box }: VisiblePart, { width }: Size): boolean {
  return box.x < EDGE_MARGIN_SHARE * width || box.x + box.width > (1 - EDGE_MARGIN_SHARE) * width;
}

// Both chosen on the views of the rendered demo vehicle, as the errors of part-sizes.json.
/** Half-width of the 80 % interval, as a fraction of a length, at a part that the map does not show. */
const ERROR_OF_UNSEEN_PART = 0.78;

/** Increase of the half-width at a steep slant, per length added by the correction. */
const ERROR_PER_SLANT = 0.3;

/**
 * Returns the scale of a photo at one of its parts, with the part's slant and maximum extents and a correspondingly
 * wider interval.
 */
export function computeScaleAt(
  scale: Scale,
  label: SegmentLabel,
  part: VisiblePart | undefined,
  photo: Size,
): Scale {
  const slant = findSlant(part, photo);
  const { max, min_error: minError = 0 } = findPartSize(label);
  const partError = part === undefined ? ERROR_OF_UNSEEN_PART : 0;
  return {
    ...scale,
    max,
    slant,
    relativeError: Math.max(scale.relativeError, minError, partError) + ERROR_PER_SLANT * (1 / slant - 1),
  };
}
