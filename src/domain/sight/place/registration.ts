import { meanBy } from '../../../lib/sum.ts';
import type { Box, Size } from '../../geometry.ts';
import { createRandom, type KeyPoints } from './keypoints.ts';

/** The same point in two photos, pixels of each. */
export interface Match {
  readonly fromX: number;
  readonly fromY: number;
  readonly toX: number;
  readonly toY: number;
}

/** Affine transform from one photo to another: x' = a x + b y + c, y' = d x + e y + f. */
export type Affine = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** Transform of a location's surroundings into another photo. */
export interface Registration {
  readonly model: Affine;
  /** Number of inliers. */
  readonly inliers: number;
}

/** Maximum Hamming distance of a match, of 256 bits; it must also be clearly below the next best. */
const MAX_BITS = 72;
const MAX_NEXT_BEST_RATIO = 0.82;

/** Matches the keypoints of two photos, each at most once. */
export function matchKeyPoints(from: KeyPoints, to: KeyPoints): Match[] {
  const partner = new Int32Array(to.count).fill(-1);
  const distances = new Int32Array(to.count).fill(MAX_COMPETING_BITS);
  for (let i = 0; i < from.count; i++) {
    const { best, distance, next } = findNearest(from.descriptors, 8 * i, to);
    if (best < 0 || distance > MAX_BITS || distance >= MAX_NEXT_BEST_RATIO * next) continue;
    if (distance >= (distances[best] as number)) continue;
    distances[best] = distance;
    partner[best] = i;
  }
  const matches: Match[] = [];
  for (let j = 0; j < to.count; j++) {
    const i = partner[j] as number;
    if (i < 0) continue;
    matches.push({
      fromX: from.x[i] as number,
      fromY: from.y[i] as number,
      toX: to.x[j] as number,
      toY: to.y[j] as number,
    });
  }
  return matches;
}

/** Inlier tolerance of the whole view, as a share of the long side; one affine transform ignores slanted sides. */
const VIEW_TOLERANCE_SHARE = 0.02;
/** Search window around the position predicted by the whole view, as a share of the long side. */
const SEARCH_WINDOW_SHARE = 0.05;
/** Within that window, a match may have a larger Hamming distance and be less distinct. */
const MAX_BITS_NEAR = 90;
const MAX_NEXT_BEST_RATIO_NEAR = 0.9;
/** Maximum distance in pixels of two keypoints that are one corner detected at two scales. */
const MAX_SAME_CORNER_DISTANCE = 8;
/** Number of search rounds; each starts from the previous matches. */
const GUIDED_ROUNDS = 2;

/**
 * Matches keypoints again near the position predicted by the whole view: under different light, three times as many are
 * distinct among their neighbours as among all. Returns none if no transform fits the view.
 * @param matches unguided matches
 */
export function matchGuided(
  from: KeyPoints,
  to: KeyPoints,
  matches: readonly Match[],
  { width, height }: Size,
): readonly Match[] {
  const longSide = Math.max(width, height);
  let fit = matches;
  for (let round = 0; round < GUIDED_ROUNDS; round++) {
    const minInliers = Math.max(MIN_VIEW_INLIERS, MIN_VIEW_INLIER_SHARE * fit.length);
    const view = fitModel(fit, minInliers, VIEW_TOLERANCE_SHARE * longSide);
    if (view === null) return [];
    fit = matchNear(from, to, view.model, SEARCH_WINDOW_SHARE * longSide);
  }
  return fit;
}

function matchNear(from: KeyPoints, to: KeyPoints, model: Affine, window: number): Match[] {
  const pairs: { readonly distance: number; readonly to: number; readonly match: Match }[] = [];
  for (let i = 0; i < from.count; i++) {
    const [fromX, fromY] = [from.x[i] as number, from.y[i] as number];
    const { x, y } = mapPoint(model, fromX, fromY);
    const near: { readonly j: number; readonly distance: number }[] = [];
    for (let j = 0; j < to.count; j++)
      if (Math.abs((to.x[j] as number) - x) <= window && Math.abs((to.y[j] as number) - y) <= window)
        near.push({ j, distance: measureDistance(from, i, to, j) });
    near.sort((a, b) => a.distance - b.distance || a.j - b.j);
    const [best] = near;
    if (best === undefined || best.distance > MAX_BITS_NEAR) continue;
    const [toX, toY] = [to.x[best.j] as number, to.y[best.j] as number];
    const next = near.find(
      ({ j }) => Math.hypot((to.x[j] as number) - toX, (to.y[j] as number) - toY) > MAX_SAME_CORNER_DISTANCE,
    );
    if (next && best.distance >= MAX_NEXT_BEST_RATIO_NEAR * next.distance) continue;
    pairs.push({ distance: best.distance, to: best.j, match: { fromX, fromY, toX, toY } });
  }
  const usedTargets = new Set<number>();
  return pairs
    .sort((a, b) => a.distance - b.distance)
    .filter((one) => !usedTargets.has(one.to) && usedTargets.add(one.to))
    .map(({ match }) => match);
}

function measureDistance(from: KeyPoints, i: number, to: KeyPoints, j: number): number {
  let bits = 0;
  for (let word = 0; word < 8; word++)
    bits += countBits((from.descriptors[8 * i + word] as number) ^ (to.descriptors[8 * j + word] as number));
  return bits;
}

/** Distance from which a keypoint is neither a match nor a competing next best. */
const MAX_COMPETING_BITS = Math.ceil((MAX_BITS + 1) / MAX_NEXT_BEST_RATIO);

function findNearest(words: Uint32Array, start: number, { descriptors, count }: KeyPoints) {
  let best = -1;
  let distance = MAX_COMPETING_BITS;
  let next = MAX_COMPETING_BITS;
  const [w0, w1, w2, w3] = words.subarray(start, start + 4) as unknown as Quad;
  const [w4, w5, w6, w7] = words.subarray(start + 4, start + 8) as unknown as Quad;
  for (let j = 0, at = 0; j < count; j++, at += 8) {
    let bits =
      countBits(w0 ^ (descriptors[at] as number)) +
      countBits(w1 ^ (descriptors[at + 1] as number)) +
      countBits(w2 ^ (descriptors[at + 2] as number)) +
      countBits(w3 ^ (descriptors[at + 3] as number)) +
      countBits(w4 ^ (descriptors[at + 4] as number)) +
      countBits(w5 ^ (descriptors[at + 5] as number));
    // Three quarters of the bits rule out most keypoints.
    if (bits >= next) continue;
    bits += countBits(w6 ^ (descriptors[at + 6] as number)) + countBits(w7 ^ (descriptors[at + 7] as number));
    if (bits < distance) {
      next = distance;
      distance = bits;
      best = j;
    } else if (bits < next) next = bits;
  }
  return { best, distance, next };
}

type Quad = readonly [number, number, number, number];

function countBits(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Search radii around a location, shares of the photo's long side; the smallest with enough matches is used. */
const RADII = [0.1, 0.16, 0.25, 0.4, 0.6];
const MIN_INLIERS = 8;
/** Inlier tolerance, pixels. */
const TOLERANCE = 5;
/** Maximum scale between two photos of one view, with hardly any stretch. */
const MAX_SCALE = 4;
const MIN_SCALE = 0.2;
const MAX_STRETCH = 2.5;
/** Maximum distance of the third-nearest inlier from the location, as a share of the long side. */
const MAX_INLIER_DISTANCE_SHARE = 0.12;

/** Criteria for accepting a transform. */
interface Criteria {
  /** Radii tried around the location, shares of the photo's long side. */
  readonly radii: readonly number[];
  /** Minimum share of inliers among the matches around the location. */
  readonly minShare: number;
  /** Maximum leverage of the location's centre in the least-squares fit, i.e. its distance from the inliers. */
  readonly maxLeverage: number;
}

const DEFAULT_CRITERIA: Criteria = { radii: RADII, minShare: 0.25, maxLeverage: Number.POSITIVE_INFINITY };
/**
 * Criteria for guided matches: most of them are wrong, but only slightly, so fewer inliers suffice if close to the
 * location. On 13 rendered pairs under a different sky, 83 % of locations register with guided matching, 86 % of those
 * within 1 % of the width; 55 and 84 % without (`test/bench/registration.ts`).
 */
export const GUIDED_CRITERIA: Criteria = { radii: [0.16, 0.25], minShare: 0.1, maxLeverage: 0.15 };

/**
 * Registers a location's surroundings in the target photo by the nearest matches consistent with one affine transform;
 * null if there are too few. Reproducible: the random draws depend only on the matches.
 */
export function registerPlace(
  matches: readonly Match[],
  place: Box,
  { width, height }: Size,
  { radii, minShare, maxLeverage }: Criteria = DEFAULT_CRITERIA,
): Registration | null {
  const longSide = Math.max(width, height);
  for (const radius of radii) {
    const near = matches.filter((one) => measureDistanceToPlace(one, place) < radius * longSide);
    const fit = fitModel(near, Math.max(MIN_INLIERS, minShare * near.length));
    if (fit === null) continue;
    const nearest = fit.inliers.map((one) => measureDistanceToPlace(one, place)).sort((a, b) => a - b);
    if ((nearest[2] ?? Number.POSITIVE_INFINITY) > MAX_INLIER_DISTANCE_SHARE * longSide) continue;
    if (computeLeverage(fit.inliers, place) > maxLeverage) continue;
    return { model: fit.model, inliers: fit.inliers.length };
  }
  return null;
}

function measureDistanceToPlace({ fromX, fromY }: Match, place: Box): number {
  return Math.hypot(
    Math.max(place.x - fromX, 0, fromX - place.x - place.width),
    Math.max(place.y - fromY, 0, fromY - place.y - place.height),
  );
}

/** Radius, tolerance and inliers of a coarse match; radius and tolerance as shares of the photo's long side. */
const COARSE = { radius: 0.16, tolerance: 0.012, minInliers: 10, minShare: 0.2 } as const;

/**
 * Registers a location by its nearest guided matches with a wide tolerance; null if too few agree. Accurate to some 2 %
 * of the long side, which the caller must allow for.
 */
export function registerCoarsely(
  matches: readonly Match[],
  place: Box,
  { width, height }: Size,
): Registration | null {
  const longSide = Math.max(width, height);
  const near = matches.filter((one) => measureDistanceToPlace(one, place) < COARSE.radius * longSide);
  const minInliers = Math.max(COARSE.minInliers, COARSE.minShare * near.length);
  const fit = fitModel(near, minInliers, COARSE.tolerance * longSide);
  return fit && { model: fit.model, inliers: fit.inliers.length };
}

/** Minimum inliers of a whole-view transform, and their share: about eight of a hundred agree by chance. */
const MIN_VIEW_INLIERS = 20;
const MIN_VIEW_INLIER_SHARE = 0.15;

/** Fits one transform to the whole view, for approximate locations; null if none fits. */
export function registerView(matches: readonly Match[]): Registration | null {
  const fit = fitModel(matches, Math.max(MIN_VIEW_INLIERS, MIN_VIEW_INLIER_SHARE * matches.length));
  return fit && { model: fit.model, inliers: fit.inliers.length };
}

/**
 * Minimum inliers of a copy: 480 or more were measured for copies, at most 165 for two photos of one view by the same
 * camera.
 */
const MIN_COPY_MATCHES = 200;
/**
 * Minimum inlier share of a copy, half of them within about a pixel: moving the camera by 5 cm shifts near against far
 * by several.
 */
const MIN_COPY_INLIER_SHARE = 0.8;
const MAX_COPY_ERROR = 1.5;

/** Returns whether two pictures are one exposure, re-encoded, cropped or resized, by their shared keypoints. */
export function isCopy(matches: readonly Match[]): boolean {
  if (matches.length < MIN_COPY_MATCHES) return false;
  const fit = fitModel(matches, MIN_COPY_INLIER_SHARE * matches.length);
  if (fit === null) return false;
  const near = matches.filter((one) => isInlier(fit.model, one, MAX_COPY_ERROR)).length;
  return near >= matches.length / 2;
}

function fitModel(
  matches: readonly Match[],
  minInliers: number,
  tolerance = TOLERANCE,
): { model: Affine; inliers: readonly Match[] } | null {
  if (matches.length < MIN_INLIERS) return null;
  let model = drawModel(matches, tolerance);
  if (model === null) return null;
  let inliers: readonly Match[] = [];
  for (let round = 0; round < 3; round++) {
    const current: Affine = model;
    inliers = matches.filter((one) => isInlier(current, one, tolerance));
    if (inliers.length < 3) return null;
    model = fitLeastSquares(inliers) ?? model;
  }
  return inliers.length >= minInliers && isPlausible(model) ? { model, inliers } : null;
}

function drawModel(matches: readonly Match[], tolerance: number): Affine | null {
  const random = createRandom(777);
  let best: Affine | null = null;
  let maxCount = 0;
  const draws = Math.min(2000, 300 + 10 * matches.length);
  const pick = () => matches[Math.floor(random() * matches.length)] as Match;
  for (let round = 0; round < draws; round++) {
    const three = [pick(), pick(), pick()] as const;
    const model = solveThree(three);
    if (model === null) continue;
    const area = model[0] * model[4] - model[1] * model[3];
    if (area <= MIN_SCALE ** 2 || area > MAX_SCALE ** 2) continue;
    let count = 0;
    // Stops counting once the best inlier count is out of reach.
    for (let i = 0; i < matches.length && count + matches.length - i > maxCount; i++)
      if (isInlier(model, matches[i] as Match, tolerance)) count++;
    if (count > maxCount) {
      maxCount = count;
      best = model;
    }
  }
  return best;
}

function isInlier([a, b, c, d, e, f]: Affine, { fromX, fromY, toX, toY }: Match, tolerance: number): boolean {
  const dx = a * fromX + b * fromY + c - toX;
  const dy = d * fromX + e * fromY + f - toY;
  return dx * dx + dy * dy < tolerance * tolerance;
}

function isPlausible([a, b, , d, e]: Affine): boolean {
  const area = a * e - b * d;
  if (area <= 0) return false;
  const trace = a * a + b * b + d * d + e * e;
  const longest = Math.sqrt((trace + Math.sqrt(Math.max(0, trace * trace - 4 * area * area))) / 2);
  const shortest = area / longest;
  return longest <= MAX_SCALE && shortest >= MIN_SCALE && longest / shortest <= MAX_STRETCH;
}

/** Minimum doubled area of a sampled triangle, square pixels; below it the points are nearly collinear. */
const MIN_TRIANGLE = 50;

function solveThree([p, q, r]: readonly [Match, Match, Match]): Affine | null {
  const [qx, qy, rx, ry] = [q.fromX - p.fromX, q.fromY - p.fromY, r.fromX - p.fromX, r.fromY - p.fromY];
  const triangle = qx * ry - rx * qy;
  if (Math.abs(triangle) < MIN_TRIANGLE) return null;
  const solve = (atP: number, atQ: number, atR: number) => {
    const a = ((atQ - atP) * ry - (atR - atP) * qy) / triangle;
    const b = ((atR - atP) * qx - (atQ - atP) * rx) / triangle;
    return [a, b, atP - a * p.fromX - b * p.fromY] as const;
  };
  return [...solve(p.toX, q.toX, r.toX), ...solve(p.toY, q.toY, r.toY)];
}

/**
 * Returns the leverage of a location's centre in a least-squares fit of the matches: 1 / count at their centroid, more
 * farther away.
 */
function computeLeverage(matches: readonly Match[], place: Box): number {
  const mean = (read: (one: Match) => number) => meanBy(matches, read);
  const [x0, y0] = [mean((one) => one.fromX), mean((one) => one.fromY)];
  const [xx, xy, yy] = [
    mean((one) => (one.fromX - x0) ** 2),
    mean((one) => (one.fromX - x0) * (one.fromY - y0)),
    mean((one) => (one.fromY - y0) ** 2),
  ];
  const [x, y] = [place.x + place.width / 2 - x0, place.y + place.height / 2 - y0];
  return (1 + (x * x * yy - 2 * x * y * xy + y * y * xx) / (xx * yy - xy * xy)) / matches.length;
}

function fitLeastSquares(matches: readonly Match[]): Affine | null {
  const mean = (read: (one: Match) => number) => meanBy(matches, read);
  const [x0, y0] = [mean((one) => one.fromX), mean((one) => one.fromY)];
  const [u0, v0] = [mean((one) => one.toX), mean((one) => one.toY)];
  const sum = (read: (x: number, y: number, u: number, v: number) => number) =>
    matches.reduce((acc, one) => acc + read(one.fromX - x0, one.fromY - y0, one.toX - u0, one.toY - v0), 0);
  const [xx, xy, yy] = [sum((x) => x * x), sum((x, y) => x * y), sum((_, y) => y * y)];
  const determinant = xx * yy - xy * xy;
  if (determinant < 1e-3) return null;
  const solve = (along: number, across: number) =>
    [(along * yy - across * xy) / determinant, (across * xx - along * xy) / determinant] as const;
  const [a, b] = solve(
    sum((x, _, u) => x * u),
    sum((_, y, u) => y * u),
  );
  const [d, e] = solve(
    sum((x, _y, _u, v) => x * v),
    sum((_x, y, _u, v) => y * v),
  );
  return [a, b, u0 - a * x0 - b * y0, d, e, v0 - d * x0 - e * y0];
}

/** Maps a point into the target photo. */
export function mapPoint([a, b, c, d, e, f]: Affine, x: number, y: number): { x: number; y: number } {
  return { x: a * x + b * y + c, y: d * x + e * y + f };
}

/** Returns the bounding box of a box mapped into the target photo. */
export function mapBox(model: Affine, { x, y, width, height }: Box): Box {
  const corners = [
    mapPoint(model, x, y),
    mapPoint(model, x + width, y),
    mapPoint(model, x, y + height),
    mapPoint(model, x + width, y + height),
  ];
  const [xs, ys] = [corners.map((one) => one.x), corners.map((one) => one.y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return { x: left, y: top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
}

/** Returns the length scale of a transform. */
export function computeScaleChange([a, b, , d, e]: Affine): number {
  return Math.sqrt(Math.abs(a * e - b * d));
}

/** Swaps the two photos of the matches. */
export function swapMatches(matches: readonly Match[]): Match[] {
  return matches.map(({ fromX, fromY, toX, toY }) => ({ fromX: toX, fromY: toY, toX: fromX, toY: fromY }));
}
