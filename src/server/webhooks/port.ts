/**
 * Sends stored messages to their endpoints, apart from any request. What there is to send is remembered by the store.
 */
export interface Dispatcher {
  /** These messages were stored just now. */
  add(messages: readonly { readonly id: string }[]): void;
  /** This message is due at once, also where it waits for its next attempt. */
  replay(id: string): void;
  /** What is pending may be due otherwise than it was handed over: that of one endpoint, or all. */
  recheck(endpointId?: string): void;
  start(): void;
  /** Starts no more deliveries and waits for those under way. */
  stop(): Promise<void>;
}

/** Deliveries under way at once to one endpoint. */
export const PER_ENDPOINT_MAX = 4;
/** Deliveries under way at once for one account in one process: slow receivers leave room for those of others. */
export const PER_ACCOUNT_MAX = 16;
/** Pause after an attempt that could not be stored, so that its message is not sent again at once. */
export const STORE_PAUSE_MS = 10_000;
