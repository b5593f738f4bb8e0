import { serveParent } from '../../../src/server/work/quarantine-child.ts';
import { standInBackend } from './stand-in.ts';

// A process of its own that opens photos for a service of the tests.
process.on('SIGTERM', () => undefined);
process.on('disconnect', () => process.exit());
serveParent(standInBackend(Number(process.argv[2] ?? 0)), {
  post: (message) => void process.send?.(message),
  on: (listener) => void process.on('message', listener),
});
