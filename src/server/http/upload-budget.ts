import { MAX_UPLOAD_MB } from '../../domain/photo-limits.ts';
import type { ServerSettings } from '../server-settings.ts';
import { ApiError } from './api-error.ts';

/** Maximum total size of the photos of an upload. */
export const MAX_UPLOAD_BYTES = MAX_UPLOAD_MB * 1024 * 1024;

/** Maximum bytes reserved ahead of those received. */
const RESERVE_AHEAD_BYTES = 1024 * 1024;
/** Minimum rate after the grace period; 10 MB over a 0.5 Mbit/s line arrive at 62,500. */
const MIN_BYTES_PER_SECOND = 10_000;

const makeBusyError = () =>
  new ApiError('SERVICE_UNAVAILABLE', 'Too many uploads are under way; try again later.', {
    details: { reason: 'uploads' },
    headers: { 'retry-after': '5', connection: 'close' },
  });

/**
 * Creates a budget for the bytes of uploads in progress, per process and account. It reserves received bytes and a
 * little more, not the announced length, so announcing a large upload reserves nothing. One account may use a quarter.
 */
export function createUploadBudget({
  uploadBudgetBytes: limitBytes,
  uploadGraceMs: graceMs,
}: Pick<ServerSettings, 'uploadBudgetBytes' | 'uploadGraceMs'>) {
  const ahead = Math.min(RESERVE_AHEAD_BYTES, limitBytes / 16);
  const bytesByAccount = new Map<string, number>();
  let usedBytes = 0;
  const adjust = (accountId: string, bytes: number) => {
    const accountBytes = (bytesByAccount.get(accountId) ?? 0) + bytes;
    if (accountBytes > 0) bytesByAccount.set(accountId, accountBytes);
    else bytesByAccount.delete(accountId);
    usedBytes += bytes;
  };
  return {
    /** Starts an upload, whose size is at most `routeBytes` and its `Content-Length`. @throws ApiError SERVICE_UNAVAILABLE */
    start(accountId: string, routeBytes: number, contentLength?: string) {
      const length = Number(contentLength ?? routeBytes);
      const maxBytes = Number.isSafeInteger(length) ? Math.min(length, routeBytes) : routeBytes;
      const startedMs = performance.now();
      let reserved = 0;
      let received = 0;
      let isEnded = false;
      let timer: NodeJS.Timeout | undefined;
      const reserve = (bytes: number) => {
        if (isEnded || bytes <= reserved) return;
        const accountBytes = (bytesByAccount.get(accountId) ?? 0) + bytes - reserved;
        if (usedBytes + bytes - reserved > limitBytes || accountBytes > limitBytes / 4) throw makeBusyError();
        adjust(accountId, bytes - reserved);
        reserved = bytes;
      };
      reserve(Math.min(maxBytes, ahead));
      return {
        /**
         * Counts received bytes. @throws ApiError PAYLOAD_TOO_LARGE; SERVICE_UNAVAILABLE if the uploads of all, or of the
         * account, exceed their budget
         */
        count(bytes: number) {
          received += bytes;
          if (received > MAX_UPLOAD_BYTES)
            throw new ApiError('PAYLOAD_TOO_LARGE', `The upload is larger than ${MAX_UPLOAD_MB} MB.`);
          if (received > reserved) reserve(Math.max(received, Math.min(maxBytes, received + ahead)));
        },
        /** Awaits the reader of the upload. @throws ApiError REQUEST_TIMEOUT if bytes arrive too slowly */
        watch: <T>(reader: Promise<T>) =>
          new Promise<T>((resolve, reject) => {
            timer = setInterval(
              () => {
                const seconds = (performance.now() - startedMs) / 1000;
                if (seconds * 1000 < graceMs || received >= seconds * MIN_BYTES_PER_SECOND) return;
                const message = `The upload is slower than ${MIN_BYTES_PER_SECOND / 1000} kB a second.`;
                reject(new ApiError('REQUEST_TIMEOUT', message, { headers: { connection: 'close' } }));
              },
              Math.min(graceMs, 1000),
            ).unref();
            reader.then(resolve, reject).finally(() => clearInterval(timer));
          }),
        /** Releases the bytes reserved for the upload; later chunks reserve none. */
        end() {
          clearInterval(timer);
          adjust(accountId, -reserved);
          reserved = 0;
          isEnded = true;
        },
      };
    },
    get usedBytes() {
      return usedBytes;
    },
  };
}
export type OpenUpload = ReturnType<ReturnType<typeof createUploadBudget>['start']>;
