import type { ReviewEvent } from '../../contract/review.ts';
import type { LineStream } from './page-server.ts';

/** Sends what happens to every page that listens. */
export interface Events {
  send(event: ReviewEvent): void;
  /** Sends the listening pages that another one took over, and nothing after that. */
  takeOver(): void;
  readonly stream: LineStream;
}

/** Creates the stream of events that open pages listen to. */
export function createEvents(): Events {
  const listeners = new Set<(line: string) => void>();
  const send = (event: ReviewEvent) => {
    const line = JSON.stringify(event);
    for (const listener of listeners) listener(line);
  };
  return {
    send,
    takeOver() {
      send({ kind: 'taken_over' });
      listeners.clear();
    },
    stream: {
      follow(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
  };
}
