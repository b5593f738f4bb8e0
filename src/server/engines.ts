import type { AnonymousLimiter, ConcurrencyGate } from './http/limits.ts';
import type { RateLimiter } from './http/rate-limiter.ts';
import type { EngineFacts } from './metrics.ts';
import type { Services } from './services.ts';
import type { RunWork, WorkQueue } from './work/port.ts';

/** What a queue is made of. */
export interface QueueParts {
  /** Pieces of work that may wait or run. */
  readonly limit: number;
  /** Pieces of work that run at once in this process; 0: none. */
  readonly workers: number;
  /** Time after which work whose outcome could not be stored is done again. */
  readonly retryMs: number;
  /** Time that running work has left when the process stops. */
  readonly graceMs: number;
  readonly run: RunWork;
  /** All work to do, oldest first; asked by a queue that is alone on its store. */
  readonly unfinished: () => Promise<readonly { readonly id: string; readonly accountId: string }[]>;
  /** Known once the queue is made. */
  readonly services: () => Pick<Services, 'store' | 'settings' | 'self' | 'log' | 'clock' | 'metrics'>;
}

/** What hands out work and counts over all processes of a service. */
export interface Engines {
  readonly rates: RateLimiter;
  readonly anonymousCallers: AnonymousLimiter;
  readonly gate: ConcurrencyGate;
  createQueue(parts: QueueParts): WorkQueue;
  /** The server behind them is away: each process counts alone, and no work is started. */
  degraded(): boolean;
  facts(): Promise<EngineFacts>;
  close(): Promise<void>;
}
