import type { Review } from '../../contract/review.ts';
import { defined } from '../../lib/defined.ts';
import { VehiError } from '../../lib/errors.ts';
import { isObject } from '../../lib/fields.ts';

/** A decision that cannot be applied, and why. */
export interface LeftOut {
  readonly decision: unknown;
  /** The refusal, for programs. */
  readonly why: string;
  /** What the refusal says of itself, as data. */
  readonly details?: VehiError['details'];
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
    } else
      leftOut.push({ decision, why: tried.refused.message, ...defined({ details: tried.refused.details }) });
  }
  return { kept, outcome, leftOut };
}

/**
 * Adds to each drawn box whose photo cannot be read any more the part that the stored review recorded for it. Returns the
 * decisions themselves where there is none.
 */
export function nameSeenParts(
  decisions: readonly unknown[],
  leftOut: readonly LeftOut[],
  { decisions: reviewed }: Pick<Review, 'decisions'>,
): readonly unknown[] {
  const drawn = decisions.filter((one) => isObject(one) && one.decision === 'add');
  const made = reviewed.filter((one) => one.decision === 'add');
  const lost = new Set(leftOut.filter(isPhotoLost).map(({ decision }) => decision));
  return decisions.map((one) => {
    const part = lost.has(one) ? made[drawn.indexOf(one)]?.corrected?.location.part : undefined;
    return part === undefined ? one : { ...(one as object), part };
  });
}

/** Returns whether a drawn box was left out because its photo cannot be read. */
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
