import { hostname } from 'node:os';
import { isObject } from '../../lib/fields.ts';
import type { CliContext } from '../terminal/context.ts';
import { printStatus } from '../terminal/progress.ts';
import { createEvents, type Events } from './events.ts';
import type { ReviewFlags } from './flags.ts';
import { findBrowserCommand, openBrowser } from './open-browser.ts';
import { answerError, answerJson, type PageServer, type Route, startPageServer } from './page-server.ts';
import { createReviewSessions, type Sessions } from './session.ts';

/** The page, served and its link printed, whether there is a review to show yet or not. */
export interface Door {
  readonly server: Pick<PageServer, 'idleMs'>;
  readonly sessions: Sessions;
  readonly events: Events;
  /** From now on these routes answer, besides those of sessions and events. */
  serve(routes: readonly Route[]): void;
  /** Prints the link and opens it, once: when there is something behind it. Enter prints a fresh one. */
  invite(): Promise<void>;
  /** Sends the pages the reason, and ends. */
  close(why: string): Promise<void>;
}

/** Serves the page on an address of its own. */
export async function openDoor(
  flags: Pick<ReviewFlags, 'host' | 'port' | 'allowHost' | 'open'>,
  ctx: CliContext,
): Promise<Door> {
  const sessions = createReviewSessions(() => performance.now());
  const events = createEvents();
  const own = makeDoorRoutes(sessions, events, () =>
    printStatus(ctx, 'vehi: a link that was used before was opened; Enter prints a new one'),
  );
  let routes = own;
  const server = await startPageServer(() => routes, {
    host: flags.host ?? '127.0.0.1',
    port: flags.port ?? 0,
    allowedHosts: flags.allowHost ?? [],
    holdsSession: sessions.holds,
  });
  let stopListening: (() => void) | null = null;
  return {
    server,
    sessions,
    events,
    serve(more) {
      routes = [...own, ...more];
    },
    async invite() {
      stopListening ??= await invite(server, sessions.newToken, flags, ctx);
    },
    async close(why) {
      stopListening?.();
      events.send({ kind: 'ending', why });
      await server.close();
    },
  };
}

function makeDoorRoutes(
  sessions: Sessions,
  events: Events,
  onUsedLink: () => Promise<void>,
): readonly Route[] {
  return [
    {
      method: 'POST',
      path: /^\/api\/session$/,
      open: true,
      async answer({ body }) {
        const session = sessions.exchange(isObject(body) ? body.token : undefined);
        if (typeof session === 'object') {
          events.takeOver();
          return answerJson(session);
        }
        if (session === 'used') void onUsedLink();
        return answerError(403, 'LINK_USED', 'this link was opened before, or is too old.');
      },
    },
    { method: 'GET', path: /^\/api\/events$/, answer: async () => events.stream },
  ];
}

/** Prints the link, opens it, and prints a fresh one whenever Enter is pressed. */
async function invite(
  server: PageServer,
  newToken: () => string,
  flags: Pick<ReviewFlags, 'host' | 'open'>,
  ctx: CliContext,
): Promise<() => void> {
  const link = () => `http://127.0.0.1:${server.port}/#t=${newToken()}`;
  const first = link();
  await printStatus(ctx, `Review at ${first}`);
  if (flags.host)
    await printStatus(
      ctx,
      `vehi: the page listens on ${flags.host}; anyone who reaches it and has the link can review`,
    );
  if (ctx.env.SSH_CONNECTION)
    await printStatus(
      ctx,
      `On your own machine first: ssh -L ${server.port}:127.0.0.1:${server.port} ${hostname()}`,
    );
  await printStatus(ctx, 'Enter prints a fresh link, Ctrl-C stops and keeps what was decided.');
  if (flags.open !== false && findBrowserCommand(ctx.env, process.platform))
    openBrowser(first, ctx.env, process.platform);
  const onEnter = () => void printStatus(ctx, `Review at ${link()}`);
  ctx.stdin.on('data', onEnter);
  return () => {
    ctx.stdin.off('data', onEnter);
    ctx.stdin.pause();
  };
}
