import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runHousekeeping } from '../../../src/server/housekeeping.ts';
import { DEFAULT_SETTINGS } from '../../../src/server/server-settings.ts';
import { UNSEARCHED } from '../helpers/backend.ts';
import { CHECK, LARGE, makeProgramsWithLarge } from '../helpers/large-photos.ts';
import {
  codeOf,
  photoHost,
  refusalOf,
  startReceiver,
  startService,
  type TestService,
  visualRequest,
} from '../helpers/service.ts';

const DAMAGE = 'dmg_front_bumper_001';
let service: TestService;
let host: Awaited<ReturnType<typeof photoHost>>;
let id: string;
let path: string;

async function inspect(more: object = {}, vehicle = 'veh_1'): Promise<string> {
  const urls = [1, 2, 3, 4].map((n) => `${host.url}/${n}-1920x1080.jpg`);
  // Only a finding that says its size can be changed.
  const json = visualRequest(urls, { vehicle_id: vehicle, options: { detailed_analysis: true } });
  const made = await service.call('POST', '/v1/inspections/visual', { json, ...more });
  return made.body.data.inspection_id;
}
const read = async (as = service.key) => service.call('GET', path, { as });
const put = (revision: number, decisions: readonly object[], more: object = {}) =>
  service.call('PUT', path, { json: { revision, decisions, ...more } });
const finish = (revision: number) => service.call('POST', `${path}/finish`, { json: { revision } });

beforeAll(async () => {
  host = await photoHost();
  service = await startService({}, { backend: makeProgramsWithLarge() });
});
beforeEach(async () => {
  id = await inspect();
  path = `/v1/inspections/visual/${id}/review`;
});
afterAll(async () => {
  await service.close();
  await host.close();
});

describe('a review', () => {
  it('begins as found, with pictures behind links', async () => {
    const { status, body } = await read();
    expect([status, body.data.status, body.data.revision]).toEqual([200, 'open', 0]);
    expect(body.data.decisions).toEqual([]);
    expect(body.data.review.not_reviewed).toEqual([DAMAGE]);
    expect(body.data.photos).toHaveLength(4);
    const view = await service.app.inject(
      new URL(body.data.photos[2].view_url).pathname + new URL(body.data.photos[2].view_url).search,
    );
    expect([view.headers['content-type'], view.body]).toEqual(['image/jpeg', 'view 2']);
    expect((await service.app.inject(new URL(body.data.photos[2].view_url).pathname)).statusCode).toBe(404);
  });

  it('applies decisions by the rules of the engine; the inspection stays as it was', async () => {
    const before = await service.call('GET', `/v1/inspections/visual/${id}`);
    const drawn = {
      decision: 'add',
      image_index: 1,
      box: { x: 400, y: 200, width: 300, height: 300 },
      type: 'dent',
    };
    const decisions = [
      { decision: 'change', damage_id: DAMAGE, severity: 'severe' },
      drawn,
      { decision: 'nothing_more', image_index: 2 },
    ];
    const { status, body } = await put(0, decisions, { reviewer: ' Ada ' });
    expect([status, body.data.revision, body.data.reviewer, body.data.status]).toEqual([
      200,
      1,
      'Ada',
      'open',
    ]);
    expect(body.data.decisions).toEqual(decisions);
    const damages = body.data.results.damages.map((one: Record<string, unknown>) => [
      one.damage_id,
      one.severity,
    ]);
    expect(damages[0]).toEqual([DAMAGE, 'severe']);
    expect(damages[1][0]).toBe('dmg_hood_001');
    expect(body.data.review.photos_checked).toEqual([2]);
    expect((await read()).body.data).toMatchObject({
      revision: 1,
      decisions,
      results: { repair_cost: body.data.results.repair_cost },
    });
    const after = await service.call('GET', `/v1/inspections/visual/${id}`);
    expect(after.body.data.results.repair_cost).toEqual(before.body.data.results.repair_cost);
    expect(after.body.data.results.repair_cost).not.toEqual(body.data.results.repair_cost);
    expect(after.body.data.reviewed_at).toBeUndefined();
  });

  it('names the decision at fault, and stores nothing', async () => {
    const wrong = await put(0, [{ decision: 'accept', damage_id: 'dmg_none' }]);
    const field = 'decisions[0].damage_id';
    expect(refusalOf(wrong)).toEqual([422, 'INVALID_DECISIONS', field]);
    expect(wrong.body.error.message).toMatch(/^decisions\[0\]\.damage_id is "dmg_none"/);
    expect(wrong.body.error.details.errors).toMatchObject([
      { field, message: expect.stringMatching(/^decisions\[0\]/) },
    ]);
    const twice = await put(0, [
      { decision: 'accept', damage_id: DAMAGE },
      { decision: 'reject', damage_id: DAMAGE },
    ]);
    expect(refusalOf(twice)).toEqual([422, 'INVALID_DECISIONS', 'decisions[1].damage_id']);
    const sky = { decision: 'add', image_index: 0, box: { x: 0, y: 0, width: 20, height: 20 }, type: 'dent' };
    expect((await put(0, [sky])).body.error.code).toBe('PART_NEEDED');
    expect((await put(0, [{ ...sky, part: 'roof' }])).status).toBe(200);
    const shape = await put(1, [{ decision: 'accept', damage_id: DAMAGE, price: 1 }]);
    expect(codeOf(shape)).toEqual([400, 'INVALID_REQUEST']);
    expect((await read()).body.data.revision).toBe(1);
  });

  it('informs the second of two who change it', async () => {
    const both = await Promise.all([
      put(0, [{ decision: 'accept', damage_id: DAMAGE }]),
      put(0, [{ decision: 'reject', damage_id: DAMAGE }]),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const refused = both.find(({ status }) => status === 409);
    expect(refused?.body.error).toMatchObject({ code: 'REVIEW_CONFLICT', details: { revision: 1 } });
    expect((await finish(0)).body.error.code).toBe('REVIEW_CONFLICT');
  });

  it('of an inspection that is deleted meanwhile is a 404', async () => {
    const { save } = service.store.reviews;
    service.store.reviews.save = async (review) => {
      await service.call('DELETE', `/v1/inspections/visual/${id}`);
      return save(review);
    };
    const refused = await put(0, [{ decision: 'accept', damage_id: DAMAGE }]);
    service.store.reviews.save = save;
    expect(refusalOf(refused)).toEqual([404, 'INSPECTION_NOT_FOUND', 'inspection_id']);
  });

  it.each([
    ['reject', [DAMAGE], []],
    ['accept', [DAMAGE, 'dmg_front_bumper_002'], []],
  ])('a place to check is decided as a damage is: %s', async (decision, damages, toCheck) => {
    path = `/v1/inspections/visual/${await inspect({}, LARGE)}/review`;
    const ids = (found: { damage_id: string }[]) => found.map((one) => one.damage_id);
    const before = (await read()).body.data.results;
    expect([ids(before.damages), ids(before.to_check)]).toEqual([[DAMAGE], [CHECK]]);
    const { status, body } = await put(0, [{ decision, damage_id: CHECK }]);
    expect(status).toBe(200);
    expect(ids(body.data.results.damages).sort()).toEqual(damages);
    expect(ids(body.data.results.to_check)).toEqual(toCheck);
  });

  it('has close-ups of finds where photos are larger than their views', async () => {
    expect((await read()).body.data.photos[0].close_ups).toEqual([]);
    path = `/v1/inspections/visual/${await inspect({}, LARGE)}/review`;
    const { photos } = (await read()).body.data;
    const [first, second] = photos[0].close_ups;
    expect(photos[0].close_ups).toHaveLength(2);
    expect(photos[1].close_ups).toEqual([]);
    expect(second.url).not.toBe(first.url);
    const { pathname, search } = new URL(first.url);
    const picture = await service.app.inject(pathname + search);
    const { x, y, width, height } = first;
    expect([picture.headers['content-type'], picture.body]).toEqual([
      'image/jpeg',
      `close-up 0 ${x},${y} ${width}x${height}`,
    ]);
    expect([x <= 10, y <= 20, x + width >= 110, y + height >= 70]).toEqual([true, true, true, true]);
  });

  it('places a box by the kept view of the photo', async () => {
    const box = { x: 400, y: 200, width: 300, height: 300 };
    const place = (json: object) => service.call('POST', `${path}/place`, { json });
    const placed = await place({ image_index: 0, box });
    expect(placed.body.data).toMatchObject({ part: 'hood', type: 'dent' });
    expect(placed.body.data.estimated_repair.min).toBeGreaterThan(0);
    const scratch = await place({ image_index: 0, box, type: 'scratch', severity: 'minor' });
    expect(scratch.body.data).toMatchObject({ type: 'scratch', severity: 'minor' });
    expect((await place({ image_index: 9, box })).body.error.field).toBe('image_index');
    expect((await place({ image_index: 0, box: { ...box, x: 1800 } })).body.error.field).toBe('box');
  });

  it('ends, is listed as reviewed, and is open again after a change', async () => {
    await put(0, [{ decision: 'reject', damage_id: DAMAGE }], { reviewer: 'Ada' });
    const ended = await finish(1);
    expect([ended.status, ended.body.data.status]).toEqual([200, 'finished']);
    expect((await finish(1)).body.data.finished_at).toBe(ended.body.data.finished_at);
    const one = await service.call('GET', `/v1/inspections/visual/${id}`);
    expect(one.body.data.reviewed_at).toBe(ended.body.data.finished_at);
    const { damages, repair_cost } = ended.body.data.results;
    expect(one.body.data.reviewed).toMatchObject({ damages: damages.length, repair_cost });
    for (const list of ['/v1/inspections', '/v1/inspections/visual'])
      expect((await service.call('GET', `${list}?reviewed=true`)).body.data.inspections[0].reviewed).toEqual(
        one.body.data.reviewed,
      );
    const ids = async (query: string) =>
      (await service.call('GET', `/v1/inspections?${query}`)).body.data.inspections.map(
        (item: { inspection_id: string }) => item.inspection_id,
      );
    expect(await ids('reviewed=true')).toEqual([id]);
    expect(await ids('reviewed=false')).not.toContain(id);
    const { total } = (await service.call('GET', '/v1/inspections/visual?reviewed=true')).body.data
      .pagination;
    expect(total).toBe(1);
    expect((await put(1, [])).body.data.status).toBe('open');
    expect(await ids('reviewed=true')).toEqual([]);
  });

  it('that nothing was changed in is a review, too', async () => {
    const ended = await finish(0);
    expect([ended.status, ended.body.data.revision, ended.body.data.status]).toEqual([200, 1, 'finished']);
  });

  it('sends its event once, to those that ask for it', async () => {
    const receiver = await startReceiver();
    const events = ['visual_inspection.reviewed'];
    const hook = await service.call('POST', '/v1/webhooks', { json: { url: receiver.url, events } });
    await service.call('POST', '/v1/webhooks', { json: { url: receiver.url } });
    await put(0, [{ decision: 'reject', damage_id: DAMAGE }]);
    await finish(1);
    await finish(1);
    await expect.poll(() => receiver.received.length).toBe(1);
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.received;
    expect(new Webhook(hook.body.data.secret).verify(body, headers)).toMatchObject({
      event: 'visual_inspection.reviewed',
      data: { inspection_id: id, damages_detected: 0 },
    });
    await receiver.close();
  });

  it.each([
    ['json', 'application/json', '"review"'],
    ['coco', 'application/json', '"rejected"'],
    ['csv', 'text/csv', 'vehicle_id'],
    ['estimate', 'text/csv', 'line_id'],
    ['html', 'text/html', '<!doctype html>'],
    ['pdf', 'application/pdf', '%PDF'],
  ])('is exported as %s', async (format, type, part) => {
    const answer = await service.app.inject({
      url: `${path}/export?format=${format}`,
      headers: { authorization: `Bearer ${service.key}` },
    });
    expect([answer.statusCode, String(answer.headers['content-type']).split(';')[0]]).toEqual([200, type]);
    // A browser may open the HTML report, in an origin of its own and with nothing to load.
    const disposition = format === 'html' ? 'inline' : 'attachment';
    expect(answer.headers['content-disposition']).toContain(`${disposition}; filename="veh_1-`);
    expect(answer.headers['content-security-policy'] ?? '').toMatch(
      format === 'html'
        ? /^sandbox allow-scripts; default-src 'none'; .*frame-ancestors 'self'$/
        : /^(?!sandbox)/,
    );
    expect(answer.body).toContain(part);
  });

  it('is no part of the report before its first decision, or once all are taken back, but if it is finished', async () => {
    const exported = async () =>
      (
        await service.app.inject({
          url: `${path}/export?format=html`,
          headers: { authorization: `Bearer ${service.key}` },
        })
      ).body;
    expect(await exported()).not.toContain(' reviewed');
    await put(0, [{ decision: 'reject', damage_id: DAMAGE }]);
    expect(await exported()).toContain(' reviewed');
    await put(1, []);
    expect(await exported()).not.toContain(' reviewed');
    await finish(2);
    expect(await exported()).toContain(' reviewed');
  });

  it('is exported as unfinished until it is finished', async () => {
    const exportAll = async () => (await service.call('GET', `${path}/export?format=json`)).body;
    const exportJson = async () => (await exportAll()).review;
    await put(0, [{ decision: 'reject', damage_id: DAMAGE }]);
    expect((await exportJson()).unfinished).toBe(true);
    const { reports, images } = (await exportAll()).data;
    for (const link of [reports.pdf_url, images[0].annotated_url])
      expect((await service.call('GET', link.replace('http://localhost', ''))).status).toBe(200);
    await finish(1);
    expect(await exportJson()).not.toHaveProperty('unfinished');
  });

  it('has an estimate without rows where no damage is left', async () => {
    await put(0, [{ decision: 'reject', damage_id: DAMAGE }]);
    const answer = await service.app.inject({
      url: `${path}/export?format=estimate`,
      headers: { authorization: `Bearer ${service.key}` },
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toMatch(/^record,number,[\w,]+\r\n$/);
  });

  it.each(['html', 'pdf'])('is exported as %s with number plates made unrecognizable', async (format) => {
    const bodies = await Promise.all(
      ['', '&redact=true', '&redact=false'].map(async (more) => {
        const url = `${path}/export?format=${format}${more}`;
        const headers = { authorization: `Bearer ${service.key}` };
        return (await service.app.inject({ url, headers })).body.includes('redacted');
      }),
    );
    expect(bodies).toEqual([true, true, false]);
    expect((await service.call('GET', `${path}/export?format=${format}&redact=1`)).status).toBe(400);
  });

  it.each(['html', 'pdf'])(
    'is not exported as %s with plates to blur where the photos were not searched for any',
    async (format) => {
      const other = await inspect({}, UNSEARCHED);
      const url = `/v1/inspections/visual/${other}/review/export?format=${format}`;
      expect(codeOf(await service.call('GET', `${url}&redact=true`))).toEqual([400, 'INVALID_REQUEST']);
      const headers = { authorization: `Bearer ${service.key}` };
      expect((await service.app.inject({ url, headers })).statusCode).toBe(200);
    },
  );

  it("another account's reviews do not exist, and a key that only reads changes nothing", async () => {
    const as = service.otherKey;
    const json = { revision: 0, decisions: [] };
    const box = { x: 0, y: 0, width: 9, height: 9 };
    const answers = [
      await read(as),
      await service.call('PUT', path, { as, json }),
      await service.call('POST', `${path}/finish`, { as, json: { revision: 0 } }),
      await service.call('POST', `${path}/place`, { as, json: { image_index: 0, box } }),
      await service.call('GET', `${path}/export`, { as }),
    ];
    for (const { status, body } of answers)
      expect(codeOf({ status, body })).toEqual([404, 'INSPECTION_NOT_FOUND']);
    const { text } = await service.makeKey({ permissions: ['inspections:read'] });
    expect((await read(text)).status).toBe(200);
    expect((await service.call('PUT', path, { as: text, json })).status).toBe(403);
  });

  it('there is nothing to review while an analysis runs, or where it failed', async () => {
    for (const outcome of ['processing', 'failed']) {
      const other = await inspect({ headers: { 'x-vehi-simulate': outcome } });
      const answer = await service.call('GET', `/v1/inspections/visual/${other}/review`);
      expect(codeOf(answer)).toEqual([409, 'NOTHING_TO_REVIEW']);
    }
  });

  it('goes with its inspection', async () => {
    await put(0, []);
    await service.call('DELETE', `/v1/inspections/visual/${id}`);
    expect(await service.store.reviews.get(id)).toBeUndefined();
    expect(await service.store.blobs.list(id)).toEqual([]);
  });
});

describe('views', () => {
  it('are removed when their days are over; the review goes on without', async () => {
    const large = await inspect({}, LARGE);
    expect(await service.store.blobs.list(large)).toContain(`close-${CHECK}-0.jpg`);
    const clock = { wallMs: () => Date.now() + 8 * 24 * 3_600_000 };
    const settings = { ...DEFAULT_SETTINGS, keepViewsDays: 7 };
    expect(await service.store.blobs.list(id)).toContain('view-0.jpg');
    await runHousekeeping({ store: service.store, settings, clock, self: { id: 'test' } } as never);
    expect(await service.store.blobs.list(id)).not.toContain('view-0.jpg');
    expect((await service.store.blobs.list(large)).filter((name) => /^(close|view)-/.test(name))).toEqual([]);
    const { photos } = (await read()).body.data;
    expect(photos[0]).toEqual({ index: 0, view_url: null, thumbnail_url: null, close_ups: [] });
    const place = { image_index: 0, box: { x: 0, y: 0, width: 9, height: 9 } };
    const placed = await service.call('POST', `${path}/place`, { json: place });
    expect(codeOf(placed)).toEqual([404, 'PHOTO_NOT_KEPT']);
    const drawn = { decision: 'add', ...place, type: 'dent', part: 'hood' };
    expect((await put(0, [drawn])).status).toBe(200);
  });

  it('are not kept where the operator does not want them', async () => {
    const plain = await startService({ keepViewsDays: 0 });
    const urls = [1, 2, 3, 4].map((n) => `${host.url}/${n}-1920x1080.jpg`);
    const made = await plain.call('POST', '/v1/inspections/visual', { json: visualRequest(urls) });
    expect(await plain.store.blobs.list(made.body.data.inspection_id)).not.toContain('view-0.jpg');
    await plain.close();
  });
});
