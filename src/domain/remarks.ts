import type { PartUncertainty } from './damage.ts';

const UNCERTAINTY_WORDS = {
  part: 'part uncertain: little of the marked place lies on it',
  side: 'side uncertain: the close-up could be of the left or the right',
} as const satisfies Record<PartUncertainty, string>;
const UNCERTAINTY_REMARKS: ReadonlySet<string> = new Set(Object.values(UNCERTAINTY_WORDS));

const SEPARATOR = '; ';

/** Builds the `detail` of a finding: ambiguities of its photos, then further remarks; undefined without any. */
export function writeRemarks(
  uncertainty: PartUncertainty | null | undefined,
  further: readonly string[],
): string | undefined {
  return join([...(uncertainty ? [UNCERTAINTY_WORDS[uncertainty]] : []), ...further]);
}

/** Removes the part ambiguity from a `detail`; undefined if nothing is left. */
export function removeUncertainty(detail: string | undefined): string | undefined {
  return join(detail?.split(SEPARATOR).filter((one) => !UNCERTAINTY_REMARKS.has(one)) ?? []);
}

const join = (remarks: readonly string[]) => (remarks.length === 0 ? undefined : remarks.join(SEPARATOR));
