import type { Box, Size } from '../geometry.ts';
import type { PartMap, Presence, SegmentLabel } from './detection.ts';

/** Certainty-weighted cells per label; the unit is "certain cells", so shares compare across labels of one map. */
export type LabelMass = ReadonlyMap<SegmentLabel, number>;

/** Returns the cells of the map, weighted by certainty, per label inside `box` (pixels of the upright photo). */
export function sumMassInBox(map: PartMap, photo: Size, box: Box): LabelMass {
  const { best, certainty, width } = map;
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
      const label = best[cell] as number;
      weights[label] = (weights[label] as number) + (certainty[cell] as number) / 255;
    }
  }
  const seen = map.labels.map((label, index) => [label, weights[index] as number] as const);
  return new Map(seen.filter(([, weight]) => weight > 0));
}

/** Returns the cells per label over the whole photo, weighted by certainty. */
export function computeMass(map: PartMap): LabelMass {
  return sumMassInBox(map, { width: 1, height: 1 }, { x: 0, y: 0, width: 1, height: 1 });
}

/** Returns the whole of a mass, background included. */
export function sumMass(mass: LabelMass): number {
  let all = 0;
  for (const weight of mass.values()) all += weight;
  return all;
}

/** Returns the share of a mass that is vehicle, 0 to 1. */
export function computeVehicleShare(mass: LabelMass): number {
  let vehicle = 0;
  let all = 0;
  for (const [label, weight] of mass) {
    all += weight;
    if (label !== 'background') vehicle += weight;
  }
  return all > 0 ? vehicle / all : 0;
}

/** Returns the mean certainty of the cells that are vehicle, 0 to 1; 0 where none is. */
function computeVehicleCertainty({ best, certainty }: PartMap): number {
  let sum = 0;
  let cells = 0;
  for (let cell = 0; cell < best.length; cell++) {
    if (best[cell] === 0) continue;
    sum += (certainty[cell] as number) / 255;
    cells++;
  }
  return cells > 0 ? sum / cells : 0;
}

/** Whether a photo shows a vehicle, with the figure it was judged by and the limit that figure was held against. */
export interface VehicleCheck {
  readonly seen: boolean;
  /** A share of the picture, or how sure a model is; 0 to 1, as `limit`. */
  readonly value: number;
  readonly limit: number;
}

/** Share of the picture under which there is no vehicle to speak of. */
const LEAST_SHARE = 0.03;
/** Mean certainty below which a map is noise, whatever it shows. */
const NOISE_CERTAINTY = 0.25;
/** One or two parts alone need this mean certainty: the segmenter reads walls and asphalt as one unsure part. */
const FEW_PARTS = 2;
const SURE = 0.7;
/** With a second opinion the map decides alone only where it is surer, unless it is filled as by a close-up. */
const CLOSE_UP_SHARE = 0.6;
const CLOSE_UP_CERTAINTY = 0.3;

/**
 * Returns whether the parts alone show a vehicle. The segmenter was never trained on pictures without one, so its own
 * uncertainty decides. The figures behind the limits: models/vehicle.md.
 */
function checkByParts({ certainty: value, seen }: MeasuredParts, noise: number): VehicleCheck {
  const limit = seen.length <= FEW_PARTS ? SURE : noise;
  return { seen: value >= limit, value, limit };
}

/** Returns whether a photo needs a second opinion: it shows parts, but too unsurely to rely on them. */
export function isVehicleInDoubt(measured: MeasuredParts): boolean {
  const share = computeVehicleShare(measured.mass);
  if (share < LEAST_SHARE) return false;
  return !checkByParts(measured, limitAlone(share)).seen;
}

function limitAlone(share: number): number {
  return share >= CLOSE_UP_SHARE ? CLOSE_UP_CERTAINTY : SURE;
}

/** Returns whether there is a vehicle; `presence` is the second opinion, where one was asked for. */
export function checkVehicle(measured: MeasuredParts, presence?: Presence): VehicleCheck {
  const share = computeVehicleShare(measured.mass);
  if (share < LEAST_SHARE) return { seen: false, value: share, limit: LEAST_SHARE };
  if (presence === undefined) return checkByParts(measured, NOISE_CERTAINTY);
  return { seen: presence.score >= presence.limit, value: presence.score, limit: presence.limit };
}

/** What a part map is measured for, once per photo. */
export interface MeasuredParts {
  readonly mass: LabelMass;
  /** Mean certainty of the cells that are vehicle, 0 to 1. */
  readonly certainty: number;
  /** Boxes as shares of the photo, 0 to 1. */
  readonly seen: readonly SeenPart[];
}

/** Measures a part map whatever the size of its photo. */
export function measurePartMap(map: PartMap): MeasuredParts {
  return {
    mass: computeMass(map),
    certainty: computeVehicleCertainty(map),
    seen: listPartsSeen(map, { width: 1, height: 1 }),
  };
}

/** Returns parts whose boxes are shares of the photo with boxes in its pixels. */
export function scaleToPixels(seen: readonly SeenPart[], photo: Size): readonly SeenPart[] {
  return seen.map((part) => ({
    ...part,
    box: {
      x: part.box.x * photo.width,
      y: part.box.y * photo.height,
      width: part.box.width * photo.width,
      height: part.box.height * photo.height,
    },
  }));
}

/** A part as seen in one photo. */
export interface SeenPart {
  readonly label: SegmentLabel;
  /** Extent in pixels of the upright photo, trimmed of its outermost 2 % of cells against stray pixels. */
  readonly box: Box;
  /** Certainty-weighted share of the whole map, 0 to 1. */
  readonly share: number;
  /** The part runs out of the picture, so its extent is a lower bound. */
  readonly cut: boolean;
  /** It runs out in both directions, so that no extent of it is known; absent: no. */
  readonly cutBothWays?: boolean;
}

/** Share of the picture below which specks are noise of the segmenter (its data README names 0.5 %). */
const SMALLEST_PART_SHARE = 0.0015;

/** Returns the parts seen in a photo, largest first. */
export function listPartsSeen(map: PartMap, photo: Size): readonly SeenPart[] {
  const { best, certainty, width, height, labels } = map;
  const columns = new Float64Array(labels.length * width);
  const rows = new Float64Array(labels.length * height);
  const mass = new Float64Array(labels.length);
  for (let y = 0, cell = 0; y < height; y++) {
    for (let x = 0; x < width; x++, cell++) {
      const label = best[cell] as number;
      if (label === 0 || label >= labels.length) continue;
      const weight = (certainty[cell] as number) / 255;
      (mass[label] as number) += weight;
      (columns[label * width + x] as number) += weight;
      (rows[label * height + y] as number) += weight;
    }
  }
  const cells = width * height;
  const seen: SeenPart[] = [];
  for (let label = 1; label < labels.length; label++) {
    const name = labels[label];
    const total = mass[label] as number;
    const share = total / cells;
    if (!name || share < SMALLEST_PART_SHARE) continue;
    const across = columns.subarray(label * width, (label + 1) * width);
    const down = rows.subarray(label * height, (label + 1) * height);
    const [left, right] = findExtent(across, total);
    const [top, bottom] = findExtent(down, total);
    seen.push({
      label: name,
      share,
      cut: left === 0 || top === 0 || right === width || bottom === height,
      cutBothWays: runsOut(across) && runsOut(down),
      box: {
        x: (left / width) * photo.width,
        y: (top / height) * photo.height,
        width: ((right - left) / width) * photo.width,
        height: ((bottom - top) / height) * photo.height,
      },
    });
  }
  return seen.sort((a, b) => b.share - a.share || a.label.localeCompare(b.label));
}

/**
 * A part that is so wide at the edge of the picture, as a share of where it is widest, goes on beyond it. Assumed; 0.1
 * and 0.4 give the same on 178 photos but for one.
 */
const WIDE_AT_EDGE = 0.25;

function runsOut(profile: Float64Array): boolean {
  const widest = profile.reduce((most, value) => Math.max(most, value), 0);
  return Math.max(profile.at(0) ?? 0, profile.at(-1) ?? 0) > WIDE_AT_EDGE * widest;
}

/** Returns the first and one-past-last position that hold the middle 96 % of a profile. */
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
