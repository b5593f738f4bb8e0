import type { FastifyBaseLogger } from 'fastify';

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
type Write = (...args: [object, string?]) => void;

/**
 * A log that is made for its first line only. Every request has one of its own, with its id, and most write none but
 * their access line, while making one costs more than that line.
 */
class LazyLog {
  static {
    for (const level of LEVELS) {
      const write: Write = function (this: LazyLog, ...args) {
        (this.#log[level] as Write)(...args);
      };
      Object.defineProperty(LazyLog.prototype, level, { value: write });
    }
  }

  readonly #make: () => FastifyBaseLogger;
  #made: FastifyBaseLogger | undefined;

  constructor(make: () => FastifyBaseLogger) {
    this.#make = make;
  }

  get #log(): FastifyBaseLogger {
    this.#made ??= this.#make();
    return this.#made;
  }

  get level(): string {
    return this.#log.level;
  }

  child(...args: Parameters<FastifyBaseLogger['child']>): FastifyBaseLogger {
    return lazily(() => this.#log.child(...args));
  }
}

function lazily(make: () => FastifyBaseLogger): FastifyBaseLogger {
  return new LazyLog(make) as unknown as FastifyBaseLogger;
}

/** The same log, whose children are made when they write their first line. */
export function withLazyChildren(log: FastifyBaseLogger): FastifyBaseLogger {
  return lazily(() => log);
}
