import pLimit, { type LimitFunction } from 'p-limit';
import { IMAGE_BYTES_MAX } from '../../domain/choices.ts';
import { ApiError } from '../http/api-error.ts';

/** Turns at holding a photo in memory while it is fetched, checked and stored. */
export interface PhotoTurns {
  /**
   * Does the work when there is room for one more photo.
   * @throws ApiError SERVICE_UNAVAILABLE where none came in time; the work is not begun then.
   */
  take<T>(accountId: string, work: () => Promise<T>): Promise<T>;
  /** Photos under way. */
  readonly active: number;
}

const makeBusyError = () =>
  new ApiError('SERVICE_UNAVAILABLE', 'Too many photos are being received; try again later.', {
    details: { reason: 'photos' },
    headers: { 'retry-after': '5' },
  });

/**
 * Turns within a budget of bytes over the process, each photo counted with the most it may have. One account may use
 * half, so that slow addresses in its requests do not keep out the photos of others.
 */
export function createPhotoTurns(options: { budgetBytes: number; waitMs: number }): PhotoTurns {
  const places = Math.max(2, Math.floor(options.budgetBytes / IMAGE_BYTES_MAX));
  const all = pLimit(places);
  const byAccount = new Map<string, LimitFunction>();

  return {
    take<T>(accountId: string, work: () => Promise<T>): Promise<T> {
      const own = byAccount.get(accountId) ?? pLimit(Math.floor(places / 2));
      byAccount.set(accountId, own);
      return new Promise<T>((done, fail) => {
        let late = false;
        const timer = setTimeout(() => {
          late = true;
          fail(makeBusyError());
        }, options.waitMs).unref();
        const turn = async () => {
          if (late) return;
          clearTimeout(timer);
          await work().then(done, fail);
        };
        void own(() => all(turn)).finally(() => {
          if (own.activeCount + own.pendingCount === 0) byAccount.delete(accountId);
        });
      });
    },
    get active() {
      return all.activeCount;
    },
  };
}
