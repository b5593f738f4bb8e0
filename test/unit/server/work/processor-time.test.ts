import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createClock } from '../../../../src/server/clock.ts';
import { runVisualJob } from '../../../../src/server/jobs/visual.ts';
import { makeEmptyInspection, namePhoto } from '../../../../src/server/jobs/visual-job.ts';
import { createServices } from '../../../../src/server/make-services.ts';
import { DEFAULT_SETTINGS } from '../../../../src/server/server-settings.ts';
import { computeCost } from '../../../../src/server/work/job-cost.ts';
import { createProcessorMeter } from '../../../../src/server/work/processor-time.ts';
import { openMemoryStore } from '../../../../src/storage/sqlite/store.ts';
import { account, inspection } from '../../../helpers/results/stored-records.ts';
import { photo } from '../../../server/helpers/programs.ts';
import { standInPrograms, startStandInChild } from '../../../server/helpers/stand-in.ts';

it('shares the processor time of this process among the work that runs', () => {
  let seconds = 100;
  const meter = createProcessorMeter(() => seconds);
  const endFirst = meter.start();
  seconds += 3;
  const endSecond = meter.start();
  seconds += 4;
  const first = endFirst();
  seconds += 1;
  expect([first, endSecond()]).toEqual([5, 3]);
  seconds += 7;
  expect(meter.start()()).toBe(0);
});

/** Does one inspection of one photo, and returns what its account was charged beyond that. */
async function listCharges(
  apart: boolean,
  change: (made: Awaited<ReturnType<typeof createServices>>) => object,
) {
  const store = openMemoryStore();
  const createdAt = new Date().toISOString();
  // Every look at the clock is an hour after the last.
  let hours = 0;
  const clock = { ...createClock(), monotonicMs: () => ++hours * 3_600_000 };
  const made = await createServices(
    {
      ...{ programs: standInPrograms(0), store, clock, startChild: () => startStandInChild(0) },
      settings: { ...DEFAULT_SETTINGS, environment: 'sandbox', sandbox: true, keepViewsDays: 0 },
    },
    { kind: 'work', log: pino({ level: 'silent' }) },
  );
  const charged: number[] = [];
  const charge = async (_account: string, cost: number) => void charged.push(cost);
  const services = { ...made, queue: { ...made.queue, charge }, ...change(made) };
  await store.accounts.create(account('acc_1'));
  const id = 'vis_00000000000000000000000001';
  await store.blobs.put(id, namePhoto(0), photo());
  await store.inspections.create(
    inspection(id, {
      ...{ createdAt, document: makeEmptyInspection(id, 'veh_1', createdAt), meta: {} },
      request: {
        ...{ images: [{ url: 'https://example.com/1.jpg', angle: 'front', type: 'exterior' }], options: {} },
        ...{ unusable: [], requestId: 'req_1', simulate: {} },
      },
    }),
  );
  expect(await runVisualJob(id, services, new AbortController().signal, apart)).toBe('ended');
  expect((await store.inspections.get(id))?.status).toBe('completed');
  const spent = made.quarantine?.processorSeconds;
  await made.quarantine?.close();
  return { charged, spent };
}

const meter = (seconds: number) => ({ start: () => () => seconds });

it.each([
  ['waits for an hour is charged nothing', 0.5, []],
  ['uses nine seconds is charged eight photos', 9, [computeCost({ photos: 8, weight: 2 })]],
])('work that %s', async (_name, seconds, expected) => {
  const { charged } = await listCharges(false, () => ({
    meters: { inProcess: meter(seconds), inChild: meter(0) },
  }));
  expect(charged).toEqual(expected);
});

it('work apart is charged what its child used', async () => {
  const { charged, spent = 0 } = await listCharges(true, () => ({}));
  expect(charged).toEqual([]);
  expect(spent).toBeGreaterThan(0);
  expect(spent).toBeLessThan(1);
});
