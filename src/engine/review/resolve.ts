import type { Damage, InspectionEnvelope } from '../../contract/inspection.ts';
import type { Add, Decision } from '../../contract/review.ts';
import { isPlaceToCheckId, makeFindingId } from '../../domain/damage.ts';
import { makeAddedDamage, type ResolveDeps } from './add.ts';
import { applyChange } from './change.ts';
import { correctsFinding, readReviewable } from './decisions.ts';
import { mergeDamages } from './merge.ts';

/** The decision on a finding. */
type Verdict = Extract<Decision, { readonly damage_id: string }>;

/** The findings of a result after the decisions on them. */
export interface ResolvedFindings {
  /** Damages and places to check as found. */
  readonly found: readonly Damage[];
  /** Damages keyed by their id as found; new ones by their own id. */
  readonly damages: ReadonlyMap<string, Damage>;
  /** Damages drawn by the reviewer, before any merge. */
  readonly added: ReadonlyMap<Add, Damage>;
  /** Places that are still to check. */
  readonly toCheck: readonly Damage[];
  /** Ids of the damages on which the reviewer decided. */
  readonly decided: ReadonlySet<string>;
  /** Follows the merges of a finding to the id of the final one; without merges, returns the id itself. */
  readonly findTarget: (id: string) => string;
}

/**
 * Applies the decisions on findings: corrects, merges and adds damages. Ids and numbers stay the same, but an accepted
 * place to check gets a damage id.
 * @throws VehiError input NOT_PRICEABLE, PART_NEEDED
 */
export function resolveFindings(
  data: InspectionEnvelope['data'],
  decisions: readonly Decision[],
  deps: ResolveDeps,
): ResolvedFindings {
  const { findings: found, results } = readReviewable({ data });
  const verdicts = new Map(decisions.flatMap((one) => ('damage_id' in one ? [[one.damage_id, one]] : [])));
  const findTarget = (id: string): string => {
    const verdict = verdicts.get(id);
    return verdict?.decision === 'merge' ? findTarget(verdict.into) : id;
  };
  const correct = (finding: Damage): Damage => {
    const verdict = verdicts.get(finding.damage_id);
    if (!verdict || verdict.decision === 'accept' || !correctsFinding(verdict)) return finding;
    return applyChange(finding, verdict, deps.pricer);
  };
  const assignId = createIdAssigner(found);
  const kept = found
    .filter((finding) => isKept(finding, verdicts.get(finding.damage_id)))
    .map((finding) => {
      const { damage_id: id, number } = finding;
      const corrected = correct(finding);
      if (!isPlaceToCheckId(id)) return { id, corrected };
      const explain = [...corrected.explain, { rule: 'review.confirmed', inputs: { found_as: id } }];
      return { id, corrected: assignId({ ...corrected, explain }, number) };
    });
  const added = new Map(
    decisions.flatMap((one) => {
      if (one.decision !== 'add') return [];
      const damage = makeAddedDamage(one, data, deps);
      return [[one, one.into === undefined ? assignId(damage) : damage]];
    }),
  );
  const listMerged = (id: string): readonly Damage[] => [
    ...found.filter(({ damage_id: own }) => own !== id && findTarget(own) === id).map(correct),
    ...[...added].flatMap(([{ into }, drawn]) =>
      into !== undefined && findTarget(into) === id ? [drawn] : [],
    ),
  ];
  const merged = kept.map(({ id, corrected }) => {
    const verdict = verdicts.get(id);
    const correction = verdict?.decision === 'change' ? verdict : {};
    return [id, mergeDamages(corrected, listMerged(id), correction, deps.pricer)] as const;
  });
  const drawn = [...added].flatMap(([{ into }, one]) => (into === undefined ? [one] : []));
  return {
    found,
    damages: new Map([...merged, ...drawn.map((one) => [one.damage_id, one] as const)]),
    added,
    toCheck: results.to_check.filter((one) => !verdicts.has(one.damage_id)),
    decided: new Set([
      ...merged.flatMap(([id, one]) => (verdicts.has(id) ? [one.damage_id] : [])),
      ...drawn.map((one) => one.damage_id),
    ]),
    findTarget,
  };
}

/** Returns whether a finding becomes a damage; a place to check does so only by a decision. */
function isKept({ damage_id: id }: Damage, verdict: Verdict | undefined): boolean {
  if (verdict === undefined) return !isPlaceToCheckId(id);
  return verdict.decision === 'accept' || verdict.decision === 'change';
}

/** Assigns the next free id to new damages, and a number to those without one; numbers on photos stay unique. */
function createIdAssigner(found: readonly Damage[]) {
  const ids = new Set(found.map((one) => one.damage_id));
  let last = Math.max(0, ...found.map((one) => one.number));
  return (damage: Damage, number = ++last): Damage => {
    const id = (ordinal: number) => makeFindingId('dmg', damage.location.part, ordinal);
    let ordinal = 1;
    while (ids.has(id(ordinal))) ordinal++;
    ids.add(id(ordinal));
    return { ...damage, damage_id: id(ordinal), number };
  };
}
