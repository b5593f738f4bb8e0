import { roundTo } from '../../../lib/numbers.ts';
import { isShapeDamage, type PricingDamage } from '../damage.ts';
import type { Line, Plan } from '../repair-plan.ts';
import { countTenths } from '../repair-time.ts';
import { type Job, makeLine } from './make-plan.ts';
import { planNewPart } from './new-part.ts';

/** Returns true for frame damage of any part, and for a welded panel bent to the structural threshold. */
function isStructural(damage: PricingDamage, { target, ctx }: Job): boolean {
  if (damage.subtype === 'frame_damage') return true;
  const { from_score } = ctx.tables.operations.structural;
  return isShapeDamage(damage) && target.facts.welded && damage.severityScore >= from_score;
}

/** Lists the structural plans: set up, measure, pull and fit a new panel; empty unless the structure is affected. */
export function listStructuralPlans(job: Job): Plan[] {
  const affected = job.damages.filter((damage) => isStructural(damage, job));
  if (affected.length === 0) return [];
  const { target, ctx } = job;
  const highestScore = Math.max(...affected.map(({ severityScore }) => severityScore));
  const { setup_hours, pull_hours, pull_per_point_squared, pull_above_score } =
    ctx.tables.operations.structural;
  const points = Math.max(0, highestScore - pull_above_score);
  const pull = pull_hours + pull_per_point_squared * points ** 2;
  const formula = `${pull_hours} + ${pull_per_point_squared} x ${roundTo(points, 2)}²`;
  const line = (operation: 'Setup' | 'Pull', hours: number, note: string): Line =>
    makeLine(target, { operation, department: 'structural', hoursTenths: countTenths(hours), note });
  return planNewPart(job, { method: 'structural_repair' }).map((panel) => ({
    ...panel,
    repairType: 'structural',
    role: 'repair',
    lines: [
      { ...line('Setup', setup_hours, 'set up on the bench and measure'), basis: 'table' },
      line('Pull', pull, `${formula} (points above ${pull_above_score})`),
      ...panel.lines,
    ],
    trace: [{ rule: 'option.structural_repair', inputs: { part: target.name, highest_score: highestScore } }],
  }));
}
