import type { LocatedDamage } from './sight/locate.ts';

type Doubt = NonNullable<LocatedDamage['doubt']>;

const DOUBT_WORDS = {
  part: 'part uncertain: little of the marked place lies on it',
  end: 'part uncertain: the close-up could be of the front or the rear',
  side: 'side uncertain: the close-up could be of the left or the right',
} as const satisfies Record<Doubt, string>;
const DOUBTS: ReadonlySet<string> = new Set(Object.values(DOUBT_WORDS));

const SEPARATOR = '; ';

/** Returns the `detail` of a find: what its photos leave open, then further remarks; undefined where nothing. */
export function writeRemarks(
  doubt: Doubt | null | undefined,
  further: readonly string[],
): string | undefined {
  return join([...(doubt ? [DOUBT_WORDS[doubt]] : []), ...further]);
}

/** Returns a `detail` without what the photos leave open of the part; undefined where nothing is left. */
export function dropDoubt(detail: string | undefined): string | undefined {
  return join(detail?.split(SEPARATOR).filter((one) => !DOUBTS.has(one)) ?? []);
}

const join = (remarks: readonly string[]) => (remarks.length === 0 ? undefined : remarks.join(SEPARATOR));
