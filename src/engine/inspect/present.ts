import type { Damage, Evidence, InspectionResults, Measurements } from '../../contract/inspection.ts';
import { DAMAGE_TYPES, type RuleTrace, SEVERITIES, type Severity } from '../../domain/damage.ts';
import { clampToPixels, type Size } from '../../domain/geometry.ts';
import { conditionOf, conditionScore, partCondition } from '../../domain/judge/condition.ts';
import { hiddenRisks } from '../../domain/judge/hidden-risks.ts';
import { rankOf, severityOf } from '../../domain/judge/severity.ts';
import { toMajor } from '../../domain/money.ts';
import { sideOf } from '../../domain/parts.ts';
import { oneDecimal, sizeOf } from '../../domain/sight/measure.ts';
import type { Cluster } from '../../domain/sight/merge.ts';
import type { Pricer, RepairRange } from '../ports.ts';
import type { MeasuredObservation } from './observe.ts';

/** A photo as far as the wire form of a damage needs it. */
export interface PresentedPhoto {
  readonly url: string;
  readonly size: Size;
}

/** The damages of the vehicle in their wire form: gravest first, numbered, priced. */
export function presentDamages(
  clusters: readonly Cluster[],
  photos: readonly PresentedPhoto[],
  pricer: Pricer,
  detailed: boolean,
): Damage[] {
  const sequence = new Map<string, number>();
  return [...clusters].sort(gravestFirst).map((cluster, i) => {
    const best = cluster[0] as MeasuredObservation;
    const severityScore = Math.max(...cluster.map((one) => one.severityScore));
    const severity = severityOf(severityScore);
    const turn = (sequence.get(best.part) ?? 0) + 1;
    sequence.set(best.part, turn);
    const range = pricer.estimate({
      type: best.type,
      subtype: best.subtype,
      part: best.part,
      severity,
      severityScore,
      sizeCm: best.longSideCm,
    });
    const evidence = cluster.map((one) => evidenceOf(one as MeasuredObservation, photos));
    const [first] = evidence;
    if (!first) throw new Error('a damage without evidence');
    return {
      damage_id: `dmg_${best.part}_${String(turn).padStart(3, '0')}`,
      number: i + 1,
      type: best.type,
      ...(best.subtype ? { subtype: best.subtype } : {}),
      ...(cluster.every((one) => one.partUncertain) ? { detail: PART_UNCERTAIN } : {}),
      severity,
      severity_score: severityScore,
      location: { part: best.part, side: sideOf(best.part), coordinates: first.coordinates },
      ...(detailed ? measured(best, severity) : {}),
      confidence: first.confidence,
      image_url: first.image_url,
      annotated_url: null,
      estimated_repair: repairOf(range),
      evidence,
      explain: [...best.explain, ...range.explain].map(traceOf),
    };
  });
}

/** Wire form of what a repair costs, in major units of its currency. */
export function repairOf(range: RepairRange): Damage['estimated_repair'] {
  return {
    min: toMajor(range.minMinor, range.currency),
    max: toMajor(range.maxMinor, range.currency),
    estimated: toMajor(range.estimatedMinor, range.currency),
    currency: range.currency,
    repair_type: range.repairType,
  };
}

const PART_UNCERTAIN = 'part uncertain: a close-up that shows too little around the damage';

function gravestFirst(a: Cluster, b: Cluster): number {
  const score = (cluster: Cluster) => Math.max(...cluster.map((one) => one.severityScore));
  return (
    rankOf(severityOf(score(b))) - rankOf(severityOf(score(a))) ||
    score(b) - score(a) ||
    b[0].confidence - a[0].confidence ||
    a[0].part.localeCompare(b[0].part) ||
    a[0].photo - b[0].photo ||
    a[0].box.x - b[0].box.x
  );
}

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
    return { measurements_absent: 'No part of known size is whole in the photo, so it has no scale.' };
  }
  const { lengthCm, widthCm, longSideCm } = sizeOf(one.box, one.scale);
  const common = {
    unit: 'cm',
    method: `scale from ${one.scale.reference}`,
    uncertainty_cm: oneDecimal(longSideCm * one.scale.relativeError),
  } as const;
  if (one.type === 'scratch') {
    const depth = SCRATCH_DEPTH_CM[severity];
    return { measurements: { length: lengthCm, width: widthCm, depth, ...common, depth_is_estimate: true } };
  }
  if (one.type === 'dent') {
    const depth = oneDecimal(Math.max(0.1, longSideCm * DENT_DEPTH_SHARE));
    return { measurements: { diameter: longSideCm, depth, ...common, depth_is_estimate: true } };
  }
  return { measurements: { length: longSideCm, width: widthCm, ...common } };
}

/** Overall condition, counts and sums of the damages, as the contract adds them up. */
export function presentResults(
  damages: Damage[],
  context: {
    readonly coverage: number;
    readonly currency: string;
    readonly hiddenDamage: boolean;
    readonly notAssessed: InspectionResults['not_assessed'];
    readonly dropped: InspectionResults['dropped_detections'];
  },
): InspectionResults {
  const score = conditionScore(damages.map((damage) => damage.severity_score));
  const parts = [...new Set(damages.map((damage) => damage.location.part))];
  return {
    overall_condition: conditionOf(score),
    condition_score: score,
    confidence: overallConfidence(damages, context.coverage),
    damages,
    damage_summary: {
      total_damages: damages.length,
      by_severity: countBy(SEVERITIES, (severity) => damages.filter((d) => d.severity === severity).length),
      by_type: countBy(DAMAGE_TYPES, (type) => damages.filter((d) => d.type === type).length),
      total_estimated_repair: {
        min: sum(damages.map((d) => d.estimated_repair.min)),
        max: sum(damages.map((d) => d.estimated_repair.max)),
        currency: context.currency,
      },
    },
    parts_affected: parts.map((part) => {
      const here = damages.filter((damage) => damage.location.part === part);
      return { part, condition: partCondition(here.map((d) => d.severity)), damage_count: here.length };
    }),
    not_assessed: context.notAssessed,
    dropped_detections: context.dropped,
    ...(context.hiddenDamage
      ? {
          hidden_damage_risks: hiddenRisks(
            damages.map((d) => ({ part: d.location.part, severityScore: d.severity_score })),
          ),
        }
      : {}),
  };
}

/** Confidence of a finding "nothing here" on a fully photographed car: what a clean photo is worth. Assumed. */
const CLEAN_CONFIDENCE = 0.85;

/**
 * How sure the whole statement is, 0 to 1: the mean of the findings' confidences (or that of a clean bill), lowered
 * for each of the four sides that nobody photographed.
 */
function overallConfidence(damages: readonly Damage[], coverage: number): number {
  const findings = damages.length
    ? damages.reduce((all, damage) => all + damage.confidence, 0) / damages.length
    : CLEAN_CONFIDENCE;
  return twoDecimals(findings * (0.5 + 0.5 * coverage));
}

function countBy<K extends string>(keys: readonly K[], count: (key: K) => number): Record<K, number> {
  return Object.fromEntries(keys.map((key) => [key, count(key)])) as Record<K, number>;
}

/** Sum of amounts that each have at most two decimals, without binary dust. */
function sum(amounts: readonly number[]): number {
  return amounts.reduce((all, amount) => all + Math.round(amount * 100), 0) / 100;
}

function twoDecimals(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Wire form of a rule that had a say. */
export function traceOf(trace: RuleTrace) {
  return { rule: trace.rule, inputs: { ...trace.inputs } };
}
