import type { DamageType, RuleTrace, Severity } from '../../domain/damage.ts';
import { gradeClaim } from '../../domain/grading/grade-claim.ts';
import { rankSeverity, toSeverity } from '../../domain/grading/severity.ts';
import { type DamageExtent, measureExtent } from '../../domain/sight/damage-extent.ts';
import type { Place } from '../../domain/sight/join-places.ts';
import type { Cluster } from '../../domain/sight/merge-across-photos.ts';
import type { RepairEstimate } from '../../pricing/option/recommend.ts';
import type { Pricer } from '../pricer.ts';
import type { MeasuredObservation } from './observe.ts';

/** A finding merged over its photos, numbered, graded and priced. */
export interface PricedFinding {
  /** `dmg_<part>_<nnn>`, or `chk_<part>_<nnn>` for a place to check. */
  readonly id: string;
  /** Number on annotated photos and in tables; places to check continue after the damages. */
  readonly number: number;
  /** Observations, most confident first. */
  readonly cluster: Cluster<MeasuredObservation>;
  /** Further observations at the same location. */
  readonly joined: readonly MeasuredObservation[];
  readonly severity: Severity;
  /** 0 to 10, one decimal. */
  readonly severityScore: number;
  /** Rules that raised the severity. */
  readonly floors: readonly RuleTrace[];
  readonly range: RepairEstimate;
  /** Ambiguity of the part; null if at least one photo resolves it. */
  readonly uncertainty: MeasuredObservation['uncertainty'];
  /** Null if the best photo has no scale. */
  readonly extent: DamageExtent | null;
}

/** Returns extent and part ambiguity of a graded finding. */
export function describeCluster(
  cluster: PricedFinding['cluster'],
  severity: Severity,
): Pick<PricedFinding, 'uncertainty' | 'extent'> {
  const [{ type, uncertainty, extent, scale }] = cluster;
  return {
    uncertainty: cluster.every((one) => one.uncertainty) ? uncertainty : null,
    extent: scale && measureExtent(type, severity, extent, scale),
  };
}

/** Returns the further damage types at a location; only certain ones for a certain finding. */
export function listFurtherTypes({
  cluster,
  joined,
}: Pick<PricedFinding, 'cluster' | 'joined'>): DamageType[] {
  const [{ type, isCertain }] = cluster;
  const further = joined.filter((one) => one.isCertain || !isCertain).map((one) => one.type);
  return [...new Set(further)].filter((one) => one !== type);
}

/**
 * Grades, prices and numbers findings: certain ones by descending severity, then those to check by likelihood times
 * cost.
 */
export function priceFindings(
  places: readonly Place<MeasuredObservation>[],
  pricer: Pricer,
): { readonly damages: readonly PricedFinding[]; readonly toCheck: readonly PricedFinding[] } {
  const priced = places.map((place) => gradePlace(place, pricer)).sort(compareMostSevereFirst);
  const isCertain = ({ cluster: [{ isCertain: certain }] }: Graded) => certain;
  const worth = ({ cluster: [{ confidence }], range }: Graded) => confidence * range.total.est;
  const certain = priced.filter(isCertain);
  const toCheck = priced.filter((one) => !isCertain(one)).sort((a, b) => worth(b) - worth(a));
  return {
    damages: numberFindings(certain, 'dmg', 0),
    toCheck: numberFindings(toCheck, 'chk', certain.length),
  };
}

type Graded = Omit<PricedFinding, 'id' | 'number'>;

function gradePlace({ head: cluster, joined }: Place<MeasuredObservation>, pricer: Pricer): Graded {
  // Severity, size and their explanation come from the most confident view.
  const [best] = cluster;
  const { type, subtype, part, severityScore: score } = best;
  const sizeCm = best.longSideCm ?? undefined;
  const { severity, severityScore, trace } = gradeClaim({
    type,
    subtype,
    part,
    severity: toSeverity(score),
    severityScore: score,
    sizeCm,
  });
  return {
    cluster,
    joined: joined.flat(),
    severity,
    severityScore,
    floors: trace,
    range: pricer.estimate({ type, subtype, part, severity, severityScore, sizeCm }),
    ...describeCluster(cluster, severity),
  };
}

function numberFindings(
  findings: readonly Graded[],
  prefix: string,
  offset: number,
): readonly PricedFinding[] {
  const sequence = new Map<string, number>();
  return findings.map((finding, i) => {
    const { part } = finding.cluster[0];
    const ordinal = (sequence.get(part) ?? 0) + 1;
    sequence.set(part, ordinal);
    const id = `${prefix}_${part}_${String(ordinal).padStart(3, '0')}`;
    return { ...finding, id, number: offset + i + 1 };
  });
}

function compareMostSevereFirst({ cluster: a }: Graded, { cluster: b }: Graded): number {
  const [one, other] = [a[0].severityScore, b[0].severityScore];
  return (
    rankSeverity(toSeverity(other)) - rankSeverity(toSeverity(one)) ||
    other - one ||
    b[0].confidence - a[0].confidence ||
    a[0].part.localeCompare(b[0].part) ||
    a[0].photo - b[0].photo ||
    a[0].box.x - b[0].box.x
  );
}
