import { distance } from 'fastest-levenshtein';
import type { RgbImage } from '../photo.ts';
import type { PartMap } from './detection.ts';
import {
  computeHueDistance,
  computeShadeDistance,
  measurePaintColour,
  type PaintColour,
  readColours,
} from './paint.ts';

/** What identifies the vehicle of a photo, and the place where it stands. */
export interface Appearance {
  /** Null if too little paint is visible. */
  readonly paint: PaintColour | null;
  /**
   * Quartiles of lightness, a and b (CIE L*a*b*) on the vehicle and around it, in units of their spread over photos,
   * scaled to length 1.
   */
  readonly tones: readonly number[];
  /** Signs of the number plate, if it was read. */
  readonly plate?: string | undefined;
}

/** Center and spread of each quartile of lightness, a and b; rounded from 54 walk-around photos of 21 vehicles. */
const USUAL_TONES = {
  around: [
    [35, 15],
    [50, 15],
    [65, 15],
    [0, 3],
    [1, 2],
    [3, 3],
    [2, 3],
    [5, 4],
    [8, 5],
  ],
  vehicle: [
    [30, 8],
    [50, 11],
    [65, 12],
    [0, 4],
    [0, 4],
    [0, 4],
    [0, 6],
    [0, 6],
    [0, 6],
  ],
} as const;
/** Tones farther from the usual count no more than this many spreads. */
const MAX_SPREADS = 3;
/** Minimum share of the photo for the tones of a region; below, they count as usual. */
const MIN_REGION_SHARE = 0.02;

/** Measures what identifies the vehicle of a photo. */
export function measureAppearance(raster: RgbImage, parts: PartMap): Appearance {
  const { labels, bestLabels } = parts;
  const colours = readColours(raster, parts);
  const tones = (['around', 'vehicle'] as const).flatMap((region) => {
    const inside = colours.filter(
      (_, cell) => (labels[bestLabels[cell] as number] === 'background') === (region === 'around'),
    );
    const isSeen = inside.length >= MIN_REGION_SHARE * colours.length;
    const quartiles = (['lightness', 'a', 'b'] as const).flatMap((axis) => {
      const sorted = new Float64Array(inside.map((one) => one[axis])).sort();
      return [0.25, 0.5, 0.75].map((share) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
    });
    return USUAL_TONES[region].map(([center, spread], at) => {
      const spreads = ((quartiles[at] ?? 0) - center) / spread;
      return isSeen ? Math.max(-MAX_SPREADS, Math.min(MAX_SPREADS, spreads)) : 0;
    });
  });
  const length = Math.hypot(...tones) || 1;
  return { paint: measurePaintColour(raster, parts), tones: tones.map((one) => one / length) };
}

/** Number of signs in which two readings of one plate may differ. */
const MAX_MISREAD_SIGNS = 2;

/** Distances of photos whose paint cannot be compared: about the mean of all pairs of photos. */
const USUAL_DISTANCE = { hue: 4, shade: 14 } as const;
/** Weights of a distance in hue and in shade (CIE L*a*b*), against tones, of which the distance is 0 to 2. */
const HUE_WEIGHT = 0.8 / 8;
const SHADE_WEIGHT = 0.4 / 36;
/** Mean distance up to which two long series of photos show one vehicle. */
const MAX_DISTANCE = 0.95;
/** Added for two single photos, because the mean of few pairs varies more; longer series have less of it. */
const SINGLE_PHOTO_ALLOWANCE = 0.7;
/** Share of that limit for series between which other vehicles were photographed. */
const RETURN_SHARE = 0.8;

/**
 * Groups photos by vehicle. A vehicle is usually photographed in one series, so neighboring series whose paint, tones
 * and surroundings are alike are joined, nearest first; then series of a vehicle to which the photographer returned.
 * Plates outweigh everything: the same signs are one vehicle, others are other vehicles. Photos without an
 * appearance join the photo before them.
 *
 * Measured by `test/bench/vehicles.ts` on walk-arounds, which also chose the limits: no vehicle is split.
 * @param photos in the order in which they were taken
 * @returns indices of `photos`, largest group first; a photo that fits no other is a group of its own
 */
export function groupByVehicle(photos: readonly (Appearance | null)[]): readonly (readonly number[])[] {
  const groups = photos.flatMap((photo, index) => (photo === null ? [] : [[index]]));
  const measure = (one: readonly number[], other: readonly number[]) =>
    compareGroups(
      one.flatMap((index) => photos[index] ?? []),
      other.flatMap((index) => photos[index] ?? []),
    );
  const joinNearest = (limit: number, isPair: (at: number, other: number) => boolean): boolean => {
    const pairs = groups.flatMap((one, at) =>
      groups.flatMap((other, to) =>
        at < to && isPair(at, to) ? [{ one, other, apart: measure(one, other) }] : [],
      ),
    );
    const nearest = pairs.sort((a, b) => a.apart - b.apart)[0];
    if (nearest === undefined || nearest.apart > limit) return false;
    groups.splice(groups.indexOf(nearest.other), 1);
    nearest.one.push(...nearest.other);
    return true;
  };
  while (joinNearest(1, (at, other) => other === at + 1));
  while (joinNearest(RETURN_SHARE, () => true));
  photos.forEach((photo, index) => {
    if (photo !== null) return;
    const before = groups.find((group) => group.includes(index - 1)) ?? groups[0];
    if (before === undefined) groups.push([index]);
    else before.push(index);
  });
  return groups
    .map((group) => group.sort((a, b) => a - b))
    .sort((one, other) => other.length - one.length || Math.min(...one) - Math.min(...other));
}

/** Returns the mean distance of two groups in shares of its limit: 1 or less if they may show one vehicle. */
function compareGroups(one: readonly Appearance[], other: readonly Appearance[]): number {
  const [plates, others] = [one, other].map((group) => group.flatMap(({ plate }) => plate ?? []));
  const signsApart = Math.min(
    ...(plates ?? []).flatMap((plate) => (others ?? []).map((text) => distance(plate, text))),
  );
  if (signsApart <= MAX_MISREAD_SIGNS) return 0;
  if (Number.isFinite(signsApart)) return Number.POSITIVE_INFINITY;
  const distances = one.flatMap((a) => other.map((b) => computeDistance(a, b)));
  const allowance = (SINGLE_PHOTO_ALLOWANCE * (1 / one.length + 1 / other.length)) / 2;
  return distances.reduce((sum, each) => sum + each, 0) / distances.length / (MAX_DISTANCE + allowance);
}

function computeDistance(a: Appearance, b: Appearance): number {
  const alike = a.tones.reduce((sum, one, at) => sum + one * (b.tones[at] ?? 0), 0);
  const hue = computeHueDistance(a.paint, b.paint) ?? USUAL_DISTANCE.hue;
  const shade = computeShadeDistance(a.paint, b.paint) ?? USUAL_DISTANCE.shade;
  return 1 - alike + HUE_WEIGHT * hue + SHADE_WEIGHT * shade;
}
