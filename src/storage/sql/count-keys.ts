import { INSPECTION_STATUSES } from '../../contract/inspection.ts';
import { INSPECTION_KINDS, type InspectionQuery } from '../ports.ts';

/** Returns the kinds and statuses that a list includes, to complete the key of the counts. */
export function listCountKeys({ kind, status }: InspectionQuery): {
  kinds: readonly string[];
  statuses: readonly string[];
} {
  return {
    kinds: kind === undefined ? INSPECTION_KINDS : [kind],
    statuses: status === undefined ? INSPECTION_STATUSES : [status],
  };
}
