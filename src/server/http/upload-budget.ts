import { ApiError } from './api-error.ts';

/** An upload in progress. */
export interface OpenUpload {
  /** Counts received bytes. @throws ApiError SERVICE_UNAVAILABLE if all uploads together exceed the budget */
  count(bytes: number): void;
  /** Awaits the reader of the upload. @throws ApiError REQUEST_TIMEOUT if the bytes arrive too slowly */
  watch<T>(reader: Promise<T>): Promise<T>;
  /** Releases the bytes that the upload reserves. */
  end(): void;
}

/** Limits the bytes of uploads in progress, per process and per account. */
export interface UploadBudget {
  /** Starts an upload of at most `maxBytes` bytes. @throws ApiError SERVICE_UNAVAILABLE */
  start(accountId: string, maxBytes: number): OpenUpload;
  readonly usedBytes: number;
}

/** Maximum bytes reserved ahead of those received. */
const RESERVE_AHEAD_BYTES = 1024 * 1024;
/** Minimum rate after the grace period; 10 MB over a 0.5 Mbit/s line arrive at 62,500. */
const MIN_BYTES_PER_SECOND = 10_000;

const makeBusyError = () =>
  new ApiError('SERVICE_UNAVAILABLE', 'Too many uploads are under way; try again later.', {
    details: { reason: 'uploads' },
    headers: { 'retry-after': '5', connection: 'close' },
  });

const makeSlowError = () =>
  new ApiError('REQUEST_TIMEOUT', 'The upload is slower than 10 kB a second.', {
    headers: { connection: 'close' },
  });

/**
 * Creates a budget that reserves the received bytes and a little ahead, not the announced length, so announcing a large
 * upload reserves nothing. One account may use a quarter.
 */
export function createUploadBudget({
  limitBytes,
  graceMs,
}: {
  limitBytes: number;
  graceMs: number;
}): UploadBudget {
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
    start(accountId, maxBytes) {
      const startedMs = performance.now();
      let reserved = 0;
      let received = 0;
      let timer: NodeJS.Timeout | undefined;
      const reserve = (bytes: number) => {
        if (bytes <= reserved) return;
        const accountBytes = (bytesByAccount.get(accountId) ?? 0) + bytes - reserved;
        if (usedBytes + bytes - reserved > limitBytes || accountBytes > limitBytes / 4) throw makeBusyError();
        adjust(accountId, bytes - reserved);
        reserved = bytes;
      };
      reserve(Math.min(maxBytes, ahead));
      return {
        count(bytes) {
          received += bytes;
          if (received > reserved) reserve(Math.max(received, Math.min(maxBytes, received + ahead)));
        },
        watch: (reader) =>
          new Promise((resolve, reject) => {
            timer = setInterval(
              () => {
                const seconds = (performance.now() - startedMs) / 1000;
                if (seconds * 1000 >= graceMs && received < seconds * MIN_BYTES_PER_SECOND)
                  reject(makeSlowError());
              },
              Math.min(graceMs, 1000),
            ).unref();
            reader.then(resolve, reject).finally(() => clearInterval(timer));
          }),
        end() {
          clearInterval(timer);
          adjust(accountId, -reserved);
          reserved = 0;
        },
      };
    },
    get usedBytes() {
      return usedBytes;
    },
  };
}
