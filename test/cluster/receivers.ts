import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { listen } from '../server/helpers/listen.ts';

/** What was seen of the deliveries to one path. */
export interface Received {
  /** Times at which each message came, ms. */
  readonly timesMs: Map<string, number[]>;
  /** Deliveries under way at the same time, at most. */
  atOnce: number;
}

/**
 * Starts a receiver with a path for each function of `answers`, which is given how often the message came before.
 */
export async function startReceivers<Name extends string>(
  answers: Readonly<Record<Name, (response: ServerResponse, before: number) => void>>,
) {
  const received = Object.fromEntries(
    Object.keys(answers).map((name) => [name, { timesMs: new Map(), atOnce: 0 }]),
  ) as unknown as Record<Name, Received>;
  const open = new Map<Name, number>();
  const change = (name: Name, by: number) => open.set(name, (open.get(name) ?? 0) + by);

  async function take(name: Name, request: IncomingMessage, response: ServerResponse): Promise<void> {
    change(name, 1);
    response.on('close', () => change(name, -1));
    const seen = received[name];
    const id = String(request.headers['webhook-id']);
    const times = seen.timesMs.get(id) ?? [];
    seen.timesMs.set(id, [...times, performance.now()]);
    request.resume();
    await once(request, 'end');
    // Those that the sender has given up are closed by then.
    await nextTurn();
    await nextTurn();
    seen.atOnce = Math.max(seen.atOnce, open.get(name) ?? 0);
    answers[name](response, times.length);
  }

  const { url, close } = await listen((request, response) => {
    take((request.url ?? '').slice(1) as Name, request, response).catch(() => response.destroy());
  });
  const countOf = (name: Name) => [...received[name].timesMs.values()].flat().length;
  return { received, countOf, url: (name: Name) => `${url}/${name}`, close };
}
