import type { Limits } from '../../domain/sight/detection.ts';
import { formatCount } from '../../lib/format-count.ts';
import type { Correction } from './read-corrections.ts';
import { isRight } from './score-corrections.ts';

/** Minimum decided findings for reliable shares. Assumed. */
const MIN_DECIDED = 30;
/** Target precision of certain findings, which enter the sum without confirmation. Assumed. */
const CERTAIN_RIGHT = 0.8;
/** Target precision of places to check: a reviewer looks at five for one damage. Assumed. */
const TO_CHECK_RIGHT = 0.2;
/** Minimum findings above a limit. Assumed. */
const MIN_ABOVE = 10;

/** Proposed limits for both listing levels, or the reason for none. */
export type Proposal =
  | { readonly limits: Limits; readonly rightAbove: number; readonly rightBetween: number | null }
  | { readonly limits: null; readonly why: string };

/**
 * Proposes the lowest confidence limits at which findings reached the target precision, for certain ones and for places
 * to check. Limits stay within the listed range, because unlisted findings were never reviewed.
 */
export function proposeLimits(corrections: readonly Correction[]): Proposal {
  const decided = corrections
    .flatMap((one) => (one.confidence === null ? [] : [{ at: one.confidence, right: isRight(one) }]))
    .sort((a, b) => b.at - a.at);
  if (decided.length < MIN_DECIDED)
    return {
      limits: null,
      why: `${formatCount(decided.length, 'finding was', 'findings were')} decided; at least ${MIN_DECIDED} are needed`,
    };
  const certain = findLeastLimit(decided, CERTAIN_RIGHT, MIN_ABOVE);
  if (certain === null)
    return {
      limits: null,
      why: `at no confidence threshold were ${formatPercent(CERTAIN_RIGHT)} of at least ${MIN_ABOVE} findings right`,
    };
  const below = decided.filter(({ at }) => at < certain);
  const toCheck = findLeastLimit(below, TO_CHECK_RIGHT, 1) ?? certain;
  return {
    limits: { certain, toCheck },
    rightAbove: shareRight(decided.filter(({ at }) => at >= certain)) ?? 0,
    rightBetween: shareRight(below.filter(({ at }) => at >= toCheck)),
  };
}

type Decided = { readonly at: number; readonly right: boolean };

/** Returns the lowest limit, to three decimals, at which the target share is correct; null if there is none. */
function findLeastLimit(sorted: readonly Decided[], share: number, least: number): number | null {
  const limits = [...new Set(sorted.map(({ at }) => Math.floor(at * 1000) / 1000))];
  const fitting = limits.filter((limit) => {
    const above = sorted.filter(({ at }) => at >= limit);
    return above.length >= least && (shareRight(above) ?? 0) >= share;
  });
  return fitting.at(-1) ?? null;
}

function shareRight(list: readonly Decided[]): number | null {
  return list.length === 0 ? null : list.filter(({ right }) => right).length / list.length;
}

function formatPercent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
