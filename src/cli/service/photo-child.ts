import { createClock } from '../../server/clock.ts';
import { serveParent } from '../../server/work/quarantine-child.ts';
import { createProcessContext } from '../terminal/context.ts';
import { type EngineFlags, openBackend } from './backend.ts';

// Child process that opens photos for its parent service: `photo-child FLAGS`. It exits only with its parent, because
// an exit from a signal to the whole service would look like a crash caused by a photo.
const flags = JSON.parse(process.argv[2] ?? '{}') as EngineFlags;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit());
const backend = await openBackend(flags, createClock(), createProcessContext([]));
serveParent(backend, {
  post: (message) => void process.send?.(message),
  on: (listener) => void process.on('message', listener),
});
