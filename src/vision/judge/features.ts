import { area, type Box, computeShareOfSmaller, iou, type Size } from '../../domain/geometry.ts';
import { DETECTOR_LABELS, type Detection, type PartMap } from '../../domain/sight/detection.ts';
import {
  computeShare,
  computeVehicleShare,
  type MeasuredParts,
  measureMassInBox,
} from '../../domain/sight/part-map.ts';
import { GLASS } from '../../domain/sight/segments.ts';
import { type Pass, showsWhole } from '../boxes/merge-boxes.ts';
import type { ScoredBox } from '../boxes/nms.ts';
import type { Classified } from '../run/protocol.ts';

/** Passes of the detector over a photo, with its map; boxes in pixels of the raster, labels index `DETECTOR_LABELS`. */
export interface PhotoPasses {
  readonly whole: Pass;
  readonly closer: readonly Pass[];
  readonly parts: PartMap;
  readonly measured: Pick<MeasuredParts, 'mass'>;
  readonly raster: Size;
}

/** Names of the first judge's inputs, in the order of its weights. */
export const FIRST_FEATURES = [
  'area',
  'on_glass',
  'vehicle_share',
  'whole_any',
  'whole_own',
  'shown_closer',
  'boxes_here',
  'inside_or_around',
  'others',
] as const;

/** What the second judge knows in addition, from the classifier and the surest other box. */
const SECOND_FEATURES = [
  'surest_elsewhere',
  'classified',
  'classified_squared',
  'classified_here',
  'classified_elsewhere',
  'classified_others',
] as const;

/** Names of the second judge's inputs, in the order of its weights. */
export const FEATURES = [...FIRST_FEATURES, ...SECOND_FEATURES] as const;

const SAME_LOCATION_IOU = 0.3;
/** Share of the smaller box inside the other, above which two boxes are at the same location. */
const SAME_LOCATION_SHARE = 0.7;
/** Share of the smaller box inside the other, above which two boxes touch. */
const TOUCHING_SHARE = 0.5;
/** Minimum score of a box that counts as a detection. */
const MIN_DETECTION_SCORE = 0.1;
/** Confidence and damage probability from which another candidate counts as a further damage. */
const MIN_OTHER = { confidence: 0.06, damage: 0.5 } as const;

/** Computes the `FIRST_FEATURES` values of a candidate, in pixels of the raster; `candidates` includes it. */
export function computeFirstFeatures(
  candidate: Detection,
  candidates: readonly Detection[],
  { whole, closer, parts, measured, raster }: PhotoPasses,
): number[] {
  const { label, box } = candidate;
  const inWhole = listBoxesAt(box, [whole]);
  const boxes = [...inWhole, ...listBoxesAt(box, closer)];
  const own = inWhole.filter((one) => one.label === DETECTOR_LABELS.indexOf(label));
  const touching = whole.boxes.filter((one) => computeShareOfSmaller(one.box, box) > TOUCHING_SHARE);
  const inside = measureMassInBox(parts, raster, box);
  const others = candidates.filter((one) => one !== candidate && one.confidence > MIN_OTHER.confidence);
  const values: Record<(typeof FIRST_FEATURES)[number], number> = {
    area: Math.log(area(box) / (raster.width * raster.height) + 1e-4),
    on_glass: computeShare(inside, GLASS),
    vehicle_share: computeVehicleShare(measured.mass),
    whole_any: logOdds(findHighestScore(inWhole)),
    whole_own: logOdds(findHighestScore(own)),
    shown_closer: Number(closer.some(({ region }) => showsWhole(region, box))),
    boxes_here: Math.log1p(boxes.filter(({ score }) => score > MIN_DETECTION_SCORE).length),
    inside_or_around: logOdds(findHighestScore(touching)),
    others: Math.log1p(others.length),
  };
  return FIRST_FEATURES.map((name) => values[name]);
}

/** Computes the `FEATURES` values of a candidate; `candidates` are all that were classified. */
export function computeFeatures(
  candidate: Detection,
  candidates: readonly Detection[],
  passes: PhotoPasses,
  classified: ReadonlyMap<Detection, Pick<Classified, 'damage'>>,
): number[] {
  const others = candidates.filter((other) => other !== candidate);
  // Of unlike extent: a small box inside the candidate is both `elsewhere` and `here`, as when the weights were fitted.
  const elsewhere = others.filter(({ box }) => iou(box, candidate.box) < SAME_LOCATION_IOU);
  const here = others.filter(({ box }) => isSameLocation(box, candidate.box));
  const damage = (one: Detection) => classified.get(one)?.damage ?? 0;
  const own = logOdds(damage(candidate));
  const values: Record<(typeof SECOND_FEATURES)[number], number> = {
    surest_elsewhere: logOdds(findHighestScore(elsewhere)),
    classified: own,
    classified_squared: own ** 2,
    classified_here: logOdds(Math.max(0, ...here.map(damage))),
    classified_elsewhere: logOdds(Math.max(0, ...elsewhere.map(damage))),
    classified_others: Math.log1p(others.filter((one) => damage(one) > MIN_OTHER.damage).length),
  };
  return [
    ...computeFirstFeatures(candidate, candidates, passes),
    ...SECOND_FEATURES.map((name) => values[name]),
  ];
}

/** Returns the best score per class at a box's location in any pass, ordered as `DETECTOR_LABELS`. */
export function findScoresAt(box: Box, { whole, closer }: PhotoPasses): number[] {
  const boxes = listBoxesAt(box, [whole, ...closer]);
  return DETECTOR_LABELS.map((_, at) => findHighestScore(boxes.filter(({ label }) => label === at)));
}

const listBoxesAt = (location: Box, passes: readonly Pass[]): ScoredBox[] =>
  passes.flatMap(({ boxes }) => boxes.filter(({ box }) => iou(box, location) > SAME_LOCATION_IOU));

const isSameLocation = (one: Box, other: Box): boolean =>
  computeShareOfSmaller(one, other) > SAME_LOCATION_SHARE || iou(one, other) > SAME_LOCATION_IOU;

const findHighestScore = (boxes: readonly { readonly score: number }[]): number =>
  boxes.reduce((highest, { score }) => Math.max(highest, score), 0);

/** Computes the log odds of a probability, finite at 0 and 1. */
const logOdds = (probability: number): number => Math.log((probability + 0.01) / (1.01 - probability));
