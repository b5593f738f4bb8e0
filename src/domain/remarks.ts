import type { PartDoubt } from './damage.ts';

const DOUBT_WORDS = {
  part: 'part uncertain: little of the marked place lies on it',
  end: 'part uncertain: the close-up could be of the front or the rear',
  side: 'side uncertain: the close-up could be of the left or the right',
} as const satisfies Record<PartDoubt, string>;
const DOUBTS: ReadonlySet<string> = new Set(Object.values(DOUBT_WORDS));

const SEPARATOR = '; ';

/**
 * Builds the `detail` of a finding: ambiguities left by its photos, then further remarks; undefined if there are none.
 */
export function writeRemarks(
  doubt: PartDoubt | null | undefined,
  further: readonly string[],
): string | undefined {
  return join([...(doubt ? [DOUBT_WORDS[doubt]] : []), ...further]);
}

/** Removes the part ambiguity from a `detail`; undefined if nothing is left. */
export function dropDoubt(detail: string | undefined): string | undefined {
  return join(detail?.split(SEPARATOR).filter((one) => !DOUBTS.has(one)) ?? []);
}

const join = (remarks: readonly string[]) => (remarks.length === 0 ? undefined : remarks.join(SEPARATOR));
