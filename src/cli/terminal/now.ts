import type { CliContext } from './context.ts';
import { makeRequestError } from './usage-errors.ts';

/**
 * Returns the clock of a run: fixed to --now, or the real one.
 * @throws VehiError for an invalid time
 */
export function chooseClock(given: string | undefined, ctx: CliContext): () => Date {
  if (given === undefined) return () => ctx.now();
  const time = readTime(given);
  return () => time;
}

/** Parses the time of --now. @throws VehiError usage for an invalid time */
export function readTime(given: string): Date {
  const time = new Date(given);
  if (!Number.isNaN(time.getTime())) return time;
  throw makeRequestError(
    `--now is "${given}"; an ISO 8601 time is needed.`,
    'For example --now 2026-01-31T12:00:00Z',
  );
}
