import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { listen } from '../server/helpers/listen.ts';

/** Starts a receiver that answers at `/quick` after a moment, and at `/refusing` from the third time a message comes. */
export async function startReceivers() {
  /** Path and id of each delivery. */
  const came: (readonly [path: string, id: string])[] = [];
  const open = new Map<string, number>();
  let most = 0;

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').slice(1);
    const change = (by: number) => open.set(path, (open.get(path) ?? 0) + by);
    change(1);
    response.on('close', () => change(-1));
    const id = String(request.headers['webhook-id']);
    came.push([path, id]);
    request.resume();
    await once(request, 'end');
    // Those that the sender has given up are closed by then.
    await nextTurn();
    await nextTurn();
    most = Math.max(most, open.get(path) ?? 0);
    if (path === 'quick') setTimeout(() => response.end(), 20);
    else response.writeHead(countOf(path, id) < 3 ? 503 : 200).end();
  }

  const { url, close } = await listen((request, response) => {
    take(request, response).catch(() => response.destroy());
  });
  const countOf = (path: string, id?: string) =>
    came.filter((one) => one[0] === path && (id === undefined || one[1] === id)).length;
  /** Deliveries to one path under way at the same time, at most. */
  const atOnce = () => most;
  return { countOf, atOnce, url: (path: string) => `${url}/${path}`, close };
}
