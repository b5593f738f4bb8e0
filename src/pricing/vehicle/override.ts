import type { DamageType, RuleTrace, Severity } from '../../domain/damage.ts';
import { gradeClaim, type SeverityClaim } from '../../domain/grading/grade-claim.ts';
import { fitScore, MIDDLE_SCORE, toSeverity } from '../../domain/grading/severity.ts';
import { makeFieldError } from '../../lib/errors.ts';
import { defined } from '../../lib/objects.ts';
import type { PricingDamage } from '../option/damage.ts';
import type { PanelRepair } from '../option/panel-repair.ts';
import { priceOptions } from '../option/recommend.ts';
import { findTarget } from '../option/target.ts';
import type { PricingContext } from '../pricing-context.ts';
import type { PanelDamage } from './decide-panels.ts';

/** An adjuster's override of one damage; `field` is its location in the request, for errors. */
export interface DamageOverride {
  readonly field: string;
  readonly type?: DamageType | undefined;
  readonly subtype?: string | undefined;
  readonly severity?: Severity | undefined;
  readonly option?: string | undefined;
  readonly reason?: string | undefined;
}

/** A submitted damage, with an adjuster's override if there is one. */
export interface ClaimedDamage extends SeverityClaim {
  readonly id: string;
  /** Number of similar dents. */
  readonly count?: number | undefined;
  readonly override?: DamageOverride | undefined;
}

/** A value changed by an adjuster. */
export interface OverrideChange {
  readonly field: 'type' | 'severity' | 'option';
  readonly computed: string;
  readonly value: string;
  readonly reason?: string;
}

/** A graded damage with its target and the adjuster's changes. */
export interface GradedDamage extends PanelDamage {
  readonly claim: ClaimedDamage;
  /** Submitted severity if the rules raised it. */
  readonly severityGiven: Severity | undefined;
  readonly changes: readonly OverrideChange[];
  readonly trace: readonly RuleTrace[];
}

/** Grades one damage of an assessment, applying an adjuster's override if given. */
export function gradeClaimedDamage(claim: ClaimedDamage, ctx: PricingContext): GradedDamage {
  const { override } = claim;
  const changes: OverrideChange[] = [];
  const given = defined({ reason: override?.reason });
  let revised = claim;
  if (override?.type !== undefined) {
    const { type, subtype } = override;
    changes.push({ field: 'type', computed: claim.subtype ?? claim.type, value: subtype ?? type, ...given });
    revised = { ...claim, type, subtype };
  }
  const graded = gradeClaim(revised);
  let { severity, severityScore } = graded;
  if (override?.severity !== undefined) {
    changes.push({ field: 'severity', computed: severity, value: override.severity, ...given });
    severity = override.severity;
    // As in a review, a score is moved to the closest of the tier; a claim in words alone takes its middle.
    if (claim.severityScore !== undefined) severityScore = fitScore(severity, claim.severityScore);
    else if (toSeverity(severityScore) !== severity) severityScore = MIDDLE_SCORE[severity];
  }
  const { type, subtype, part, sizeCm, count } = revised;
  const damage: PricingDamage = { type, subtype, part, severity, severityScore, sizeCm, count };
  return {
    id: claim.id,
    claim,
    severityGiven: claim.severity === graded.severity ? undefined : claim.severity,
    damage,
    target: findTarget(damage, ctx),
    ...defined({ preferredOption: override?.option }),
    changes,
    trace: graded.trace,
  };
}

/**
 * Returns the change made by naming a panel's repair option.
 * @throws VehiError INVALID_REQUEST if the panel does not have the option.
 */
export function describeOptionChange(
  { field, reason }: DamageOverride,
  option: string,
  { damages, target, options }: PanelRepair,
  ctx: PricingContext,
): OverrideChange {
  const known = options.options.map((one) => one.plan.option);
  if (!known.includes(option))
    throw makeFieldError(
      `${field}.option`,
      `${field}.option is "${option}", which is not an option of this damage.`,
      `One of ${known.join(', ')}.`,
    );
  const computed = priceOptions(damages, target, ctx).recommended.plan.option;
  return { field: 'option', computed, value: option, ...defined({ reason }) };
}
