import { createClock } from '../../server/clock.ts';
import { createWorkProcess } from '../../server/work-process.ts';
import type { Store } from '../../storage/ports.ts';
import { createChildStarter } from '../service/child-starter.ts';
import { openLog } from '../service/log.ts';
import { openPrograms } from '../service/programs.ts';
import { listenForMetrics, openQueue, waitForStop } from '../service/serve.run.ts';
import { readServerSettings } from '../service/serve-settings.ts';
import { readSharedAddresses, warnOfPassword } from '../service/shared-addresses.ts';
import { openSharedStore } from '../service/shared-store.ts';
import { type CliContext, PRESS_AGAIN } from '../terminal/context.ts';
import type { FlagsOf } from '../terminal/options.ts';
import { write, writeStatus } from '../terminal/output.ts';
import { makeOptionError } from '../terminal/usage-errors.ts';

type WorkFlags = FlagsOf<'work'>;

/** Database connections of a worker process, which runs few queries. */
const CONNECTIONS = 3;
/** Settings of `vehi serve` that do not apply to a process without requests. */
const UNUSED_SERVE_SETTINGS = {
  port: 0,
  work: true,
  webhooks: true,
  queue: 1,
  inlineImages: 0,
  inlineSeconds: 0,
  keepViews: 0,
} as const;

/** Runs `vehi work` until it is stopped, then finishes or releases the running jobs. */
export async function runWork(flags: WorkFlags, ctx: CliContext): Promise<void> {
  const shared = readSharedAddresses(flags, ctx);
  if (!shared) {
    throw makeOptionError(
      'vehi work needs --database and --objects of the service it works for.',
      'A service with its own data directory needs no workers: vehi serve --workers N.',
    );
  }
  if (flags.baseUrl === undefined) {
    throw makeOptionError(
      '--base-url is missing: events name the address of the service.',
      'For example --base-url https://vehi.example.com',
    );
  }
  await warnOfPassword(flags, ctx);
  const clock = createClock();
  const settings = readServerSettings({ ...flags, ...UNUSED_SERVE_SETTINGS }, ctx);
  const programs = await openPrograms(flags, clock, ctx);
  let store: Store | undefined;
  try {
    store = await openSharedStore(shared, CONNECTIONS, ctx);
    const createQueue = await openQueue(shared);
    const { logger, lines } = openLog(flags, settings);
    if (!settings.sandbox) await programs.warmUp();
    const startChild = createChildStarter(flags, ctx);
    const worker = await createWorkProcess({
      programs,
      store,
      clock,
      settings,
      createQueue,
      logger,
      startChild,
    });
    const stop = waitForStop(ctx);
    try {
      await worker.start();
      const metrics =
        flags.metricsPort === undefined ? {} : { metrics: await listenForMetrics(worker.server, flags) };
      await write(ctx.stdout, `${JSON.stringify({ working: settings.environment, ...metrics })}\n`);
      await stop;
      await writeStatus(ctx, `vehi: finishing the running jobs; ${PRESS_AGAIN}`);
    } finally {
      await worker.stop();
      worker.server.close();
      worker.server.closeAllConnections();
      lines.flushSync();
    }
  } finally {
    await programs.close();
    await store?.close();
  }
}
