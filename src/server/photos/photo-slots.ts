import pLimit, { type LimitFunction } from 'p-limit';
import { MAX_IMAGE_BYTES } from '../../domain/photo-limits.ts';
import { makeUnavailableError } from '../http/api-error.ts';
import type { ServerSettings } from '../server-settings.ts';

/**
 * Admits photos into memory while they are fetched, checked and stored, within a byte budget of the process that counts
 * each at its maximum size. One account may use half, so slow URLs in its requests do not block other accounts.
 */
export function createPhotoSlots({
  photoBudgetBytes,
  photoWaitMs,
}: Pick<ServerSettings, 'photoBudgetBytes' | 'photoWaitMs'>) {
  const slots = Math.max(2, Math.floor(photoBudgetBytes / MAX_IMAGE_BYTES));
  const processLimit = pLimit(slots);
  const limitByAccount = new Map<string, LimitFunction>();

  return {
    /**
     * Runs the callback once there is room for one more photo.
     * @throws ApiError SERVICE_UNAVAILABLE if no room became free in time; the callback does not run then.
     */
    run<T>(accountId: string, callback: () => Promise<T>): Promise<T> {
      const accountLimit = limitByAccount.get(accountId) ?? pLimit(Math.floor(slots / 2));
      limitByAccount.set(accountId, accountLimit);
      return new Promise<T>((resolve, reject) => {
        let isTimedOut = false;
        const timer = setTimeout(() => {
          isTimedOut = true;
          reject(makeUnavailableError('Too many photos are being received; try again later.', 5, 'photos'));
        }, photoWaitMs).unref();
        const start = async () => {
          if (isTimedOut) return;
          clearTimeout(timer);
          await callback().then(resolve, reject);
        };
        void accountLimit(() => processLimit(start)).finally(() => {
          if (accountLimit.activeCount + accountLimit.pendingCount === 0) limitByAccount.delete(accountId);
        });
      });
    },
    /** Photos in progress. */
    get active() {
      return processLimit.activeCount;
    },
  };
}
