import type { Damage } from '../../contract/inspection.ts';
import type { LeftOutDecision } from '../../contract/review.ts';
import { VehiError } from '../../lib/errors.ts';
import { isObject } from '../../lib/fields.ts';

/** A decision that cannot be applied, and why. */
export interface LeftOut {
  readonly decision: unknown;
  readonly why: string;
}

/**
 * Applies decisions that were kept earlier. Where the rules have changed since, those that are refused now are left
 * out, with those that build on them, and all others are applied.
 * @param apply applies a list and throws VehiError input for what it refuses
 * @throws VehiError input where even an empty list is refused
 */
export async function keepPossible<T>(
  decisions: readonly unknown[],
  apply: (list: readonly unknown[]) => Promise<T>,
): Promise<{ readonly kept: readonly unknown[]; readonly outcome: T; readonly leftOut: readonly LeftOut[] }> {
  const whole = await attempt(decisions, apply);
  if ('outcome' in whole) return { kept: decisions, outcome: whole.outcome, leftOut: [] };
  let outcome: T = await apply([]);
  let kept: readonly unknown[] = [];
  const leftOut: LeftOut[] = [];
  // What is merged into another needs the other to be decided.
  const inTurn = [...decisions.filter((one) => !isMerged(one)), ...decisions.filter(isMerged)];
  for (const decision of inTurn) {
    const list = decisions.filter((one) => one === decision || kept.includes(one));
    const tried = await attempt(list, apply);
    if ('outcome' in tried) {
      kept = list;
      outcome = tried.outcome;
    } else leftOut.push({ decision, why: tried.refusal });
  }
  return { kept, outcome, leftOut };
}

/** Returns what is said of a decision that was left out. */
export function describeLeftOut(
  { decision: given, why }: LeftOut,
  findings: readonly Pick<Damage, 'damage_id' | 'number'>[],
): LeftOutDecision {
  const { decision, damage_id: id } = isObject(given) ? given : {};
  const found = findings.find((one) => one.damage_id === id);
  const of = found ? ` of no. ${found.number}` : '';
  // Where in the list it stood is of no use any more.
  const reason = why.replace(/^decisions: (?:\[\d+\](?:\.\w+)*: )?/, '');
  return {
    decision: String(decision),
    ...(found ? { damage_id: found.damage_id } : {}),
    message: `a saved decision (${String(decision)}${of}) is refused now and was left out: ${reason}`,
  };
}

function isMerged(decision: unknown): boolean {
  return isObject(decision) && decision.into !== undefined;
}

async function attempt<T>(
  list: readonly unknown[],
  apply: (list: readonly unknown[]) => Promise<T>,
): Promise<{ readonly outcome: T } | { readonly refusal: string }> {
  try {
    return { outcome: await apply(list) };
  } catch (error) {
    if (error instanceof VehiError && error.kind === 'input') return { refusal: error.message };
    throw error;
  }
}
