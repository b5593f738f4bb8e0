import { makeUsageError } from '../../lib/errors.ts';
import { createClock } from '../../server/clock.ts';
import { createWorkProcess } from '../../server/work-process.ts';
import type { FlagsOf } from '../commands.ts';
import type { CliContext } from '../terminal/context.ts';
import { write } from '../terminal/output.ts';
import { closeMetrics, listenForMetrics, runServiceProcess } from './service-process.ts';
import { readSharedAddresses } from './shared-addresses.ts';
import { openSharedStore } from './store.ts';

/** Database connections of a worker process, which runs few queries. */
const CONNECTIONS = 3;
/** Flags of `vehi serve` for a process that runs jobs and sends webhooks, but serves no requests. */
const WORKER_FLAGS = {
  port: 0,
  work: true,
  webhooks: true,
  queue: 1,
  inlineImages: 0,
  inlineSeconds: 0,
  keepViews: 0,
} as const;

/** Runs `vehi work` until it is stopped, then finishes or releases the running jobs. */
export async function runWork(flags: FlagsOf<'work'>, ctx: CliContext): Promise<void> {
  const shared = readSharedAddresses(flags, ctx);
  if (!shared)
    throw makeUsageError(
      'vehi work needs --database and --objects of the service it works for.',
      'A service with its own data directory needs no workers: vehi serve --workers N.',
    );
  if (flags.baseUrl === undefined) {
    const message = '--base-url is missing: events name the address of the service.';
    throw makeUsageError(message, 'For example --base-url https://vehi.example.com');
  }
  await runServiceProcess(
    {
      flags: { ...flags, ...WORKER_FLAGS },
      shared,
      clock: createClock(),
      openStore: async () => ({ store: await openSharedStore(shared, CONNECTIONS, ctx) }),
      create: async (parts) => {
        const worker = await createWorkProcess(parts);
        return {
          async start() {
            await worker.start();
            const metrics = await listenForMetrics(worker.server, flags);
            await write(ctx.stdout, `${JSON.stringify({ working: parts.settings.environment, metrics })}\n`);
          },
          async close() {
            await worker.stop();
            closeMetrics(worker.server);
          },
        };
      },
    },
    ctx,
  );
}
