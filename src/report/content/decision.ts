import type { Result } from '../../contract/result.ts';
import { isMixed } from '../input.ts';

/** What a person fills in by hand: the boxes to tick and the lines to write on, in reading order. */
interface DecisionForm {
  readonly title: string;
  readonly boxes: readonly string[];
  readonly lines: readonly [remarks: string, name: string, date: string, signature: string];
}

/**
 * Returns the space for the decision. "As estimated" is offered only where there is an estimate; after an inspection
 * that failed, and of several vehicles in one result, nothing can be decided about the vehicle.
 */
export function writeDecisionForm(input: Result): DecisionForm {
  return {
    title: 'Decision',
    boxes: [...listOutcomes(input), 'More photos needed', 'Rejected'],
    lines: ['Remarks', 'Name', 'Date', 'Signature'],
  };
}

function listOutcomes({ inspection, assessment }: Result): readonly string[] {
  const { results } = inspection?.data ?? {};
  if (results && isMixed(results)) return [];
  if (assessment || (results && results.repair_cost.items > 0))
    return ['Repair as estimated', 'Repair with changes', 'Total loss'];
  return results ? ['No repair', 'Repair, see remarks', 'Total loss'] : [];
}
