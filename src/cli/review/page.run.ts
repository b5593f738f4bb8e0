import type { ReviewedEnvelope } from '../../contract/review.ts';
import { VehiError } from '../../lib/errors.ts';
import type { CliContext, StopSignal } from '../terminal/context.ts';
import { decideExit } from '../terminal/exit-code.ts';
import { chooseClock } from '../terminal/now.ts';
import { printStatus } from '../terminal/progress.ts';
import type { Door } from './door.ts';
import { EXPORTS, renderExport } from './exports.ts';
import type { ReviewFlags } from './flags.ts';
import { openPictures } from './pictures.ts';
import type { ReviewState } from './review-state.ts';
import type { Reviewing } from './reviewing.ts';
import { listPageRoutes } from './routes.ts';

const IDLE_MINUTES = 60;
const IDLE_CHECK_MS = 5_000;

/** How the review on the page ended. */
type Ending = 'finished' | 'idle' | 'stopped';

/** What open pages show at the end. */
const ENDING_WORDS = {
  finished: 'The review is finished.',
  idle: 'Nobody used the page for a while, so the command has ended.',
  stopped: 'The command was stopped.',
} as const satisfies Record<Ending, string>;

/**
 * Lets the pages of a door review until the review is finished there, which writes the result, or until it is stopped
 * or left, with what was decided kept next to the result.
 */
export async function reviewOnPage(
  reviewing: Reviewing,
  state: ReviewState,
  paths: { readonly output: string; readonly draft: string },
  flags: ReviewFlags,
  ctx: CliContext,
  openOwn: () => Promise<Door>,
  write: (reviewed: ReviewedEnvelope) => Promise<void>,
): Promise<void> {
  const now = chooseClock(flags.now, ctx);
  const pictures = openPictures(reviewing);
  const door = await openOwn();
  const { sessions, events } = door;
  const place = { source: reviewing.source, photos: flags.photos, models: flags.models };
  let end: (ending: Ending) => void = () => undefined;
  const ended = new Promise<Ending>((done) => {
    end = done;
  });
  const routes = listPageRoutes({
    reviewing,
    state,
    sessions,
    pictures,
    onSaved: (revision) => events.send({ kind: 'saved', revision }),
    output: paths.output,
    export: (name, reviewed, redact) => {
      const wanted = EXPORTS.find((one) => one.name === name);
      if (!wanted) throw new VehiError('input', 'NOT_FOUND', `${name} is not an export format.`);
      return renderExport(wanted, reviewed, place, reviewing.engine, { redact, now }, ctx);
    },
    finish: async ({ reviewed }) => {
      await write(reviewed);
      // The answer goes out before the server ends.
      setTimeout(() => end('finished'), 50);
    },
  });
  door.serve(routes);
  await door.invite();
  pictures.makeAhead(reviewing.inspection.data.images);
  events.send({ kind: 'ready' });
  let stopped: StopSignal | null = null;
  const release = ctx.onStop((signal) => {
    stopped = signal;
    end('stopped');
  });
  const idle = watchIdle(door.server, flags.idleMinutes ?? IDLE_MINUTES, () => end('idle'));
  let ending: Ending = 'stopped';
  try {
    ending = await ended;
    if (ending === 'finished') return;
    const kept =
      state.current().saved_at === null ? 'nothing was decided' : `what was decided is in ${paths.draft}`;
    await printStatus(ctx, `vehi: ${ending === 'idle' ? 'nobody used the page' : 'stopped'}; ${kept}`);
    ctx.setExitCode(decideExit({ check: 'passed' }, { stopped }).code);
  } finally {
    clearInterval(idle);
    release();
    await door.close(ENDING_WORDS[ending]);
    await pictures.close();
  }
}

function watchIdle(server: Door['server'], minutes: number, end: () => void): NodeJS.Timeout {
  return setInterval(() => {
    if (server.idleMs() > minutes * 60_000) end();
  }, IDLE_CHECK_MS);
}
