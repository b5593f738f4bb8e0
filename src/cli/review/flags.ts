import type { FlagsOf } from '../terminal/options.ts';

/** Flags of `vehi review` as commander hands them over; `inspect --review` gives none. */
export type ReviewFlags = Partial<FlagsOf<'review'>>;
