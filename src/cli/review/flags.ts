import type { FlagsOf } from '../terminal/options.ts';

/** Parsed flags of `vehi review`; empty for `inspect --review`. */
export type ReviewFlags = Partial<FlagsOf<'review'>>;
