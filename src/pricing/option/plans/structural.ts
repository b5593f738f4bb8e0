import type { PricingContext } from '../../pricing-context.ts';
import { isShapeDamage, type PricingDamage } from '../damage.ts';
import { countTenths } from '../refinish.ts';
import type { Line, Plan } from '../repair-plan.ts';
import type { Target } from '../target.ts';
import { type Job, makeLine } from './make-plan.ts';
import { planNewPart } from './new-part.ts';

/** Returns true for frame damage or a welded panel bent to the structural threshold; a bolted part is never pulled. */
export function needsStructure(damage: PricingDamage, target: Target, ctx: PricingContext): boolean {
  if (damage.subtype === 'frame_damage') return true;
  const { from_score } = ctx.tables.operations.structural;
  return isShapeDamage(damage) && target.facts.welded && damage.severityScore >= from_score;
}

/** Returns true if any damage requires structural work, which rules out plain sectioning or replacement. */
export const needsStructuralWork = ({ damages, target, ctx }: Job) =>
  damages.some((damage) => needsStructure(damage, target, ctx));

/** Lists the structural plans: set up, measure, pull and fit a new panel; empty unless the structure is affected. */
export function listStructuralPlans(job: Job): Plan[] {
  if (!needsStructuralWork(job)) return [];
  const { target, ctx, worstScore } = job;
  const { setup_hours, pull_hours, pull_per_point_squared, pull_above_score } =
    ctx.tables.operations.structural;
  const pull = pull_hours + pull_per_point_squared * Math.max(0, worstScore - pull_above_score) ** 2;
  const line = (operation: 'Setup' | 'Pull', hours: number, note: string): Line =>
    makeLine(target, { operation, department: 'structural', hoursTenths: countTenths(hours), note });
  return planNewPart(job, { method: 'structural_repair' }).map((panel) => ({
    ...panel,
    repairType: 'structural',
    role: 'repair',
    lines: [
      { ...line('Setup', setup_hours, 'set up on the bench and measure'), basis: 'table' },
      line('Pull', pull, `${pull_hours} + ${pull_per_point_squared} x (score - ${pull_above_score})²`),
      ...panel.lines,
    ],
    trace: [{ rule: 'option.structural_repair', inputs: { part: target.name, highest_score: worstScore } }],
  }));
}
