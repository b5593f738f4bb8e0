import { type DamageType, makeFindingId, type RuleTrace, type Severity } from '../../domain/damage.ts';
import { gradeClaim, type SeverityClaim } from '../../domain/grading/grade-claim.ts';
import { fitScore } from '../../domain/grading/severity.ts';
import { type DamageExtent, measureExtent } from '../../domain/sight/damage-extent.ts';
import type { Place } from '../../domain/sight/join-places.ts';
import type { Cluster } from '../../domain/sight/merge-across-photos.ts';
import { compareTexts } from '../../lib/names.ts';
import type { RepairEstimate } from '../../pricing/option/recommend.ts';
import type { Pricer } from '../pricer.ts';
import type { MeasuredObservation } from './observe.ts';

/** A finding merged over its photos, numbered, graded and priced. */
export interface PricedFinding {
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

/** Returns the further damage types at a location; only certain ones for a certain finding. */
export function listFurtherTypes({
  cluster,
  joined,
}: Pick<PricedFinding, 'cluster' | 'joined'>): DamageType[] {
  const [{ type, isCertain }] = cluster;
  const further = joined.filter((one) => one.isCertain || !isCertain).map((one) => one.type);
  return [...new Set(further)].filter((one) => one !== type);
}

/** Grades, prices and numbers findings: certain ones by severity, then those to check by likelihood times cost. */
export function priceFindings(
  places: readonly Place<MeasuredObservation>[],
  pricer: Pricer,
): { readonly damages: readonly PricedFinding[]; readonly toCheck: readonly PricedFinding[] } {
  const priced = places
    .map(({ head, joined }) => gradeFinding(head, joined.flat(), pricer))
    .sort(compareMostSevereFirst);
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

/**
 * Grades and prices a finding by its most confident view.
 * @param stated a reviewer's severity, which replaces that of the rules
 */
export function gradeFinding(
  cluster: PricedFinding['cluster'],
  joined: readonly MeasuredObservation[],
  pricer: Pricer,
  stated?: Severity,
): Graded {
  const [{ type, subtype, part, severityScore: byRule, longSideCm, uncertainty, extent, scale }] = cluster;
  const claim = { type, subtype, part, sizeCm: longSideCm ?? undefined };
  const { trace: floors, ...graded } = gradeStated({ ...claim, severityScore: byRule }, stated);
  return {
    cluster,
    joined,
    ...graded,
    floors,
    range: pricer.estimate({ ...claim, ...graded }),
    uncertainty: cluster.every((one) => one.uncertainty) ? uncertainty : null,
    extent: scale && measureExtent(type, graded.severity, extent, scale),
  };
}

/** Grades a damage as a reviewer states, else by its score and the severity floors. */
export const gradeStated = (
  claim: SeverityClaim & { readonly severityScore: number },
  stated?: Severity,
): ReturnType<typeof gradeClaim> =>
  stated === undefined
    ? gradeClaim(claim)
    : { severity: stated, severityScore: fitScore(stated, claim.severityScore), trace: [] };

function numberFindings(
  findings: readonly Graded[],
  kind: 'dmg' | 'chk',
  offset: number,
): readonly PricedFinding[] {
  const sequence = new Map<string, number>();
  return findings.map((finding, i) => {
    const { part } = finding.cluster[0];
    const ordinal = (sequence.get(part) ?? 0) + 1;
    sequence.set(part, ordinal);
    return { ...finding, id: makeFindingId(kind, part, ordinal), number: offset + i + 1 };
  });
}

function compareMostSevereFirst(one: Graded, other: Graded): number {
  const [a, b] = [one.cluster, other.cluster];
  return (
    other.severityScore - one.severityScore ||
    b[0].confidence - a[0].confidence ||
    compareTexts(a[0].part, b[0].part) ||
    a[0].photo - b[0].photo ||
    a[0].box.x - b[0].box.x
  );
}
