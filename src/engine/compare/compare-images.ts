import { type Box, scaleBox } from '../../domain/geometry.ts';
import {
  type CropComparison,
  type Disappearance,
  LISTED_CONFIDENCE,
  mayHaveDisappeared,
  needsColourComparison,
} from '../../domain/judge/decide-place.ts';
import { measureContrasts } from '../../domain/sight/place/contrast.ts';
import { measureDifference } from '../../domain/sight/place/difference.ts';
import { compareCrops, type Likeness } from '../../domain/sight/place/likeness.ts';
import { groupBy } from '../../lib/group-by.ts';
import type { Album, VisitPair } from './album.ts';
import type { PhotoBox, PlaceMatch } from './place-match.ts';

/**
 * Compares the image content of matches, in their order; classifies only those whose target photo has no listed
 * candidate there.
 */
export async function compareImages(
  album: Album,
  visits: VisitPair,
  matches: readonly PlaceMatch[],
): Promise<CropComparison[]> {
  const unlisted = matches.filter(({ candidate }) => candidate < LISTED_CONFIDENCE);
  const scores = await classifyCrops(album, visits, unlisted);
  const comparisons: CropComparison[] = [];
  for (const match of matches) {
    const likeness = await compareGrey(album, visits, match);
    const [sourceScore, targetScore] = [scores.get(match.source) ?? null, scores.get(match.target) ?? null];
    const drop =
      sourceScore === null || targetScore === null ? null : toLogOdds(sourceScore) - toLogOdds(targetScore);
    const needsColours = needsColourComparison({ ...match, ...likeness, drop, damageScore: targetScore });
    comparisons.push({
      ...likeness,
      drop,
      damageScore: targetScore,
      colourChange: needsColours ? await compareColours(album, visits, match) : null,
      disappearance: await measureDisappearance(album, visits, match, sourceScore, targetScore),
    });
  }
  return comparisons;
}

async function compareGrey(
  album: Album,
  visits: VisitPair,
  { source, target, model, otherBoxes }: PlaceMatch,
): Promise<Likeness> {
  const from = await album.open(visits.source, source.photo);
  const to = await album.open(visits.target, target.photo);
  if (from === null || to === null) throw new Error('a match in a photo that cannot be opened');
  const toRaster = (box: Box) => scaleBox(box, from.scale);
  return compareCrops(from.grey, to.grey, model, toRaster(source.box), otherBoxes.map(toRaster));
}

async function compareColours(
  album: Album,
  visits: VisitPair,
  { source, target, model, otherBoxes }: PlaceMatch,
): Promise<number | null> {
  const from = await album.read(visits.source, source.photo);
  const to = await album.read(visits.target, target.photo);
  if (from === null || to === null) return null;
  const scale = { width: from.width / source.photo.width, height: from.height / source.photo.height };
  const toRaster = (box: Box) => scaleBox(box, scale);
  return measureDifference(from, to, model, toRaster(source.box), otherBoxes.map(toRaster));
}

/** Maximum error of a coarse match, as a share of the photo's long side. */
const COARSE_ERROR_SHARE = 0.02;
const DIRECTIONS = [
  [0, 0],
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
] as const;

/** Measures whether the damage disappeared; null if the damage scores do not suggest it. */
async function measureDisappearance(
  album: Album,
  visits: VisitPair,
  { source, target, model, accuracy }: PlaceMatch,
  sourceScore: number | null,
  targetScore: number | null,
): Promise<Disappearance | null> {
  if (sourceScore === null || targetScore === null) return null;
  if (!mayHaveDisappeared(sourceScore, toLogOdds(sourceScore) - toLogOdds(targetScore))) return null;
  const from = await album.open(visits.source, source.photo);
  const to = await album.open(visits.target, target.photo);
  if (from === null || to === null) return null;
  const error = COARSE_ERROR_SHARE * Math.max(to.grey.width, to.grey.height);
  const shifts = (accuracy === 'coarse' ? DIRECTIONS : DIRECTIONS.slice(0, 1)).map(([x, y]) => ({
    x: error * x,
    y: error * y,
  }));
  const { x, y, width, height } = target.box;
  const boxes = shifts.map((shift) => ({
    x: Math.max(0, x + shift.x / to.scale.width),
    y: Math.max(0, y + shift.y / to.scale.height),
    width,
    height,
  }));
  const scores = await album.classify(visits.target, target.photo, boxes);
  if (scores === null) return null;
  const damageScore = Math.max(...scores);
  return {
    damageScore,
    drop: toLogOdds(sourceScore) - toLogOdds(damageScore),
    contrasts: measureContrasts(from.grey, to.grey, model, scaleBox(source.box, from.scale), shifts),
  };
}

/**
 * Returns the classifier's damage probability of each crop; null if its photo cannot be read or there is no classifier.
 */
async function classifyCrops(
  album: Album,
  visits: VisitPair,
  matches: readonly PlaceMatch[],
): Promise<ReadonlyMap<PhotoBox, number | null>> {
  const scores = new Map<PhotoBox, number | null>();
  for (const side of ['source', 'target'] as const) {
    const crops = [...new Set(matches.map((match) => match[side]))];
    for (const [photo, group] of groupBy(crops, (crop) => crop.photo)) {
      const boxes = group.map(({ box }) => box);
      const probabilities = await album.classify(visits[side], photo, boxes);
      for (const [at, crop] of group.entries()) scores.set(crop, probabilities?.[at] ?? null);
    }
  }
  return scores;
}

function toLogOdds(probability: number): number {
  const inside = Math.min(0.99, Math.max(0.01, probability));
  return Math.log(inside / (1 - inside));
}
