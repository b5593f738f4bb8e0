import type { Limits } from '../../../src/domain/sensitivity.ts';
import { formatCount } from '../../../src/lib/format-count.ts';
import type { Correction } from './read-corrections.ts';

/** Minimum decided findings for reliable shares. Assumed. */
const MIN_DECIDED = 30;
/** Target precision of certain findings, which enter the sum without confirmation. Assumed. */
const CERTAIN_PRECISION = 0.8;
/** Target precision of places to check: a reviewer looks at five for one damage. Assumed. */
const TO_CHECK_PRECISION = 0.2;
/** Minimum findings above a limit. Assumed. */
const MIN_CERTAIN = 10;

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
    .flatMap((one) =>
      one.confidence === null ? [] : [{ confidence: one.confidence, isConfirmed: one.fate !== 'rejected' }],
    )
    .sort((a, b) => b.confidence - a.confidence);
  if (decided.length < MIN_DECIDED)
    return {
      limits: null,
      why: `${formatCount(decided.length, 'finding was', 'findings were')} decided; at least ${MIN_DECIDED} are needed`,
    };
  const certain = findLowestLimit(decided, CERTAIN_PRECISION, MIN_CERTAIN);
  if (certain === null)
    return {
      limits: null,
      why: `at no confidence threshold were ${formatPercent(CERTAIN_PRECISION)} of at least ${MIN_CERTAIN} findings right`,
    };
  const below = decided.filter(({ confidence }) => confidence < certain);
  const toCheck = findLowestLimit(below, TO_CHECK_PRECISION, 1) ?? certain;
  return {
    limits: { certain, toCheck },
    rightAbove: computePrecision(decided.filter(({ confidence }) => confidence >= certain)) ?? 0,
    rightBetween: computePrecision(below.filter(({ confidence }) => confidence >= toCheck)),
  };
}

type DecidedFinding = { readonly confidence: number; readonly isConfirmed: boolean };

/** Returns the lowest limit, to three decimals, that reaches the target precision; null if there is none. */
function findLowestLimit(
  sorted: readonly DecidedFinding[],
  precision: number,
  minFindings: number,
): number | null {
  const limits = [...new Set(sorted.map(({ confidence }) => Math.floor(confidence * 1000) / 1000))];
  const fitting = limits.filter((limit) => {
    const above = sorted.filter(({ confidence }) => confidence >= limit);
    return above.length >= minFindings && (computePrecision(above) ?? 0) >= precision;
  });
  return fitting.at(-1) ?? null;
}

function computePrecision(list: readonly DecidedFinding[]): number | null {
  return list.length === 0 ? null : list.filter(({ isConfirmed }) => isConfirmed).length / list.length;
}

function formatPercent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
