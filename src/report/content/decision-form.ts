import type { Result } from '../../contract/result.ts';
import { isMixed } from '../words.ts';
import type { Form, Section } from './blocks.ts';

/**
 * Builds the decision form. "As estimated" requires an estimate. After a failed inspection, or with several vehicles in
 * one result, the form offers no decision on the vehicle.
 */
export function writeDecision(input: Result): Section & { readonly blocks: readonly [Form] } {
  const boxes = [...listOutcomes(input), 'More photos needed', 'Rejected'];
  return {
    id: 'decision',
    title: 'Decision',
    blocks: [{ kind: 'form', boxes, lines: ['Remarks', 'Name', 'Date', 'Signature'] }],
  };
}

function listOutcomes({ inspection, assessment }: Result): readonly string[] {
  const { results } = inspection?.data ?? {};
  if (results && isMixed(results)) return [];
  if (assessment || (results && results.repair_cost.items > 0))
    return ['Repair as estimated', 'Repair with changes', 'Total loss'];
  return results ? ['No repair', 'Repair, see remarks', 'Total loss'] : [];
}
