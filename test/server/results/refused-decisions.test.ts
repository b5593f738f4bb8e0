import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runHousekeeping } from '../../../src/server/housekeeping.ts';
import { DEFAULT_SETTINGS } from '../../../src/server/server-settings.ts';
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
  message:
    'The saved change of no. 1 was left out: "Dent" is not possible on "Windshield". No. 1 is open again.',
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
    expect(body.error.message).toContain('decisions: [1] is dent on windshield');
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

describe('a box whose photo is not kept any more', () => {
  const OTHER = { ...DRAWN, image_index: 2 };

  beforeEach(async () => {
    const stored = await service.store.reviews.get(id);
    if (!stored) throw new Error('nothing was stored');
    const { review, ...outcome } = stored.outcome as { review: { decisions: readonly object[] } };
    const seen = { decision: 'add', original: null, corrected: { location: { part: 'hood' } } };
    const decisions = [...review.decisions, seen];
    // As it was stored while the photo was kept: nobody named the part, it was seen.
    const made = { ...outcome, review: { ...review, decisions } };
    await service.store.reviews.save({ ...stored, revision: 3, decisions: [OTHER, TICK], outcome: made });
    const clock = { wallMs: () => Date.now() + 8 * 24 * 3_600_000 };
    const settings = { ...DEFAULT_SETTINGS, keepViewsDays: 7 };
    await runHousekeeping({ store: service.store, settings, clock, self: { id: 'test' } } as never);
  });

  it('stays on the part it was seen on, and nothing is left out', async () => {
    const review = await read();
    expect(review).toMatchObject({ revision: 3, decisions: [{ ...OTHER, part: 'hood' }, TICK] });
    expect(review).not.toHaveProperty('left_out');
    expect(review.results.damages.at(-1)).toMatchObject({ type: 'dent', location: { part: 'hood' } });
  });

  it('stays there when it is sent as it was', async () => {
    const { status, body } = await put(3, [OTHER, TICK, { decision: 'accept', damage_id: DAMAGE }]);
    expect(status).toBe(200);
    expect(body.data.decisions[0]).toEqual({ ...OTHER, part: 'hood' });
    expect(body.data).not.toHaveProperty('left_out');
  });

  it('is left out, in words, where it was never seen on a part', async () => {
    const stored = await service.store.reviews.get(id);
    if (!stored) throw new Error('nothing was stored');
    const twice = [OTHER, TICK, { ...OTHER, type: 'scratch' }];
    await service.store.reviews.save({ ...stored, revision: 4, decisions: twice });
    const review = await read();
    expect(review.decisions).toEqual([{ ...OTHER, part: 'hood' }, TICK]);
    expect(review.left_out).toEqual([
      {
        decision: 'add',
        message:
          'The saved box in 3-1920x1080.jpg was left out: its photo cannot be read, and no part is named.',
      },
    ]);
  });
});
