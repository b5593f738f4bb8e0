import type { InspectEvent } from '../../engine/request.ts';
import { formatCount } from '../../lib/format-count.ts';
import { escapeName } from '../../lib/names.ts';
import type { CliContext } from './context.ts';

/** Reports the progress of an inspection on stderr. */
interface Progress {
  readonly onEvent: (event: InspectEvent) => void;
  note(text: string): void;
  stop(): void;
}

const SILENT: Progress = { onEvent: () => undefined, note: () => undefined, stop: () => undefined };

/** Returns true if stderr can show a spinner: a terminal of nonzero width (others are flooded), not dumb, not in CI. */
function supportsSpinner({ stderr, env }: CliContext): boolean {
  return Boolean(stderr.isTTY) && (stderr.columns ?? 0) > 0 && !env.CI && env.TERM !== 'dumb';
}

/** Starts a spinner on a suitable terminal; otherwise, progress is silent. */
export async function createInspectProgress(ctx: CliContext, quiet: boolean): Promise<Progress> {
  const { stderr } = ctx;
  if (quiet || !supportsSpinner(ctx)) return SILENT;
  const { default: ora } = await import('ora');
  const color = ctx.colour.stderr > 0 ? 'cyan' : undefined;
  const spinner = ora({
    text: 'loading the models',
    stream: stderr as NodeJS.WriteStream,
    discardStdin: false,
    ...(color ? { color } : {}),
  }).start();
  let found = 0;
  return {
    onEvent: (event) => {
      if (event.kind === 'started') spinner.text = `photo 1 of ${event.photos}`;
      if (event.kind === 'photo_rejected') spinner.text = `${escapeName(event.url)}: ${event.code}`;
      if (event.kind === 'photo_done') {
        found += event.damages;
        const next = Math.min(event.done + 1, event.photos);
        spinner.text = `photo ${next} of ${event.photos}${found ? `, ${formatCount(found, 'finding')}` : ''}`;
      }
    },
    note: (text) => {
      spinner.text = text;
    },
    stop: () => {
      spinner.stop();
    },
  };
}
