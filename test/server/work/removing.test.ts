import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { NO_PICTURES } from '../../../src/report/pictures.ts';
import { finishRemovals } from '../../../src/storage/removal.ts';
import { makeGate } from '../../helpers/gate.ts';
import { makeFakeBackend } from '../helpers/backend.ts';
import { onCluster, openEmptyStore } from '../helpers/cluster-store.ts';
import { startReceiver } from '../helpers/listen.ts';
import { good, photoUrl } from '../helpers/photo-host.ts';
import { begin, codeOf, LATER, openService, VISUAL } from '../helpers/service.ts';

/** A backend whose drawing stops after the first photo until `release` is called. */
function slowDrawing() {
  const backend = makeFakeBackend();
  const { draw } = backend.artifacts;
  const { open: release, passed } = makeGate();
  const state = { begun: false, ended: false };
  const slow: typeof draw = async (inspection, photos, options, keep) => {
    const pictures = await draw(inspection, photos, options, async (drawn) => {
      if (state.begun) await passed;
      await keep(drawn);
      state.begun = true;
    });
    state.ended = true;
    return pictures;
  };
  return { backend: { ...backend, artifacts: { ...backend.artifacts, draw: slow } }, release, state };
}

describe('an inspection that is removed while its photos are drawn', () => {
  it('leaves no picture, and no owner of one', async () => {
    const { backend, release, state } = slowDrawing();
    const service = await openService({}, { backend });
    const id = await begin(service);
    await expect.poll(() => state.begun).toBe(true);
    expect(await service.store.blobs.list(id)).toEqual(
      expect.arrayContaining(['thumbnail-0.jpg', 'view-0.jpg']),
    );
    expect((await service.call('DELETE', `${VISUAL}/${id}`)).status).toBe(204);
    release();
    await expect.poll(() => state.ended).toBe(true);
    await expect.poll(() => service.store.blobs.list(id)).toEqual([]);
    await expect.poll(() => service.store.blobs.listOwners()).toEqual([]);
    expect((await service.store.blobs.listOrphans?.(Date.now() + 60_000)) ?? []).toEqual([]);
  });

  it('leaves none where the next photo is gone while another is still drawn', async () => {
    const backend = makeFakeBackend();
    const [removed, drawn, state] = [makeGate(), makeGate(), { begun: false, failed: false }];
    let late: Promise<void> = Promise.resolve();
    const draw: typeof backend.artifacts.draw = async (_inspection, photos, _options, keep) => {
      const bytes = Buffer.from('jpeg');
      const views = { view: bytes, thumbnail: bytes, closeUps: [] };
      late = drawn.passed.then(() => keep({ index: 1, annotated: bytes, views }));
      state.begun = true;
      await removed.passed;
      try {
        for (const { source } of photos) if (source.kind === 'stored') await source.read();
        return NO_PICTURES;
      } catch (error) {
        state.failed = true;
        throw error;
      }
    };
    const artifacts = { ...backend.artifacts, draw };
    const service = await openService({}, { backend: { ...backend, artifacts } });
    const id = await begin(service);
    await expect.poll(() => state.begun).toBe(true);
    expect((await service.call('DELETE', `${VISUAL}/${id}`)).status).toBe(204);
    removed.open();
    await expect.poll(() => state.failed).toBe(true);
    await expect.poll(async () => (await service.app.readMetrics()).text).toMatch(/^vehi_queue_running 0$/m);
    drawn.open();
    await late;
    expect(await service.store.blobs.list(id)).toEqual([]);
    await expect.poll(() => service.store.blobs.listOwners()).toEqual([]);
  });

  it('leaves none either where the process ends before its attempt does', async () => {
    const { backend, release, state } = slowDrawing();
    const store = await openEmptyStore();
    const first = await openService({ workGraceMs: 0 }, { backend, store });
    const id = await begin(first);
    await expect.poll(() => state.begun).toBe(true);
    expect((await first.call('DELETE', `${VISUAL}/${id}`)).status).toBe(204);
    // What the attempt still writes, from whichever process, whose end nobody hears of.
    await store.blobs.put(id, 'view-1.jpg', Buffer.from('late'));
    const { setAside } = store.blobs;
    const moved: string[] = [];
    const noteMoved = async (owner: string) => {
      const isMoved = (await setAside?.(owner)) ?? false;
      if (isMoved) moved.push(owner);
      return isMoved;
    };
    Object.assign(store.blobs, { setAside: noteMoved });
    await openService({}, { store });
    if (onCluster) await finishRemovals(store);
    await expect.poll(() => store.blobs.listOwners()).toEqual([]);
    expect(moved).toEqual([]);
    // The first has waited for its photos all the time.
    release();
  });

  it('answers 204 where its files cannot be removed at once, and they follow', async () => {
    const store = await openEmptyStore();
    const service = await openService({}, { store });
    const { body } = await service.inspect();
    const id = body.data.inspection_id as string;
    const { remove } = store.blobs;
    Object.assign(store.blobs, {
      remove: () => Promise.reject(Object.assign(new Error('rmdir'), { code: 'ENOTEMPTY' })),
    });
    expect((await service.call('DELETE', `${VISUAL}/${id}`)).status).toBe(204);
    expect((await service.call('GET', `${VISUAL}/${id}`)).status).toBe(404);
    Object.assign(store.blobs, { remove });
    await openService({}, { store });
    // There the first goes on with housekeeping, once an hour.
    if (onCluster) await finishRemovals(store);
    await expect.poll(() => store.blobs.list(id)).toEqual([]);
  });
});

describe('a photo that only the decoder refuses', () => {
  async function startHeard(settings: object = {}) {
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    const service = await openService(settings);
    const json = { url: receiver.url, events: ['visual_inspection.failed'] };
    const { body } = await service.call('POST', '/v1/webhooks', { json });
    const heard = () => receiver.received.map((one) => JSON.parse(one.body).event);
    return { service, heard, endpoint: body.data.webhook_id as string };
  }
  const urls = [...good(3), photoUrl('1920x1080-cut-off')];

  it('is a 422 that leaves no inspection and sends no event, however long the removal takes', async () => {
    const { service, heard, endpoint } = await startHeard();
    const { purge } = service.store.inspections;
    Object.assign(service.store.inspections, {
      purge: async (...args: Parameters<typeof purge>) => {
        await sleep(1_500);
        return purge(...args);
      },
    });
    expect(codeOf(await service.inspect({ urls }))).toEqual([422, 'IMAGE_UNREADABLE']);
    expect((await service.read(VISUAL)).pagination.total).toBe(0);
    expect(await service.store.webhooks.listMessages(endpoint, 9, 0)).toEqual({ messages: [], total: 0 });
    expect(heard()).toEqual([]);
  });

  it('is a failed inspection with its event at once where nobody waits for the analysis', async () => {
    const { service, heard } = await startHeard();
    expect((await service.inspect({ urls, headers: LATER })).status).toBe(202);
    await expect.poll(heard, { timeout: 4_000 }).toEqual(['visual_inspection.failed']);
  });

  it('is one with its event later where the creation did not wait so long', async () => {
    const { service, heard } = await startHeard({ inlineMs: 50 });
    const release = service.backend.fake.holdUp();
    expect((await service.inspect({ urls })).status).toBe(202);
    release();
    await expect.poll(heard).toEqual(['visual_inspection.failed']);
  });
});
