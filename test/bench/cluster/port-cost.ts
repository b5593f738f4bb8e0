import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import pLimit from 'p-limit';
import { createClock } from '../../../src/server/clock.ts';
import type { QueueParts } from '../../../src/server/services.ts';
import type { WorkQueue } from '../../../src/server/work/port.ts';
import { openDirectoryStore } from '../../../src/storage/sqlite/store.ts';
import { photoHost, startService, type TestService, visualRequest } from '../../server/helpers/service.ts';
import { standInPrograms } from '../../server/helpers/stand-in.ts';

const ROUNDS = 60;
const CYCLES = 20;
/** Warm-up rounds for V8 compilation. */
const WARM_ROUNDS = 10;

const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
const round = (value: number) => Number(value.toFixed(3));

/** Runs jobs on submission in FIFO order: no slots, fair queueing or abort signal. */
function createDirectQueue({ run, workers, limit }: QueueParts): WorkQueue {
  const inTurn = pLimit(workers);
  const { signal } = new AbortController();
  return {
    reserve: async () => ({
      cost: 0,
      submit: (id) => inTurn(async () => void (await run(id, signal))),
      cancel() {},
    }),
    async start() {},
    waiting: 0,
    running: 0,
    delayed: 0,
    limit,
    oldestWaitMs: () => 0,
    async drain() {},
  };
}

/**
 * Measures the overhead of the single-process queue on SQLite: inspections of four photos through the service from
 * request to result, with jobs going through the port or called directly. Both alternate; medians over all rounds are
 * compared.
 */
export async function measurePortCost() {
  const photos = await photoHost();
  const folder = mkdtempSync(join(tmpdir(), 'vehi-port-'));
  const services: TestService[] = [];
  const start = async (name: string, direct: boolean) => {
    const store = openDirectoryStore(join(folder, name));
    const parts = { clock: createClock(), ...(direct ? { createQueue: createDirectQueue } : {}) };
    const account = { plan: 'enterprise' } as const;
    const service = await startService({}, { store, parts, account, programs: standInPrograms(0) as never });
    services.push(service);
    return { service, wallMs: [] as number[], processorMs: [] as number[] };
  };
  try {
    const [port, direct] = [await start('port', false), await start('direct', true)];
    const json = visualRequest(Array.from({ length: 4 }, (_v, i) => `${photos.url}/1920x1080-${i}.jpg`));
    const turn = async ({ service, wallMs, processorMs }: typeof port) => {
      const [startMs, before] = [performance.now(), process.cpuUsage()];
      for (let i = 0; i < CYCLES; i++) {
        const { body } = await service.call('POST', '/v1/inspections/visual', { json });
        if (body.data?.status !== 'completed') throw new Error(JSON.stringify(body));
      }
      const { user, system } = process.cpuUsage(before);
      wallMs.push((performance.now() - startMs) / CYCLES);
      processorMs.push((user + system) / 1000 / CYCLES);
    };
    for (let i = 0; i < WARM_ROUNDS + ROUNDS; i++) {
      const order = i % 2 === 0 ? [port, direct] : [direct, port];
      for (const one of order) await turn(one);
    }
    const of = (values: readonly number[]) => round(median(values.slice(WARM_ROUNDS)));
    return {
      rounds: ROUNDS,
      wallMs: { port: of(port.wallMs), direct: of(direct.wallMs) },
      processorMs: { port: of(port.processorMs), direct: of(direct.processorMs) },
      wallRatio: round(of(port.wallMs) / of(direct.wallMs)),
      processorRatio: round(of(port.processorMs) / of(direct.processorMs)),
      limitRatio: 1.05,
    };
  } finally {
    for (const service of services) await service.close();
    await photos.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
