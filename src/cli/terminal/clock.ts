import { makeUsageError } from '../../lib/errors.ts';
import { parseIsoTime } from '../../lib/iso-time.ts';

/** Parses the time of --now; without an offset it is UTC. @throws VehiError usage for an invalid time */
export function parseNow(given: string): Date {
  const time = parseIsoTime(given);
  if (time !== undefined) return time;
  const message = `--now is "${given}"; an ISO 8601 time is needed.`;
  throw makeUsageError(message, 'For example --now 2026-01-31T12:00:00Z');
}
