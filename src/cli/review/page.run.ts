import { hostname } from 'node:os';
import { resolve } from 'node:path';
import type { ReviewedEnvelope } from '../../contract/review.ts';
import { VehiError } from '../../lib/errors.ts';
import type { CliContext } from '../terminal/context.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { clockOf } from '../terminal/now.ts';
import { tell } from '../terminal/progress.ts';
import { EXPORTS, exported } from './exports.ts';
import type { ReviewFlags } from './flags.ts';
import { browserCommand, openBrowser } from './open-browser.ts';
import { type PageServer, startPageServer } from './page-server.ts';
import { openPictures } from './pictures.ts';
import { openState } from './review-state.ts';
import type { Reviewing } from './reviewing.ts';
import { pageRoutes } from './routes.ts';
import { createSessions } from './session.ts';

const IDLE_MINUTES = 60;
const IDLE_CHECK_MS = 5_000;

/** How the review on the page ended. */
type Ending = 'finished' | 'idle' | 'stopped';

/**
 * Serves the page until the review is finished there, which writes the result, or until it is stopped or left, with
 * what was decided kept beside the result.
 */
export async function reviewOnPage(
  reviewing: Reviewing,
  paths: { readonly output: string; readonly draft: string },
  flags: ReviewFlags,
  ctx: CliContext,
  write: (reviewed: ReviewedEnvelope) => Promise<void>,
): Promise<void> {
  const now = clockOf(flags.now, ctx);
  const sessions = createSessions(() => performance.now());
  const pictures = openPictures(reviewing);
  const draft = resolve(ctx.cwd, paths.draft);
  const given = { reviewer: flags.reviewer ?? '', cwd: ctx.cwd, now };
  const { state, setAside, resumed } = await openState(reviewing, draft, given);
  if (setAside) await tell(ctx, `vehi: ${paths.draft} is of another result and was set aside as ${setAside}`);
  if (resumed > 0) await tell(ctx, `vehi: going on with ${resumed} decisions kept in ${paths.draft}`);
  const place = { source: reviewing.source, photos: flags.photos, models: flags.models };
  let end: (ending: Ending) => void = () => undefined;
  const ended = new Promise<Ending>((done) => {
    end = done;
  });
  const routes = pageRoutes({
    reviewing,
    state,
    sessions,
    pictures,
    output: paths.output,
    onUsedLink: () => void tell(ctx, 'vehi: a link that was used before was opened; Enter prints a new one'),
    export: (name, reviewed, redact) => {
      const wanted = EXPORTS.find((one) => one.name === name);
      if (!wanted) throw new VehiError('input', 'NOT_FOUND', `${name} is no export.`);
      return exported(wanted, reviewed, place, reviewing.engine, { redact, now }, ctx);
    },
    finish: async ({ reviewed }) => {
      await write(reviewed);
      // The answer goes out before the server ends.
      setTimeout(() => end('finished'), 50);
    },
  });
  const host = flags.host ?? '127.0.0.1';
  const allowedHosts = flags.allowHost ?? [];
  const options = { host, port: flags.port ?? 0, allowedHosts, holdsSession: sessions.holds };
  const server = await startPageServer(routes, options);
  const stopListening = await invite(server, sessions.newToken, flags, ctx);
  const release = ctx.onStop(() => end('stopped'));
  const idle = watchIdle(server, flags.idleMinutes ?? IDLE_MINUTES, () => end('idle'));
  try {
    const ending = await ended;
    if (ending === 'finished') return;
    const kept =
      state.current().saved_at === null ? 'nothing was decided' : `what was decided is in ${paths.draft}`;
    await tell(ctx, `vehi: ${ending === 'idle' ? 'nobody used the page' : 'stopped'}; ${kept}`);
    if (ending === 'stopped') ctx.setExitCode(EXIT.interrupted);
  } finally {
    clearInterval(idle);
    release();
    stopListening();
    await server.close();
    await pictures.close();
  }
}

/** Prints the link, opens it, and prints a fresh one whenever Enter is pressed. */
async function invite(
  server: PageServer,
  newToken: () => string,
  flags: ReviewFlags,
  ctx: CliContext,
): Promise<() => void> {
  const link = () => `http://127.0.0.1:${server.port}/#t=${newToken()}`;
  const first = link();
  await tell(ctx, `Review at ${first}`);
  if (flags.host)
    await tell(
      ctx,
      `vehi: the page listens on ${flags.host}; whoever reaches it and has the link can review`,
    );
  if (ctx.env.SSH_CONNECTION)
    await tell(
      ctx,
      `On your own machine first: ssh -L ${server.port}:127.0.0.1:${server.port} ${hostname()}`,
    );
  await tell(ctx, 'Enter prints a fresh link, Ctrl-C stops and keeps what was decided.');
  if (flags.open !== false && browserCommand(ctx.env, process.platform))
    openBrowser(first, ctx.env, process.platform);
  const onEnter = () => void tell(ctx, `Review at ${link()}`);
  ctx.stdin.on('data', onEnter);
  return () => {
    ctx.stdin.off('data', onEnter);
    ctx.stdin.pause();
  };
}

function watchIdle(server: PageServer, minutes: number, end: () => void): NodeJS.Timeout {
  return setInterval(() => {
    if (server.idleMs() > minutes * 60_000) end();
  }, IDLE_CHECK_MS);
}
