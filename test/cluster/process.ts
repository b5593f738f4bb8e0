import { pino } from 'pino';
import { openObjects } from '../../src/cli/service/store.ts';
import { createApp } from '../../src/server/app.ts';
import { createClock } from '../../src/server/clock.ts';
import type { QueueParts } from '../../src/server/work/queue.ts';
import { createSharedQueue } from '../../src/server/work/shared-queue.ts';
import { createWorkProcess } from '../../src/server/work-process.ts';
import { openPostgresStore } from '../../src/storage/postgres/store.ts';
import { SWIFT_ENV } from '../helpers/services/swift.ts';
import { STAND_IN_SETTINGS, standInBackend, startStandInChild } from '../server/helpers/stand-in.ts';

// A process of its own, to be killed in the middle: `process.ts serve|work CHOICES`; prints one line when it is ready.
const [kind = '', choices = '{}'] = process.argv.slice(2);
const { database, objects, port, workMs = 30, settings: chosen = {} } = JSON.parse(choices);

const clock = createClock();
const settings = {
  ...STAND_IN_SETTINGS,
  baseUrl: 'http://cluster.test',
  keepViewsDays: 0,
  workers: kind === 'work' ? 2 : 0,
  jobRetryMs: 500,
  queueLimit: 10_000,
  ...chosen,
};
const logger = pino({ level: 'fatal' });
const files = await openObjects(objects, { env: SWIFT_ENV });
const store = await openPostgresStore({ url: database, connections: 5, objects: files });
// Shorter than in production, so that what a killed process held comes back within a test.
const timing = { lockMs: 3_000, missingMs: 1_000 };
const createQueue = (parts: QueueParts) => createSharedQueue(parts, database, timing);
const startChild = () => startStandInChild(workMs);
const parts = { backend: standInBackend(workMs), store, clock, settings, createQueue, logger, startChild };
if (kind === 'work') {
  const worker = await createWorkProcess(parts);
  await worker.start();
  process.on('SIGTERM', () => {
    void worker.stop().then(() => store.close());
  });
  process.stdout.write('{}\n');
} else {
  const app = await createApp(parts);
  const address = await app.listen({ host: '127.0.0.1', port: port ?? 0 });
  process.stdout.write(`${JSON.stringify({ address })}\n`);
}
