import { sumBy } from '../../lib/lists.ts';
import { type Box, frameOf, type Size, scaleBox } from '../geometry.ts';
import type { PartMap, SegmentLabel } from './detection.ts';

/** Certainty-weighted cell count per label, comparable across labels of one map. */
export type LabelMass = ReadonlyMap<SegmentLabel, number>;

/** Returns the certainty-weighted cells per label inside `box` (pixels of the upright photo). */
export function sumMassInBox(map: PartMap, photo: Size, box: Box): LabelMass {
  const { bestLabels, certainty, width } = map;
  const weights = new Float64Array(map.labels.length);
  const x0 = Math.max(0, Math.floor((box.x / photo.width) * map.width));
  const y0 = Math.max(0, Math.floor((box.y / photo.height) * map.height));
  const x1 = Math.min(
    map.width,
    Math.max(x0 + 1, Math.ceil(((box.x + box.width) / photo.width) * map.width)),
  );
  const y1 = Math.min(
    map.height,
    Math.max(y0 + 1, Math.ceil(((box.y + box.height) / photo.height) * map.height)),
  );
  for (let y = y0; y < y1; y++) {
    for (let x = x0; x < x1; x++) {
      const cell = y * width + x;
      const label = bestLabels[cell] as number;
      weights[label] = (weights[label] as number) + (certainty[cell] as number) / 255;
    }
  }
  const entries = map.labels.map((label, index) => [label, weights[index] as number] as const);
  return new Map(entries.filter(([, weight]) => weight > 0));
}

/** Returns the certainty-weighted cells per label over the whole photo. */
export function computeMass(map: PartMap): LabelMass {
  return sumMassInBox(map, map, frameOf(map));
}

/** Returns the total mass, background included. */
export function sumMass(mass: LabelMass): number {
  return sumBy([...mass.values()], (weight) => weight);
}

/** Returns the mass of the given labels. */
export function sumLabels(mass: LabelMass, labels: Iterable<SegmentLabel>): number {
  return sumBy([...labels], (label) => mass.get(label) ?? 0);
}

/** Returns the share of the given labels in a mass, 0 to 1; 0 if it is empty. */
export function computeShare(mass: LabelMass, labels: Iterable<SegmentLabel>): number {
  return sumLabels(mass, labels) / Math.max(1e-9, sumMass(mass));
}

/** Returns the vehicle's share of a mass, 0 to 1. */
export function computeVehicleShare(mass: LabelMass): number {
  const total = sumMass(mass);
  return total > 0 ? 1 - sumLabels(mass, ['background']) / total : 0;
}

/** Returns the mean certainty of the vehicle cells, 0 to 1; 0 if there are none. */
function computeVehicleCertainty({ bestLabels, certainty }: PartMap): number {
  let sum = 0;
  let cells = 0;
  for (let cell = 0; cell < bestLabels.length; cell++) {
    if (bestLabels[cell] === 0) continue;
    sum += (certainty[cell] as number) / 255;
    cells++;
  }
  return cells > 0 ? sum / cells : 0;
}

/** Measurements of a part map, computed once per photo. */
export interface MeasuredParts {
  readonly mass: LabelMass;
  /** Mean certainty of the vehicle cells, 0 to 1. */
  readonly certainty: number;
  /** Boxes as fractions of the photo, 0 to 1. */
  readonly visibleParts: readonly VisiblePart[];
}

/** Measures a part map independently of photo size. */
export function measurePartMap(map: PartMap): MeasuredParts {
  return {
    mass: computeMass(map),
    certainty: computeVehicleCertainty(map),
    visibleParts: listVisibleParts(map, { width: 1, height: 1 }),
  };
}

/** Scales part boxes from fractions of the photo to pixels. */
export function scaleToPixels(parts: readonly VisiblePart[], photo: Size): readonly VisiblePart[] {
  return parts.map((part) => ({ ...part, box: scaleBox(part.box, photo) }));
}

/** A part as seen in one photo. */
export interface VisiblePart {
  readonly label: SegmentLabel;
  /** Extent in pixels of the upright photo, with the outermost 2 % of cells trimmed as stray pixels. */
  readonly box: Box;
  /** Certainty-weighted share of the whole map, 0 to 1. */
  readonly share: number;
  /** True if the photo truncates the part, so its extent is a lower bound. */
  readonly isTruncated: boolean;
  /** True if truncated in both directions, so no extent is known; absent: false. */
  readonly isTruncatedBothWays?: boolean;
}

/** Minimum share of the picture; smaller specks are segmentation noise (the data set's README says below 0.5 %). */
const MIN_PART_SHARE = 0.0015;

/** Lists the parts seen in a photo, largest first. */
export function listVisibleParts(map: PartMap, photo: Size): readonly VisiblePart[] {
  const { bestLabels, certainty, width, height, labels } = map;
  const columns = new Float64Array(labels.length * width);
  const rows = new Float64Array(labels.length * height);
  const mass = new Float64Array(labels.length);
  for (let y = 0, cell = 0; y < height; y++) {
    for (let x = 0; x < width; x++, cell++) {
      const label = bestLabels[cell] as number;
      if (label === 0 || label >= labels.length) continue;
      const weight = (certainty[cell] as number) / 255;
      (mass[label] as number) += weight;
      (columns[label * width + x] as number) += weight;
      (rows[label * height + y] as number) += weight;
    }
  }
  const cells = width * height;
  const parts: VisiblePart[] = [];
  for (let label = 1; label < labels.length; label++) {
    const name = labels[label];
    const total = mass[label] as number;
    const share = total / cells;
    if (!name || share < MIN_PART_SHARE) continue;
    const columnProfile = columns.subarray(label * width, (label + 1) * width);
    const rowProfile = rows.subarray(label * height, (label + 1) * height);
    const [left, right] = findExtent(columnProfile, total);
    const [top, bottom] = findExtent(rowProfile, total);
    parts.push({
      label: name,
      share,
      isTruncated: left === 0 || top === 0 || right === width || bottom === height,
      isTruncatedBothWays: isWideAtEdge(columnProfile) && isWideAtEdge(rowProfile),
      box: {
        x: (left / width) * photo.width,
        y: (top / height) * photo.height,
        width: ((right - left) / width) * photo.width,
        height: ((bottom - top) / height) * photo.height,
      },
    });
  }
  return parts.sort((a, b) => b.share - a.share || a.label.localeCompare(b.label));
}

/**
 * Width at the photo's edge, as a share of the part's maximum width, from which the part counts as truncated. Assumed;
 * between 0.1 and 0.4, one of 178 photos changes.
 */
const MIN_TRUNCATED_EDGE_RATIO = 0.25;

function isWideAtEdge(profile: Float64Array): boolean {
  const widest = profile.reduce((max, value) => Math.max(max, value), 0);
  return Math.max(profile.at(0) ?? 0, profile.at(-1) ?? 0) > MIN_TRUNCATED_EDGE_RATIO * widest;
}

/** Returns the first and one-past-last index that hold the middle 96 % of a profile. */
function findExtent(profile: Float64Array, total: number): [number, number] {
  const margin = total * 0.02;
  let start = 0;
  for (let sum = 0; start < profile.length - 1; start++) {
    sum += profile[start] ?? 0;
    if (sum > margin) break;
  }
  let end = profile.length;
  for (let sum = 0; end > start + 1; end--) {
    sum += profile[end - 1] ?? 0;
    if (sum > margin) break;
  }
  return [start, end];
}
