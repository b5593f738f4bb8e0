import type { InspectionResults } from '../../contract/inspection.ts';
import type { Decision, RepairVerdict } from '../../contract/review.ts';
import type { Review } from '../../contract/review-answers.ts';
import { presentRepairs, type RepairDecisions } from '../inspect/repair-cost.ts';
import type { Pricer } from '../pricer.ts';

/** Extracts the decisions on the repair as one job. */
export function readRepairDecisions(decisions: readonly Decision[]): RepairDecisions {
  const pick = (verdict: 'include' | 'exclude') =>
    decisions.flatMap((one) => (one.decision === verdict ? [one.line_id] : []));
  return {
    accepted: pick('include'),
    refused: pick('exclude'),
    prices: decisions.flatMap((one) =>
      one.decision === 'price' ? [{ part: one.line, cost: one.cost }] : [],
    ),
  };
}

/** Lists the repair decisions in effect: those on repaired parts and on associated operations. */
export function listRepairVerdicts(
  decisions: readonly Decision[],
  { damages, expected_operations: operations = [] }: InspectionResults,
  pricer: Pricer,
): Pick<Review, 'repair'> {
  if (!decisions.some((one) => 'line' in one || 'line_id' in one)) return {};
  const { repair_lines: computed } = presentRepairs(damages, [], pricer, {
    ...readRepairDecisions(decisions),
    prices: [],
  });
  const repair = decisions.flatMap((one): RepairVerdict[] => {
    if ('line_id' in one) return operations.some(({ line_id: id }) => id === one.line_id) ? [one] : [];
    if (!('line' in one)) return [];
    const row = computed.find(({ kind, part }) => kind === 'part' && part === one.line);
    return row ? [{ ...one, computed: row.cost }] : [];
  });
  return repair.length === 0 ? {} : { repair };
}
