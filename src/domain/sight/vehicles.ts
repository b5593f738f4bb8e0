import { distance } from 'fastest-levenshtein';
import type { RgbImage } from '../photo.ts';
import type { PartMap } from './detection.ts';
import { computeHueDistance, computeShadeDistance, measurePaintColor, type PaintColor } from './paint.ts';

/** Features of a photo that identify its vehicle. */
export interface Appearance {
  /** Null if too little paint is visible. */
  readonly paint: PaintColor | null;
  /** Unit vector that is similar for photos of one vehicle; absent if the parts model outputs none. */
  readonly embedding?: readonly number[] | undefined;
  /** Characters of the number plate, if it was read. */
  readonly plate?: string | undefined;
}

/** Measures the features that identify the vehicle of a photo. */
export function measureAppearance(raster: RgbImage, parts: PartMap): Appearance {
  return { paint: measurePaintColor(raster, parts), embedding: parts.embedding };
}

/** Maximum number of characters in which two readings of one plate may differ. */
const MAX_MISREAD_CHARACTERS = 2;

/**
 * Distances assumed if either photo lacks the value: for embeddings, between those of one vehicle and of two; for paint, the
 * mean of all pairs.
 */
const USUAL_DISTANCE = { embedding: 0.6, hue: 4, shade: 14 } as const;
/**
 * Weights of hue and shade distances (CIE L*a*b*) relative to embeddings, whose distance is 0 to 2. These and the limits are
 * chosen on training photos (models/training/README.md).
 */
const HUE_WEIGHT = 0.035;
const SHADE_WEIGHT = 0.011;
/** Mean distance up to which two long series of photos show one vehicle. */
const MAX_DISTANCE = 0.75;
/** Allowance for two single photos, because a mean of few pairs varies more; it shrinks with longer series. */
const SINGLE_PHOTO_ALLOWANCE = 0.75;
/** Share of that limit that applies to series separated by photos of other vehicles. */
const RETURN_SHARE = 0.8;

/**
 * Groups photos by vehicle. A vehicle is usually photographed in one series, so adjacent series with similar paint and
 * embedding are joined first, nearest first; then series of a vehicle to which the photographer returned. Plates outweigh
 * everything: equal plates are one vehicle, different ones are different vehicles. A photo without an appearance joins
 * the photo before it.
 * Measured by `test/bench/vehicles.ts` on walk-arounds: no vehicle is split.
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

/** Returns the mean distance of two groups relative to its limit; 1 or less if they may show one vehicle. */
function compareGroups(one: readonly Appearance[], other: readonly Appearance[]): number {
  const [plates, others] = [one, other].map((group) => group.flatMap(({ plate }) => plate ?? []));
  const charactersApart = Math.min(
    ...(plates ?? []).flatMap((plate) => (others ?? []).map((text) => distance(plate, text))),
  );
  if (charactersApart <= MAX_MISREAD_CHARACTERS) return 0;
  if (Number.isFinite(charactersApart)) return Number.POSITIVE_INFINITY;
  const distances = one.flatMap((a) => other.map((b) => computeDistance(a, b)));
  const allowance = (SINGLE_PHOTO_ALLOWANCE * (1 / one.length + 1 / other.length)) / 2;
  return distances.reduce((sum, each) => sum + each, 0) / distances.length / (MAX_DISTANCE + allowance);
}

function computeDistance(a: Appearance, b: Appearance): number {
  const hue = computeHueDistance(a.paint, b.paint) ?? USUAL_DISTANCE.hue;
  const shade = computeShadeDistance(a.paint, b.paint) ?? USUAL_DISTANCE.shade;
  return (
    (computeEmbeddingDistance(a.embedding, b.embedding) ?? USUAL_DISTANCE.embedding) +
    HUE_WEIGHT * hue +
    SHADE_WEIGHT * shade
  );
}

function computeEmbeddingDistance(
  a: readonly number[] | undefined,
  b: readonly number[] | undefined,
): number | undefined {
  return a && b && 1 - a.reduce((sum, one, at) => sum + one * (b[at] ?? 0), 0);
}
