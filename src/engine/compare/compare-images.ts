import { type Box, type Size, scaleBox } from '../../domain/geometry.ts';
import {
  type CropComparison,
  LISTED_CONFIDENCE,
  mayHaveDisappeared,
  needsColourComparison,
} from '../../domain/judge/decide-place.ts';
import { type Contrasts, measureContrasts, type Shift } from '../../domain/sight/place/contrast.ts';
import { measureDifference } from '../../domain/sight/place/difference.ts';
import { compareCrops, type Likeness } from '../../domain/sight/place/likeness.ts';
import { groupBy } from '../../lib/group-by.ts';
import type { Album, Visit, VisitPair } from './album.ts';
import type { PhotoBox, PlaceMatch } from './place-match.ts';

/** Placeholder without image comparison; no rule reads the likeness of coarse or uncompared matches. */
export const NOT_COMPARED: CropComparison = {
  ...{ overall: 0, worstSpot: 0, surroundings: 0 },
  ...{ ownScore: null, damageScore: null, drop: null, colourChange: null, contrasts: null },
};

/**
 * Compares the image content of matches, in their order; classifies only those whose target photo has no listed
 * candidate there. A coarse match gives no likeness: its crops may lie apart.
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
    const ownScore = scores.get(match.source) ?? null;
    const centre = withDrop(ownScore, scores.get(match.target) ?? null);
    const isCoarse = match.accuracy === 'coarse';
    const damage =
      isCoarse && mayHaveDisappeared(centre)
        ? withDrop(ownScore, await classifyAround(album, visits.target, match))
        : centre;
    const contrasts = mayHaveDisappeared(damage) ? await compareContrasts(album, visits, match) : null;
    if (isCoarse) {
      comparisons.push({ ...NOT_COMPARED, ...damage, contrasts });
      continue;
    }
    const likeness = await compareGrey(album, visits, match);
    const needsColours = needsColourComparison({ ...match, ...likeness, ...damage });
    const colourChange = needsColours ? await compareColours(album, visits, match) : null;
    comparisons.push({ ...likeness, ...damage, colourChange, contrasts });
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

function withDrop(
  ownScore: number | null,
  damageScore: number | null,
): Pick<CropComparison, 'ownScore' | 'damageScore' | 'drop'> {
  const isKnown = ownScore !== null && damageScore !== null;
  return { ownScore, damageScore, drop: isKnown ? toLogOdds(ownScore) - toLogOdds(damageScore) : null };
}

/** Maximum error of a coarse match, as a share of the photo's long side. */
const COARSE_ERROR_SHARE = 0.02;

/** Lists the displacements within the error of a match; pixels of a photo of the given size. */
function listShifts({ accuracy }: PlaceMatch, { width, height }: Size): readonly Shift[] {
  const centre = { x: 0, y: 0 };
  if (accuracy !== 'coarse') return [centre];
  const error = COARSE_ERROR_SHARE * Math.max(width, height);
  return [centre, { x: error, y: 0 }, { x: -error, y: 0 }, { x: 0, y: error }, { x: 0, y: -error }];
}

/** Returns the highest damage probability within the error of a match. */
async function classifyAround(album: Album, visit: Visit, match: PlaceMatch): Promise<number | null> {
  const { photo, box } = match.target;
  const boxes = listShifts(match, photo).map(({ x, y }) => ({
    ...box,
    x: Math.max(0, box.x + x),
    y: Math.max(0, box.y + y),
  }));
  const probabilities = await album.classify(visit, photo, boxes);
  return probabilities && Math.max(...probabilities);
}

async function compareContrasts(
  album: Album,
  visits: VisitPair,
  match: PlaceMatch,
): Promise<Contrasts | null> {
  const from = await album.open(visits.source, match.source.photo);
  const to = await album.open(visits.target, match.target.photo);
  if (from === null || to === null) return null;
  const box = scaleBox(match.source.box, from.scale);
  return measureContrasts(from.grey, to.grey, match.model, box, listShifts(match, to.grey));
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
