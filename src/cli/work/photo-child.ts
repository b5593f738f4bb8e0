import { createClock } from '../../server/clock.ts';
import { answerParent } from '../../server/work/quarantine-child.ts';
import { type EngineFlags, openPrograms, type PricedBy } from '../service/programs.ts';
import { createProcessContext } from '../terminal/context.ts';

// A process of its own that opens photos for the service that started it: `photo-child FLAGS`. It ends with its parent,
// and only with it: a signal for all of a service must not look like a photo that ends the program.
const { flags, settings } = JSON.parse(process.argv[2] ?? '{}') as {
  readonly flags: EngineFlags;
  readonly settings: PricedBy;
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit());
const programs = await openPrograms(flags, settings, createClock(), createProcessContext([]));
answerParent(programs, {
  post: (message) => void process.send?.(message),
  on: (listener) => void process.on('message', listener),
});
