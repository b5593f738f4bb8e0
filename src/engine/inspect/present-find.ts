import type { Damage, Evidence, Measurements, ToCheck } from '../../contract/inspection.ts';
import type { RuleTrace, Severity } from '../../domain/damage.ts';
import { clampToPixels, type Size } from '../../domain/geometry.ts';
import { toMajor } from '../../domain/money.ts';
import { type PartName, sideOf } from '../../domain/parts.ts';
import { oneDecimal, sizeOf } from '../../domain/sight/measure.ts';
import type { RepairRange } from '../ports.ts';
import { wordsForParts } from './grounds-words.ts';
import type { MeasuredObservation } from './observe.ts';
import type { PricedFind } from './price-finds.ts';

/** A photo as far as the wire form of a damage needs it. */
interface PresentedPhoto {
  readonly url: string;
  readonly size: Size;
}

/**
 * Returns a priced find in its wire form: a damage, or a place to check. `continuesOn`: panels over which the same
 * scratch goes on.
 */
export function presentFind(
  find: PricedFind,
  photos: readonly PresentedPhoto[],
  detailed: boolean,
  continuesOn: readonly PartName[] = [],
): Damage & ToCheck {
  const { cluster, severity, severityScore, range } = find;
  const best = cluster[0] as MeasuredObservation;
  const evidence = cluster.map((one) => evidenceOf(one as MeasuredObservation, photos));
  const [first] = evidence;
  if (!first) throw new Error('a damage without evidence');
  const doubt = cluster.every((one) => one.doubt) ? best.doubt : null;
  const remarks = [
    ...(doubt ? [DOUBT_WORDS[doubt]] : []),
    ...(continuesOn.length > 0 ? [`one scratch: it goes on over ${wordsForParts(continuesOn)}`] : []),
  ];
  return {
    damage_id: find.id,
    number: find.number,
    type: best.type,
    ...(best.subtype ? { subtype: best.subtype } : {}),
    ...(remarks.length > 0 ? { detail: remarks.join('; ') } : {}),
    severity,
    severity_score: severityScore,
    location: {
      part: best.part,
      side: doubt === 'end' || doubt === 'side' ? 'unknown' : sideOf(best.part),
      coordinates: first.coordinates,
      ...(doubt ? { uncertain: doubt } : {}),
      ...(continuesOn.length > 0 ? { continues_on: [...continuesOn] } : {}),
    },
    ...(detailed ? measured(best, severity) : {}),
    confidence: first.confidence,
    image_url: first.image_url,
    annotated_url: null,
    estimated_repair: repairOf(range),
    evidence,
    explain: [...best.explain, ...find.floors, ...range.explain].map(traceOf),
  };
}

/** Returns in wire form what a repair costs, in major units of its currency. */
export function repairOf(range: RepairRange): Damage['estimated_repair'] {
  return {
    min: toMajor(range.minMinor, range.currency),
    max: toMajor(range.maxMinor, range.currency),
    estimated: toMajor(range.estimatedMinor, range.currency),
    currency: range.currency,
    repair_type: range.repairType,
  };
}

const DOUBT_WORDS = {
  part: 'part uncertain: a close-up that shows too little around the damage',
  end: 'part uncertain: the close-up could be of the front or the rear',
  side: 'side uncertain: the close-up could be of the left or the right',
} as const;

function evidenceOf(one: MeasuredObservation, photos: readonly PresentedPhoto[]): Evidence {
  const photo = photos[one.photo];
  if (!photo) throw new Error(`no photo ${one.photo}`);
  return {
    image_index: one.photo,
    image_url: photo.url,
    coordinates: {
      ...clampToPixels(one.box, photo.size),
      image_width: photo.size.width,
      image_height: photo.size.height,
    },
    confidence: twoDecimals(one.confidence),
  };
}

/** Depth cannot be seen in one photo: these are typical depths by tier (scratch) or a share of the diameter (dent). */
const SCRATCH_DEPTH_CM = {
  minor: 0.01,
  moderate: 0.02,
  severe: 0.05,
  critical: 0.1,
} as const satisfies Record<Severity, number>;
const DENT_DEPTH_SHARE = 0.06;

function measured(
  one: MeasuredObservation,
  severity: Severity,
): { measurements: Measurements } | { measurements_absent: string } {
  if (!one.scale) {
    return {
      measurements_absent: 'Fewer than two parts of known size are whole in the photo, so it has no scale.',
    };
  }
  const { longSideCm, shortSideCm } = sizeOf(one.extent, one.scale);
  const common = {
    unit: 'cm',
    method: `scale from the parts in the photo, ${one.scale.reference} first`,
    uncertainty_cm: oneDecimal(longSideCm * one.scale.relativeError),
  } as const;
  if (one.type === 'scratch') {
    const depth = SCRATCH_DEPTH_CM[severity];
    return {
      measurements: { length: longSideCm, width: shortSideCm, depth, ...common, depth_is_estimate: true },
    };
  }
  if (one.type === 'dent') {
    const depth = oneDecimal(Math.max(0.1, longSideCm * DENT_DEPTH_SHARE));
    return { measurements: { diameter: longSideCm, depth, ...common, depth_is_estimate: true } };
  }
  return { measurements: { length: longSideCm, width: shortSideCm, ...common } };
}

/** Returns the wire form of a rule that was applied. */
export function traceOf(trace: RuleTrace) {
  return { rule: trace.rule, inputs: { ...trace.inputs } };
}

function twoDecimals(value: number): number {
  return Math.round(value * 100) / 100;
}
