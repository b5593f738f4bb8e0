import type { ReviewEvent } from '../../contract/review.ts';
import type { LineStream } from './page-server.ts';

/** Sends what happens to every page that listens. */
export interface Events {
  tell(event: ReviewEvent): void;
  /** Tells the pages that listen that another one took over, and nothing after that. */
  takeOver(): void;
  readonly stream: LineStream;
}

export function createEvents(): Events {
  const listeners = new Set<(line: string) => void>();
  const tell = (event: ReviewEvent) => {
    const line = JSON.stringify(event);
    for (const send of listeners) send(line);
  };
  return {
    tell,
    takeOver() {
      tell({ kind: 'taken_over' });
      listeners.clear();
    },
    stream: {
      follow(send) {
        listeners.add(send);
        return () => listeners.delete(send);
      },
    },
  };
}
