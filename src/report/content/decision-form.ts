import type { Result } from '../../contract/result.ts';
import type { Say } from '../say.ts';
import { isMixed } from '../words.ts';
import type { Form, Section } from './blocks.ts';

/**
 * Builds the decision form. "As estimated" requires an estimate. After a failed inspection, or with several vehicles in
 * one result, the form offers no decision on the vehicle.
 */
export function writeDecision(input: Result, say: Say): Section & { readonly blocks: readonly [Form] } {
  const boxes = [...listOutcomes(input, say), say`More photos needed`, say`Rejected`];
  return {
    id: 'decision',
    title: say`Decision`,
    blocks: [{ kind: 'form', boxes, lines: [say`Remarks`, say`Name`, say`Date`, say`Signature`] }],
  };
}

function listOutcomes({ inspection, assessment }: Result, say: Say): readonly string[] {
  const { results } = inspection?.data ?? {};
  if (results && isMixed(results)) return [];
  if (assessment || (results && results.repair_cost.items > 0))
    return [say`Repair as estimated`, say`Repair with changes`, say`Total loss`];
  return results ? [say`No repair`, say`Repair, see remarks`, say`Total loss`] : [];
}
