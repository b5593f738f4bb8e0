/** Work that waits for one of a few workers, bounded. What waits is remembered by the store, not by the queue. */
export interface JobQueue {
  /** Keeps a place; undefined when there is none. The place is used by `submit` or given back by `cancel`. */
  reserve(): Place | undefined;
  /** Takes work found at start, beyond the bound where need be: it was accepted before. */
  resume(id: string): void;
  readonly waiting: number;
  readonly running: number;
  readonly limit: number;
  /** Starts no more work, lets go of those who wait for work not begun, and waits for what runs. */
  drain(): Promise<void>;
}

export interface Place {
  /** Resolves when the work has ended, whatever came of it. */
  submit(id: string): Promise<void>;
  cancel(): void;
}

/** A queue in this process; `run` never rejects. */
export function createQueue(options: {
  limit: number;
  workers: number;
  run: (id: string) => Promise<void>;
  onChange?: (waiting: number, running: number) => void;
}): JobQueue {
  const waiting: { id: string; done: () => void }[] = [];
  let places = 0;
  let running = 0;
  let stopped = false;
  let onIdle: (() => void) | undefined;

  const changed = () => options.onChange?.(waiting.length, running);

  function next(): void {
    while (!stopped && running < options.workers) {
      const job = waiting.shift();
      if (!job) break;
      running++;
      void options.run(job.id).finally(() => {
        running--;
        places--;
        job.done();
        next();
        if (running === 0) onIdle?.();
      });
    }
    changed();
  }

  const add = (id: string) =>
    new Promise<void>((done) => {
      waiting.push({ id, done });
      next();
    });

  return {
    reserve() {
      if (stopped || places >= options.limit) return undefined;
      places++;
      let used = false;
      return {
        submit(id) {
          used = true;
          return add(id);
        },
        cancel() {
          if (!used) places--;
          used = true;
        },
      };
    },
    resume(id) {
      places++;
      void add(id);
    },
    get waiting() {
      return waiting.length;
    },
    get running() {
      return running;
    },
    limit: options.limit,
    async drain() {
      stopped = true;
      for (const job of waiting.splice(0)) job.done();
      changed();
      if (running > 0) {
        await new Promise<void>((done) => {
          onIdle = done;
        });
      }
    },
  };
}
