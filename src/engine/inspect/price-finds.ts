import type { RuleTrace, Severity } from '../../domain/damage.ts';
import { type DamageExtent, measureExtent } from '../../domain/judge/damage-extent.ts';
import { rankSeverity, toSeverity } from '../../domain/judge/severity.ts';
import { gradeClaim } from '../../domain/judge/severity-floor.ts';
import type { Cluster } from '../../domain/sight/merge.ts';
import type { Pricer, RepairRange } from '../ports.ts';
import type { MeasuredObservation } from './observe.ts';

/** A find over all its photos, numbered, graded and priced. */
export interface PricedFind {
  /** `dmg_<part>_<nnn>`, or `chk_<part>_<nnn>` for one to check. */
  readonly id: string;
  /** On annotated photos and in tables; those to check go on after the damages. */
  readonly number: number;
  /** The surest observation first. */
  readonly cluster: Cluster<MeasuredObservation>;
  readonly severity: Severity;
  /** 0 to 10, one decimal. */
  readonly severityScore: number;
  /** Rules that raised the severity. */
  readonly floors: readonly RuleTrace[];
  readonly range: RepairRange;
  /** What remains open about the part in every photo; null where one photo settles it. */
  readonly doubt: MeasuredObservation['doubt'];
  /** Null where the best photo has no scale. */
  readonly extent: DamageExtent | null;
}

/** Returns a graded and priced find with its extent and what remains open about its part. */
export function describeFind(find: Omit<PricedFind, 'doubt' | 'extent'>): PricedFind {
  const { cluster, severity } = find;
  const [{ type, doubt, extent, scale }] = cluster;
  return {
    ...find,
    doubt: cluster.every((one) => one.doubt) ? doubt : null,
    extent: scale && measureExtent(type, severity, extent, scale),
  };
}

/** Numbers, grades and prices finds, most severe first: the certain ones and, after them, those to check. */
export function priceFinds(
  certain: readonly Cluster<MeasuredObservation>[],
  toCheck: readonly Cluster<MeasuredObservation>[],
  pricer: Pricer,
): { readonly damages: readonly PricedFind[]; readonly toCheck: readonly PricedFind[] } {
  const price = (clusters: readonly Cluster<MeasuredObservation>[], prefix: string, offset: number) => {
    const sequence = new Map<string, number>();
    return [...clusters].sort(compareMostSevereFirst).map((cluster, i): PricedFind => {
      const [best] = cluster;
      const score = readScore(cluster);
      const { severity, severityScore, trace } = gradeClaim({
        type: best.type,
        subtype: best.subtype,
        part: best.part,
        severity: toSeverity(score),
        severityScore: score,
        sizeCm: best.longSideCm ?? undefined,
      });
      const turn = (sequence.get(best.part) ?? 0) + 1;
      sequence.set(best.part, turn);
      return describeFind({
        id: `${prefix}_${best.part}_${String(turn).padStart(3, '0')}`,
        number: offset + i + 1,
        cluster,
        severity,
        severityScore,
        floors: trace,
        range: pricer.estimate({
          type: best.type,
          subtype: best.subtype,
          part: best.part,
          severity,
          severityScore,
          sizeCm: best.longSideCm ?? undefined,
        }),
      });
    });
  };
  return { damages: price(certain, 'dmg', 0), toCheck: price(toCheck, 'chk', certain.length) };
}

function readScore(cluster: Cluster): number {
  return Math.max(...cluster.map((one) => one.severityScore));
}

function compareMostSevereFirst(a: Cluster, b: Cluster): number {
  return (
    rankSeverity(toSeverity(readScore(b))) - rankSeverity(toSeverity(readScore(a))) ||
    readScore(b) - readScore(a) ||
    b[0].confidence - a[0].confidence ||
    a[0].part.localeCompare(b[0].part) ||
    a[0].photo - b[0].photo ||
    a[0].box.x - b[0].box.x
  );
}
