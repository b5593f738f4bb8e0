import type { InspectionRecord } from '../../storage/ports.ts';
import { findWeight } from '../http/limits.ts';
import type { Services } from '../services.ts';
import { computeExtraCost } from '../work/fair-order.ts';
import type { VisualJob } from './visual-job.ts';

/** Lets an account wait longer for its next turn after work that took more time than its photos are counted with. */
export async function chargeTime(
  { id, accountId, request }: InspectionRecord,
  seconds: number,
  { store, work, log }: Services,
): Promise<void> {
  const photos = (request as VisualJob).images.length;
  if (computeExtraCost({ photos, weight: 1 }, seconds) === 0) return;
  try {
    const account = await store.accounts.get(accountId);
    if (account)
      await work.charge(accountId, computeExtraCost({ photos, weight: findWeight(account) }, seconds));
  } catch (error) {
    log.warn({ inspection: id, reason: (error as Error).message }, 'time was not charged');
  }
}
