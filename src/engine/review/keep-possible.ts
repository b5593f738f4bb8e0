import { VehiError } from '../../lib/errors.ts';
import { isObject } from '../../lib/fields.ts';
import { defined } from '../../lib/objects.ts';

/** A decision that cannot be applied, with the reason. */
export interface LeftOut {
  readonly decision: unknown;
  /** Message of the refusal. */
  readonly why: string;
  /** Structured details of the refusal. */
  readonly details?: VehiError['details'];
}

/**
 * Applies stored decisions. If rules changed in the meantime, decisions that are now refused are skipped along with
 * their dependents, and all others are applied.
 * @param apply applies a list and throws VehiError input if it refuses one
 * @throws VehiError input if even an empty list is refused
 */
export async function keepPossible<T>(
  decisions: readonly unknown[],
  apply: (list: readonly unknown[]) => Promise<T>,
): Promise<{ readonly kept: readonly unknown[]; readonly outcome: T; readonly leftOut: readonly LeftOut[] }> {
  const all = await attempt(decisions, apply);
  if ('outcome' in all) return { kept: decisions, outcome: all.outcome, leftOut: [] };
  let outcome: T = await apply([]);
  let kept: readonly unknown[] = [];
  const leftOut: LeftOut[] = [];
  // A merge needs its target to be decided first.
  const ordered = [...decisions.filter((one) => !isMerged(one)), ...decisions.filter(isMerged)];
  for (const decision of ordered) {
    const list = decisions.filter((one) => one === decision || kept.includes(one));
    const result = await attempt(list, apply);
    if ('outcome' in result) {
      kept = list;
      outcome = result.outcome;
    } else
      leftOut.push({
        decision,
        why: result.refused.message,
        ...defined({ details: result.refused.details }),
      });
  }
  return { kept, outcome, leftOut };
}

/** Returns whether a drawn box was skipped because its photo cannot be read. */
export function isPhotoLost({ details }: LeftOut): boolean {
  return details?.reason === 'photo_unreadable';
}

function isMerged(decision: unknown): boolean {
  return isObject(decision) && decision.into !== undefined;
}

async function attempt<T>(
  list: readonly unknown[],
  apply: (list: readonly unknown[]) => Promise<T>,
): Promise<{ readonly outcome: T } | { readonly refused: VehiError }> {
  try {
    return { outcome: await apply(list) };
  } catch (error) {
    if (error instanceof VehiError && error.kind === 'input') return { refused: error };
    throw error;
  }
}
