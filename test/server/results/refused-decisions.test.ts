import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { photoHost, startService, type TestService, visualRequest } from '../helpers/service.ts';

const DAMAGE = 'dmg_front_bumper_001';
/** Was possible once: glass does not dent. */
const REFUSED = { decision: 'change', damage_id: DAMAGE, part: 'windshield', type: 'dent' };
const TICK = { decision: 'nothing_more', image_index: 2 };
const DRAWN = {
  decision: 'add',
  image_index: 1,
  box: { x: 400, y: 200, width: 300, height: 300 },
  type: 'dent',
};
const LEFT_OUT = {
  decision: 'change',
  damage_id: DAMAGE,
  message: expect.stringContaining('(change of no. 1) is refused now and was left out: dent on windshield'),
};
let service: TestService;
let host: Awaited<ReturnType<typeof photoHost>>;
let id: string;

beforeAll(async () => {
  host = await photoHost();
  service = await startService({});
});
afterAll(async () => {
  await service.close();
  await host.close();
});
beforeEach(async () => {
  const urls = [1, 2, 3, 4].map((n) => `${host.url}/${n}-1920x1080.jpg`);
  const json = visualRequest(urls, { options: { detailed_analysis: true } });
  id = (await service.call('POST', '/v1/inspections/visual', { json })).body.data.inspection_id;
  // As an earlier version stored it.
  await put(0, [TICK]);
  const stored = await service.store.reviews.get(id);
  if (!stored) throw new Error('nothing was stored');
  await service.store.reviews.save({ ...stored, revision: 2, decisions: [REFUSED, TICK] });
});

const address = (end = '') => `/v1/inspections/visual/${id}/review${end}`;
const read = async () => (await service.call('GET', address())).body.data;
const put = (revision: number, decisions: readonly object[]) =>
  service.call('PUT', address(), { json: { revision, decisions } });
const finish = (revision: number) => service.call('POST', address('/finish'), { json: { revision } });

describe('a stored decision that is refused by now', () => {
  it('is open again and named; all others hold', async () => {
    const review = await read();
    expect(review).toMatchObject({ revision: 2, status: 'open', decisions: [TICK], left_out: [LEFT_OUT] });
    expect(review.review).toMatchObject({ not_reviewed: [DAMAGE], photos_checked: [2] });
    expect(review.results.damages[0].location.part).toBe('front_bumper');
  });

  it('keeps nobody from changing all else, also where it is sent again', async () => {
    const first = await put(2, [REFUSED, TICK, DRAWN]);
    expect(first.status).toBe(200);
    expect(first.body.data).toMatchObject({ revision: 3, decisions: [TICK, DRAWN], left_out: [LEFT_OUT] });
    expect(await read()).not.toHaveProperty('left_out');
    const second = await put(3, [TICK, { decision: 'accept', damage_id: DAMAGE }]);
    expect(second.body.data).toMatchObject({ revision: 4, review: { not_reviewed: [] } });
    expect(second.body.data).not.toHaveProperty('left_out');
  });

  it('does not let a new one of its kind pass', async () => {
    const other = { ...REFUSED, severity: 'minor' };
    const { status, body } = await put(2, [TICK, other]);
    expect([status, body.error.code]).toEqual([422, 'INVALID_DECISIONS']);
    expect(body.error.message).toContain('decisions: [1]: dent on windshield');
    expect((await read()).revision).toBe(2);
  });

  it('is not in what is finished; what was finished with it stays until it is changed', async () => {
    const ended = await finish(2);
    expect(ended.body.data).toMatchObject({ status: 'finished', revision: 3, decisions: [TICK] });
    const stored = await service.store.reviews.get(id);
    if (!stored) throw new Error('nothing was stored');
    await service.store.reviews.save({ ...stored, revision: 4, decisions: [REFUSED, TICK] });
    await service.store.reviews.finish(id, 4, '2026-01-31T12:00:00.000Z', []);
    const finished = await read();
    expect(finished).toMatchObject({ status: 'finished', decisions: [REFUSED, TICK] });
    expect(finished).not.toHaveProperty('left_out');
    const changed = await put(4, [REFUSED, TICK, DRAWN]);
    expect(changed.body.data).toMatchObject({
      status: 'open',
      decisions: [TICK, DRAWN],
      left_out: [LEFT_OUT],
    });
  });
});
