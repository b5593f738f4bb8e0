import { VehiError } from '../../lib/errors.ts';
import type { CliContext } from './context.ts';

/**
 * Returns the clock of a run: fixed at the time given by --now, else the real one.
 * @throws VehiError where the value is not a time.
 */
export function chooseClock(given: string | undefined, ctx: CliContext): () => Date {
  if (given === undefined) return () => ctx.now();
  const time = readTime(given);
  return () => time;
}

/** Returns the time that --now names. @throws VehiError usage where it is not a time. */
export function readTime(given: string): Date {
  const time = new Date(given);
  if (!Number.isNaN(time.getTime())) return time;
  throw new VehiError('usage', 'INVALID_REQUEST', `--now is "${given}"; an ISO 8601 time is needed.`, {
    hint: 'For example --now 2026-01-31T12:00:00Z',
  });
}
