import type { InspectEvent } from '../../engine/request.ts';
import { escapeName } from '../../lib/names.ts';
import type { CliContext } from './context.ts';

/** Shows the progress of an inspection on stderr; silent in CI and on terminals that cannot rewrite a line. */
export async function createInspectProgress({ stderr, env, color }: CliContext, quiet = false) {
  // A terminal that reports no width would be flooded.
  const isShown = !quiet && stderr.isTTY && (stderr.columns ?? 0) > 0 && !env.CI && env.TERM !== 'dumb';
  const spinner = isShown
    ? (await import('ora')).default({
        text: 'loading the models',
        stream: stderr as NodeJS.WriteStream,
        discardStdin: false,
        color: color.stderr > 0 && 'cyan',
      })
    : undefined;
  spinner?.start();
  const show = (text: string) => {
    if (spinner) spinner.text = text;
  };
  return {
    onEvent(event: InspectEvent): void {
      if (event.kind === 'started') show(`photo 1 of ${event.photos}`);
      if (event.kind === 'photo_rejected') show(`${escapeName(event.url)}: ${event.code}`);
      if (event.kind !== 'photo_done') return;
      show(`photo ${Math.min(event.done + 1, event.photos)} of ${event.photos}`);
    },
    note: show,
    stop: () => void spinner?.stop(),
  };
}
