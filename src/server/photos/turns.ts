import pLimit, { type LimitFunction } from 'p-limit';
import { MAX_IMAGE_BYTES } from '../../domain/photo-limits.ts';
import { ApiError } from '../http/api-error.ts';

/** Limits the photos held in memory while they are fetched, checked and stored. */
export interface PhotoTurns {
  /**
   * Runs the callback once there is room for one more photo.
   * @throws ApiError SERVICE_UNAVAILABLE if no room became free in time; the callback does not run then.
   */
  take<T>(accountId: string, work: () => Promise<T>): Promise<T>;
  /** Photos in progress. */
  readonly active: number;
}

const makeBusyError = () =>
  new ApiError('SERVICE_UNAVAILABLE', 'Too many photos are being received; try again later.', {
    details: { reason: 'photos' },
    headers: { 'retry-after': '5' },
  });

/**
 * Creates turns within a byte budget of the process, counting each photo at its maximum size. One account may use half
 * the budget, so slow URLs in its requests do not block other accounts.
 */
export function createPhotoTurns(options: { budgetBytes: number; waitMs: number }): PhotoTurns {
  const slots = Math.max(2, Math.floor(options.budgetBytes / MAX_IMAGE_BYTES));
  const all = pLimit(slots);
  const byAccount = new Map<string, LimitFunction>();

  return {
    take<T>(accountId: string, work: () => Promise<T>): Promise<T> {
      const own = byAccount.get(accountId) ?? pLimit(Math.floor(slots / 2));
      byAccount.set(accountId, own);
      return new Promise<T>((done, fail) => {
        let timedOut = false;
        const timer = setTimeout(() => {
          timedOut = true;
          fail(makeBusyError());
        }, options.waitMs).unref();
        const run = async () => {
          if (timedOut) return;
          clearTimeout(timer);
          await work().then(done, fail);
        };
        void own(() => all(run)).finally(() => {
          if (own.activeCount + own.pendingCount === 0) byAccount.delete(accountId);
        });
      });
    },
    get active() {
      return all.activeCount;
    },
  };
}
