import type { FastifyBaseLogger } from 'fastify';

/**
 * The log of one request, with its id. The logger behind it is made for the first line only: most requests write none
 * but their access line, and making one costs more than that line.
 */
export class RequestLog {
  readonly #parent: FastifyBaseLogger;
  readonly #bindings: Record<string, unknown>;
  #made: FastifyBaseLogger | undefined;

  constructor(parent: FastifyBaseLogger, bindings: Record<string, unknown>) {
    this.#parent = parent;
    this.#bindings = bindings;
  }

  get #log(): FastifyBaseLogger {
    this.#made ??= this.#parent.child(this.#bindings);
    return this.#made;
  }

  get level(): string {
    return this.#parent.level;
  }

  child(...args: Parameters<FastifyBaseLogger['child']>): FastifyBaseLogger {
    return this.#log.child(...args);
  }

  trace(...args: [object, string?]): void {
    this.#log.trace(...args);
  }

  debug(...args: [object, string?]): void {
    this.#log.debug(...args);
  }

  info(...args: [object, string?]): void {
    this.#log.info(...args);
  }

  warn(...args: [object, string?]): void {
    this.#log.warn(...args);
  }

  error(...args: [object, string?]): void {
    this.#log.error(...args);
  }

  fatal(...args: [object, string?]): void {
    this.#log.fatal(...args);
  }

  silent(): void {}
}
