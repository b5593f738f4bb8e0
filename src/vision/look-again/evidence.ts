import { area, type Box, iou, type Size } from '../../domain/geometry.ts';
import {
  DETECTOR_LABELS,
  type DetectorLabel,
  type PartMap,
  type SegmentLabel,
} from '../../domain/sight/detection.ts';
import { massInBox, massOf, totalOf, vehicleShare } from '../../domain/sight/part-map.ts';
import { GLASS, LAMPS } from '../../domain/sight/segments.ts';
import type { ScoredBox } from '../boxes/nms.ts';

/** A find of the first look; `box` in pixels of the raster. */
export interface Candidate {
  readonly label: DetectorLabel;
  readonly box: Box;
  /** Calibrated confidence of the first look. */
  readonly confidence: number;
}

/** What one zoom showed at a candidate's place: the best score of its own class and of any class, 0 without any. */
export interface Again {
  readonly own: number;
  readonly any: number;
}

/** What a candidate may lie on. */
const GROUNDS = ['background', 'glass', 'lamp', 'wheel', 'bumper', 'body'] as const;
export type Ground = (typeof GROUNDS)[number];

/** Names of the numbers a candidate is judged by, in the order of `evidenceOf`. */
export const EVIDENCE = [
  'confidence',
  'own_mean',
  'own_near',
  'own_middle',
  'own_far',
  'own_least',
  'any_mean',
  'any_best',
  'area',
  ...DETECTOR_LABELS.map((label) => `is_${label}` as const),
  ...GROUNDS.map((ground) => `on_${ground}` as const),
  'vehicle_share',
] as const;

/** Boxes of a second look that overlap the candidate's place by at least this much are about it. */
const SAME_PLACE = 0.3;

/** What `boxes` (of one cut, in the frame of `place`) say about the candidate there. */
export function seenAt(place: Box, label: number, boxes: readonly ScoredBox[]): Again {
  const here = boxes.filter(({ box }) => iou(box, place) > SAME_PLACE);
  const best = (found: readonly ScoredBox[]) => Math.max(0, ...found.map(({ score }) => score));
  return { own: best(here.filter((one) => one.label === label)), any: best(here) };
}

/** The mean of two looks at one cut: straight and mirrored. */
export function meanOf(looks: readonly Again[]): Again {
  const mean = (value: (one: Again) => number) =>
    looks.reduce((sum, one) => sum + value(one), 0) / looks.length;
  return { own: mean(({ own }) => own), any: mean(({ any }) => any) };
}

/** The numbers of `EVIDENCE` for a candidate. `near`, `middle`, `far`: what the zooms showed, nearest first. */
export function evidenceOf(
  { label, box, confidence }: Candidate,
  [near, middle, far]: readonly [Again, Again, Again],
  parts: PartMap,
  raster: Size,
): number[] {
  const mean = meanOf([near, middle, far]);
  const grounds = groundShares(parts, raster, box);
  return [
    logOdds(confidence),
    logOdds(mean.own),
    logOdds(near.own),
    logOdds(middle.own),
    logOdds(far.own),
    logOdds(Math.min(near.own, middle.own, far.own)),
    logOdds(mean.any),
    logOdds(Math.max(near.any, middle.any, far.any)),
    Math.log(area(box) / (raster.width * raster.height) + 1e-4),
    ...DETECTOR_LABELS.map((one) => Number(one === label)),
    ...GROUNDS.map((ground) => grounds[ground]),
    vehicleShare(massOf(parts)),
  ];
}

/** Share of the box that lies on each kind of ground, by the parts map. */
function groundShares(parts: PartMap, raster: Size, box: Box): Record<Ground, number> {
  const inside = massInBox(parts, raster, box);
  const shares = { background: 0, glass: 0, lamp: 0, wheel: 0, bumper: 0, body: 0 };
  const all = Math.max(1e-9, totalOf(inside));
  for (const [segment, mass] of inside) shares[groundOf(segment)] += mass / all;
  return shares;
}

function groundOf(segment: SegmentLabel): Ground {
  if (segment === 'background' || segment === 'wheel') return segment;
  if (GLASS.has(segment)) return 'glass';
  if (LAMPS.has(segment)) return 'lamp';
  return segment.endsWith('bumper') ? 'bumper' : 'body';
}

/** Log odds of a probability, kept finite at 0 and 1. */
function logOdds(probability: number): number {
  return Math.log((probability + 0.01) / (1.01 - probability));
}
