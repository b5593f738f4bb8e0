import {
  area,
  type Box,
  computeShareOfSmaller,
  intersection,
  iou,
  type Size,
} from '../../domain/geometry.ts';
import {
  DETECTOR_LABELS,
  type DetectorLabel,
  type PartMap,
  type SegmentLabel,
} from '../../domain/sight/detection.ts';
import { computeVehicleShare, type LabelMass, sumMass, sumMassInBox } from '../../domain/sight/part-map.ts';
import { GLASS, LAMPS } from '../../domain/sight/segments.ts';
import type { Pass } from '../boxes/merge-boxes.ts';
import type { ScoredBox } from '../boxes/nms.ts';

/** A possible damage; `box` in pixels of the raster. */
export interface Candidate {
  readonly label: DetectorLabel;
  readonly box: Box;
  /** The detector's raw score, merged over all passes. */
  readonly score: number;
  /** Calibrated `score`. */
  readonly confidence: number;
}

/** All detections in a photo; boxes in pixels of the raster, labels as indices into `DETECTOR_LABELS`. */
export interface PhotoDetections {
  readonly whole: Pass;
  readonly closer: readonly Pass[];
  readonly parts: PartMap;
  /** Mass per label over the whole of `parts`. */
  readonly mass: LabelMass;
  readonly raster: Size;
}

/** The classifier's probability of damage, and of each class given damage, 0 to 1. */
export interface ClassifiedCandidate {
  readonly damage: number;
  readonly kinds: Readonly<Partial<Record<DetectorLabel, number>>>;
}

/** Surfaces on which a candidate may lie. */
const SURFACES = ['background', 'glass', 'lamp', 'wheel', 'bumper', 'body'] as const;
type Surface = (typeof SURFACES)[number];

/** Names of the first judge's inputs, ordered as in `gatherFirstEvidence`. */
export const FIRST_EVIDENCE = [
  'confidence',
  'score',
  'area',
  ...DETECTOR_LABELS.map((label) => `is_${label}` as const),
  ...SURFACES.map((surface) => `on_${surface}` as const),
  'vehicle_share',
  ...DETECTOR_LABELS.map((label) => `like_${label}` as const),
  'whole_any',
  'closer_any',
  'whole_own',
  'closer_own',
  'shown_closer',
  'boxes_here',
  'inside_or_around',
  'others',
  'surest_elsewhere',
] as const;

/** Names of the second judge's inputs, ordered as in `gatherEvidence`. */
export const EVIDENCE = [
  ...FIRST_EVIDENCE,
  'classified',
  'classified_squared',
  'classified_own',
  'classified_here',
  'classified_elsewhere',
  'classified_others',
] as const;

/** Minimum IoU of two boxes at the same location. */
const SAME_LOCATION_IOU = 0.3;
/** Fraction of a box that a closer region must contain to be evidence about it. */
const MIN_COVERAGE = 0.95;
/** Boxes with lower scores do not count as detections. */
const MIN_DETECTION_SCORE = 0.1;
/** Fraction of the smaller box that makes it lie inside the other. */
const INSIDE_FRACTION = 0.5;
/** Fraction of the smaller box that counts as the same location, whatever the IoU. */
const SAME_LOCATION_FRACTION = 0.7;
/** Classifier probability from which a candidate counts as another damage. */
const MIN_DAMAGE_PROBABILITY = 0.5;
/** Confidence from which a candidate counts as another damage, before classification. */
const MIN_OTHER_CONFIDENCE = 0.06;

/**
 * Computes the `EVIDENCE` values of a candidate: its first evidence and the classifier's output for it and the others.
 * `candidates` are all that were classified, `classified` their results.
 */
export function gatherEvidence(
  candidate: Candidate,
  candidates: readonly Candidate[],
  detections: PhotoDetections,
  classified: ReadonlyMap<Candidate, ClassifiedCandidate>,
): number[] {
  const others = candidates.filter((other) => other !== candidate);
  return [
    ...gatherFirstEvidence(candidate, candidates, detections),
    ...listClassifiedEvidence(candidate, others, listCandidatesElsewhere(others, candidate), classified),
  ];
}

/**
 * Computes the `FIRST_EVIDENCE` values of a candidate: detector confidence, competing classes at the location in every
 * pass, number of boxes there, the surface below, and other detections in the photo. `candidates` includes it.
 */
export function gatherFirstEvidence(
  candidate: Candidate,
  candidates: readonly Candidate[],
  detections: PhotoDetections,
): number[] {
  const { label, box, score, confidence } = candidate;
  const { parts, mass, raster } = detections;
  const labelIndex = DETECTOR_LABELS.indexOf(label);
  const whole = listBoxesAt(box, [detections.whole]);
  const closer = listBoxesAt(box, detections.closer);
  const both = [...whole, ...closer];
  const findBestOfLabel = (boxes: readonly ScoredBox[]) =>
    findHighestScore(boxes.filter((one) => one.label === labelIndex));
  const surfaces = measureSurfaceShares(parts, raster, box);
  const others = candidates.filter((other) => other !== candidate);
  const elsewhere = listCandidatesElsewhere(others, candidate);
  const touching = detections.whole.boxes.filter(
    (one) => computeShareOfSmaller(one.box, box) > INSIDE_FRACTION,
  );
  return [
    logOdds(confidence),
    logOdds(score),
    Math.log(area(box) / (raster.width * raster.height) + 1e-4),
    ...DETECTOR_LABELS.map((one) => Number(one === label)),
    ...SURFACES.map((surface) => surfaces[surface]),
    computeVehicleShare(mass),
    ...findBestByLabel(both).map(logOdds),
    logOdds(findHighestScore(whole)),
    logOdds(findHighestScore(closer)),
    logOdds(findBestOfLabel(whole)),
    logOdds(findBestOfLabel(closer)),
    Number(detections.closer.some(({ region }) => intersection(region, box) > MIN_COVERAGE * area(box))),
    Math.log1p(both.filter((one) => one.score > MIN_DETECTION_SCORE).length),
    logOdds(findHighestScore(touching)),
    Math.log1p(others.filter((other) => other.confidence > MIN_OTHER_CONFIDENCE).length),
    logOdds(findHighestScore(elsewhere)),
  ];
}

/** Returns true if two boxes overlap enough or one lies mostly inside the other. */
function isSameLocation(one: Box, other: Box): boolean {
  return computeShareOfSmaller(one, other) > SAME_LOCATION_FRACTION || iou(one, other) > SAME_LOCATION_IOU;
}

function listCandidatesElsewhere(others: readonly Candidate[], { box }: Candidate): Candidate[] {
  return others.filter((other) => iou(other.box, box) < SAME_LOCATION_IOU);
}

function listClassifiedEvidence(
  candidate: Candidate,
  others: readonly Candidate[],
  elsewhere: readonly Candidate[],
  classified: ReadonlyMap<Candidate, ClassifiedCandidate>,
): number[] {
  const own = classified.get(candidate);
  const damage = (one: Candidate) => classified.get(one)?.damage ?? 0;
  const ownLogOdds = logOdds(damage(candidate));
  const atLocation = others.filter(({ box }) => isSameLocation(box, candidate.box));
  return [
    ownLogOdds,
    ownLogOdds ** 2,
    logOdds(own?.kinds[candidate.label] ?? 0),
    logOdds(Math.max(0, ...atLocation.map(damage))),
    logOdds(Math.max(0, ...elsewhere.map(damage))),
    Math.log1p(others.filter((other) => damage(other) > MIN_DAMAGE_PROBABILITY).length),
  ];
}

/** Returns the best score per class at a box's location in any pass, ordered as `DETECTOR_LABELS`. */
export function findScoresAt(box: Box, { whole, closer }: PhotoDetections): number[] {
  return findBestByLabel(listBoxesAt(box, [whole, ...closer]));
}

function findBestByLabel(boxes: readonly ScoredBox[]): number[] {
  return DETECTOR_LABELS.map((_, at) => findHighestScore(boxes.filter(({ label }) => label === at)));
}

function listBoxesAt(location: Box, passes: readonly Pass[]): ScoredBox[] {
  return passes.flatMap(({ boxes }) => boxes.filter(({ box }) => iou(box, location) > SAME_LOCATION_IOU));
}

function findHighestScore(boxes: readonly { readonly score: number }[]): number {
  return boxes.reduce((highest, { score }) => Math.max(highest, score), 0);
}

/** Computes the fraction of the box on each surface, from the parts map. */
function measureSurfaceShares(parts: PartMap, raster: Size, box: Box): Record<Surface, number> {
  const inside = sumMassInBox(parts, raster, box);
  const shares = { background: 0, glass: 0, lamp: 0, wheel: 0, bumper: 0, body: 0 };
  const all = Math.max(1e-9, sumMass(inside));
  for (const [segment, mass] of inside) shares[classifySurface(segment)] += mass / all;
  return shares;
}

function classifySurface(segment: SegmentLabel): Surface {
  if (segment === 'background' || segment === 'wheel') return segment;
  if (GLASS.has(segment)) return 'glass';
  if (LAMPS.has(segment)) return 'lamp';
  return segment.endsWith('bumper') ? 'bumper' : 'body';
}

/** Computes the log odds of a probability, finite at 0 and 1. */
function logOdds(probability: number): number {
  return Math.log((probability + 0.01) / (1.01 - probability));
}
