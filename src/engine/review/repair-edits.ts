import type { InspectionResults } from '../../contract/inspection.ts';
import type { Decision, RepairVerdict } from '../../contract/review.ts';
import type { AppliedReview } from '../../contract/review-answers.ts';
import { type Currency, toMinor } from '../../domain/money.ts';
import type { LineEdit, LineEdits } from '../../pricing/lines/edit-lines.ts';
import { priceRepair } from '../inspect/price-repair.ts';
import type { Pricer } from '../pricer.ts';

/** Converts the repair decisions to line edits, skipping those on lines that no longer exist. */
export function readRepairEdits(decisions: readonly Decision[], currency: Currency): LineEdits {
  return {
    changed: decisions.flatMap((one): LineEdit[] => {
      if (!('line_id' in one)) return [];
      const action = one.decision === 'include' ? 'accept' : 'remove';
      return [{ field: 'line_id', line: one.line_id, action }];
    }),
    added: [],
    agreed: decisions.flatMap((one) =>
      one.decision === 'price'
        ? [{ field: 'line', part: one.line, priceMinor: toMinor(one.cost, currency) }]
        : [],
    ),
    skipMissing: true,
  };
}

/** Lists the repair decisions in effect: those on repaired parts and associated operations of one vehicle. */
export function listRepairVerdicts(
  decisions: readonly Decision[],
  { damages, mixed_vehicles: isMixed, expected_operations: operations = [] }: InspectionResults,
  pricer: Pricer,
): Pick<AppliedReview, 'repair'> {
  if (isMixed || !decisions.some((one) => 'line' in one || 'line_id' in one)) return {};
  const edits = { ...readRepairEdits(decisions, pricer.currency), agreed: [] };
  const { repair_lines: computed } = priceRepair(damages, [], pricer, edits);
  const repair = decisions.flatMap((one): RepairVerdict[] => {
    if ('line_id' in one) return operations.some(({ line_id: id }) => id === one.line_id) ? [one] : [];
    if (!('line' in one)) return [];
    const row = computed.find(({ kind, part }) => kind === 'part' && part === one.line);
    return row ? [{ ...one, computed: row.cost }] : [];
  });
  return repair.length === 0 ? {} : { repair };
}
