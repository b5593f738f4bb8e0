import { VehiError } from '../../lib/errors.ts';
import type { Services } from '../services.ts';
import { NoChild } from '../work/quarantine.ts';

/**
 * Tries for one piece of work in one process, with a pause after each: a machine may be short of memory for a while.
 */
const STARTS_MAX = 8;

/**
 * Sees to it that there is a process to open the photos of quarantined work in. Returns the error that the work ends
 * with once that failed too often for it; it costs no attempt before.
 * @throws NoChild where it is worth another try after a pause
 */
export async function startChildFor(
  id: string,
  { quarantine, failedStarts, metrics, log }: Services,
): Promise<VehiError | undefined> {
  try {
    await quarantine?.ready();
    failedStarts.delete(id);
    return undefined;
  } catch (error) {
    if (!(error instanceof NoChild)) throw error;
    metrics.childStartsFailed.inc();
    const failed = (failedStarts.get(id) ?? 0) + 1;
    failedStarts.set(id, failed);
    if (failed < STARTS_MAX) throw error;
    failedStarts.delete(id);
    log.error({ inspection: id, starts: failed, reason: error.message }, 'quarantine cannot be started');
    return new VehiError(
      'engine',
      'QUARANTINE_UNAVAILABLE',
      'The service opens these photos in a process of its own, because an analysis of this account was cut off before, and could not start it. Send them again later; the operator finds the reason in the log.',
    );
  }
}
