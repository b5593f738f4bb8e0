import type { InspectEvent } from '../../engine/request.ts';
import { formatCount } from '../../lib/format-count.ts';
import { escapeName } from '../../lib/names.ts';
import type { CliContext } from './context.ts';
import { rewriteStatus } from './output.ts';

/** Starts a line on stderr that shows the progress of an inspection, on a terminal that can rewrite it. */
export function createInspectProgress({ stderr, env }: CliContext, quiet: boolean) {
  const { isTTY, columns = 0 } = stderr;
  // A terminal without a width would be flooded.
  const isShown = !quiet && isTTY && columns > 1 && !env.CI && env.TERM !== 'dumb';
  const show = (text: string) => {
    if (isShown) void rewriteStatus({ stderr }, text);
  };
  show('loading the models');
  let found = 0;
  return {
    onEvent(event: InspectEvent): void {
      if (event.kind === 'started') show(`photo 1 of ${event.photos}`);
      if (event.kind === 'photo_rejected') show(`${escapeName(event.url)}: ${event.code}`);
      if (event.kind !== 'photo_done') return;
      found += event.damages;
      const next = Math.min(event.done + 1, event.photos);
      show(`photo ${next} of ${event.photos}${found ? `, ${formatCount(found, 'finding')}` : ''}`);
    },
    note: show,
    stop: () => show(''),
  };
}
