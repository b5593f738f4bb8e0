import { expect, test } from 'vitest';
import { loadTablesWith } from '../../../src/config/regions-file.ts';
import { assembleEngine, type Inspectors } from '../../../src/engine/engine.ts';
import { createEngine } from '../../../src/index.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';
import { dent, makeFakeDeps, makeRequest } from '../../helpers/results/fake-inspection.ts';

const assemble = async (openInspectors: () => Promise<Inspectors>) =>
  assembleEngine({
    openInspectors,
    tables: await loadTablesWith(undefined),
    defaults: { region: 'US_MIDWEST' },
    concurrency: 1,
    softwareVersion: '0',
    now: () => new Date('2026-01-01T00:00:00Z'),
  });

test('an unknown region is refused before the models are opened', async () => {
  const engine = await assemble(() => Promise.reject(new Error('models opened')));
  const { options, ...request } = makeRequest(['a']);
  const inspecting = engine.inspect({ ...request, options: { ...options, region: 'MARS' } });
  await expect(inspecting).rejects.toMatchObject({ code: 'INVALID_REGION' });
});

test('a review without drawn boxes opens no photo', async () => {
  const engine = await assemble(() => Promise.reject(new Error('models opened')));
  const checked = [{ decision: 'nothing_more', image_index: 0 }];
  const { review } = await engine.review(exampleInspection({ damages: 1, photos: 1 }), checked);
  expect(review.photos_checked).toEqual([0]);
});

test('closing waits for an inspection in progress, up to its last photo', async () => {
  const { reader, vision } = makeFakeDeps({ a: { detections: [dent(420)] }, b: { detections: [dent(430)] } });
  const events: string[] = [];
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const inspectors: Inspectors = {
    reader: {
      async read(source) {
        await held;
        if (events.includes('decoder closed')) throw new Error('read with a closed decoder');
        return reader.read(source);
      },
      close: async () => void events.push('decoder closed'),
    },
    vision: { ...vision, close: async () => void events.push('models closed') },
  };
  const engine = await assemble(async () => inspectors);
  const inspecting = engine.inspect(makeRequest(['a', 'b'])).finally(() => events.push('inspected'));
  const closing = engine.close();
  // Time in which an engine that does not wait releases everything.
  await new Promise(setImmediate);
  release();
  const { data } = await inspecting;
  await closing;
  expect(data.images.map(({ analyzed }) => analyzed)).toEqual([true, true]);
  expect(data.results?.damages).toHaveLength(1);
  expect(events).toEqual(['inspected', 'models closed', 'decoder closed']);
});

test.each([0, -1, 1.5, Number.NaN, 257])('an engine with %d threads is refused', async (threads) => {
  await expect(createEngine({ threads, models: 'when-needed' })).rejects.toMatchObject({
    kind: 'usage',
    message: `createEngine: threads is ${threads}; a whole number from 1 to 256 is needed.`,
  });
});
