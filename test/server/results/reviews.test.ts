import { Webhook } from 'standardwebhooks';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { runHousekeeping } from '../../../src/server/housekeeping.ts';
import { DEFAULT_SETTINGS } from '../../../src/server/server-settings.ts';
import { makeFakeBackend, UNSEARCHED } from '../helpers/backend.ts';
import { onCluster } from '../helpers/cluster-store.ts';
import { startReceiver } from '../helpers/listen.ts';
import { codeOf, openService, refusalOf, startService, VISUAL } from '../helpers/service.ts';

const DAMAGE = 'dmg_front_bumper_001';
/** An inspection of this vehicle has photos of twelve megapixels, and this place to check besides the damage. */
const [LARGE, CHECK] = ['veh_large', 'chk_front_bumper_001'];
const backend = makeFakeBackend();
const { inspect: inspectPlain } = backend.engine;
backend.engine.inspect = async (...args) => {
  const found = await inspectPlain(...args);
  const { results, images } = found.data;
  const [damage] = results?.damages ?? [];
  if (args[0].vehicleId !== LARGE || !results || !damage) return found;
  const toCheck = { ...damage, damage_id: CHECK, number: 2, confidence: 0.3 };
  const large = images.map((one) => ({ ...one, width: 4000, height: 3000 }));
  return { ...found, data: { ...found.data, images: large, results: { ...results, to_check: [toCheck] } } };
};
const service = await startService({}, { backend });
afterAll(() => service.close());
let id: string;
let path: string;

async function inspect(more: object = {}): Promise<string> {
  // Only a finding that says its size can be changed.
  const made = await service.inspect({ options: { detailed_analysis: true }, ...more });
  return made.body.data.inspection_id;
}
const reviewOf = (of: string) => `${VISUAL}/${of}/review`;
/** The review that all of a test is about. */
const review = () => service.read(path);
const put = (revision: number, decisions: readonly object[], more: object = {}) =>
  service.call('PUT', path, { json: { revision, decisions, ...more } });
const finish = (revision: number) => service.call('POST', `${path}/finish`, { json: { revision } });
const place = (json: object) => service.call('POST', `${path}/place`, { json });
/** Answers that are no JSON, or not of the document's operations. */
const fetchRaw = (url: string) =>
  service.app.inject({ url, headers: { authorization: `Bearer ${service.key}` } });
const exportAs = (format: string, more = '') => fetchRaw(`${path}/export?format=${format}${more}`);
const open = (link: string) => service.app.inject(link.replace('http://localhost', ''));
const ACCEPT = { decision: 'accept', damage_id: DAMAGE };
const REJECT = { decision: 'reject', damage_id: DAMAGE };
const BOX = { x: 400, y: 200, width: 300, height: 300 };

beforeEach(async () => {
  id = await inspect();
  path = reviewOf(id);
});

describe('a review', () => {
  it('begins as found, with pictures behind links', async () => {
    const { photos, ...data } = await review();
    const begun = { status: 'open', revision: 0, decisions: [], review: { not_reviewed: [DAMAGE] } };
    expect(data).toMatchObject(begun);
    expect(photos).toHaveLength(4);
    const view = await open(photos[2].view_url);
    expect([view.headers['content-type'], view.body]).toEqual(['image/jpeg', 'view 2']);
    expect((await open(photos[2].view_url.split('?')[0])).statusCode).toBe(404);
  });

  it('applies decisions by the rules of the engine; the inspection stays as it was', async () => {
    const before = await service.read(`${VISUAL}/${id}`);
    const drawn = { decision: 'add', image_index: 1, box: BOX, type: 'dent' };
    const decisions = [
      { decision: 'change', damage_id: DAMAGE, severity: 'severe' },
      drawn,
      { decision: 'nothing_more', image_index: 2 },
    ];
    const { status, body } = await put(0, decisions, { reviewer: ' Ada ' });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ revision: 1, reviewer: 'Ada', status: 'open', decisions });
    const { damages, repair_cost } = body.data.results;
    expect(damages).toMatchObject([{ damage_id: DAMAGE, severity: 'severe' }, { damage_id: 'dmg_hood_001' }]);
    expect(body.data.review.photos_checked).toEqual([2]);
    expect(await review()).toMatchObject({ revision: 1, decisions, results: { repair_cost } });
    const after = await service.read(`${VISUAL}/${id}`);
    expect(after.results.repair_cost).toEqual(before.results.repair_cost);
    expect(after.results.repair_cost).not.toEqual(repair_cost);
    expect(after.reviewed_at).toBeUndefined();
  });

  it('names the decision at fault, and stores nothing', async () => {
    const wrong = await put(0, [{ decision: 'accept', damage_id: 'dmg_none' }]);
    const field = 'decisions[0].damage_id';
    expect(refusalOf(wrong)).toEqual([422, 'INVALID_DECISIONS', field]);
    expect(wrong.body.error.message).toMatch(/^decisions\[0\]\.damage_id is "dmg_none"/);
    expect(wrong.body.error.details.errors).toMatchObject([
      { field, message: expect.stringMatching(/^decisions\[0\]/) },
    ]);
    expect(refusalOf(await put(0, [ACCEPT, REJECT]))).toEqual([
      422,
      'INVALID_DECISIONS',
      'decisions[1].damage_id',
    ]);
    const sky = { decision: 'add', image_index: 0, box: { x: 0, y: 0, width: 20, height: 20 }, type: 'dent' };
    expect((await put(0, [sky])).body.error.code).toBe('PART_NEEDED');
    expect((await put(0, [{ ...sky, part: 'roof' }])).status).toBe(200);
    const shape = await put(1, [{ ...ACCEPT, price: 1 }]);
    expect(codeOf(shape)).toEqual([400, 'INVALID_REQUEST']);
    expect((await review()).revision).toBe(1);
  });

  it('informs the second of two who change it', async () => {
    const both = await Promise.all([ACCEPT, REJECT].map((one) => put(0, [one])));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const refused = both.find(({ status }) => status === 409);
    expect(refused?.body.error).toMatchObject({ code: 'REVIEW_CONFLICT', details: { revision: 1 } });
    expect((await finish(0)).body.error.code).toBe('REVIEW_CONFLICT');
  });

  it('of an inspection that is deleted meanwhile is a 404', async () => {
    const { save } = service.store.reviews;
    service.store.reviews.save = async (review) => {
      await service.call('DELETE', `${VISUAL}/${id}`);
      return save(review);
    };
    const refused = await put(0, [ACCEPT]);
    service.store.reviews.save = save;
    expect(refusalOf(refused)).toEqual([404, 'INSPECTION_NOT_FOUND', 'inspection_id']);
  });

  it.each([
    ['reject', [DAMAGE]],
    ['accept', [DAMAGE, 'dmg_front_bumper_002']],
  ])('a place to check is decided as a damage is: %s', async (decision, damages) => {
    path = reviewOf(await inspect({ vehicle_id: LARGE }));
    const ids = (found: { damage_id: string }[]) => found.map((one) => one.damage_id).sort();
    const { results: before } = await review();
    expect([ids(before.damages), ids(before.to_check)]).toEqual([[DAMAGE], [CHECK]]);
    const { results: after } = (await put(0, [{ decision, damage_id: CHECK }])).body.data;
    expect([ids(after.damages), ids(after.to_check)]).toEqual([damages, []]);
  });

  it('has close-ups of finds where photos are larger than their views', async () => {
    expect((await review()).photos[0].close_ups).toEqual([]);
    path = reviewOf(await inspect({ vehicle_id: LARGE }));
    const { photos } = await review();
    const [first, second] = photos[0].close_ups;
    expect([photos[0].close_ups.length, photos[1].close_ups.length]).toEqual([2, 0]);
    expect(second.url).not.toBe(first.url);
    const picture = await open(first.url);
    const { x, y, width, height } = first;
    expect(picture.headers['content-type']).toBe('image/jpeg');
    expect(picture.body).toBe(`close-up 0 ${x},${y} ${width}x${height}`);
    expect([x <= 10, y <= 20, x + width >= 110, y + height >= 70]).toEqual([true, true, true, true]);
  });

  it('places a box by the kept view of the photo', async () => {
    const placed = await place({ image_index: 0, box: BOX });
    expect(placed.body.data).toMatchObject({ part: 'hood', type: 'dent' });
    expect(placed.body.data.estimated_repair.min).toBeGreaterThan(0);
    const scratch = await place({ image_index: 0, box: BOX, type: 'scratch', severity: 'minor' });
    expect(scratch.body.data).toMatchObject({ type: 'scratch', severity: 'minor' });
    expect((await place({ image_index: 9, box: BOX })).body.error.field).toBe('image_index');
    expect((await place({ image_index: 0, box: { ...BOX, x: 1800 } })).body.error.field).toBe('box');
  });

  it('ends, is listed as reviewed, and is open again after a change', async () => {
    await put(0, [REJECT], { reviewer: 'Ada' });
    // Equal requests at once, and one after them.
    const [ended, equal] = await Promise.all([finish(1), finish(1)]);
    expect([ended.status, ended.body.data.status]).toEqual([200, 'finished']);
    for (const { body } of [equal, await finish(1)])
      expect(body.data?.finished_at).toBe(ended.body.data.finished_at);
    const { reviewed_at, reviewed } = await service.read(`${VISUAL}/${id}`);
    expect(reviewed_at).toBe(ended.body.data.finished_at);
    const { damages, repair_cost } = ended.body.data.results;
    expect(reviewed).toMatchObject({ damages: damages.length, repair_cost });
    const list = async (query: string) => (await service.read(`/v1/inspections?${query}`)).inspections;
    expect(await list('reviewed=true')).toMatchObject([{ inspection_id: id, reviewed }]);
    expect(await list('reviewed=false')).not.toContainEqual(expect.objectContaining({ inspection_id: id }));
    const { inspections, pagination } = await service.read(`${VISUAL}?reviewed=true`);
    expect([inspections[0].reviewed, pagination.total]).toEqual([reviewed, 1]);
    expect((await put(1, [])).body.data.status).toBe('open');
    expect(await list('reviewed=true')).toEqual([]);
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
    await put(0, [REJECT]);
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
    const answer = await exportAs(format);
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
    const exported = async () => (await exportAs('html')).body;
    expect(await exported()).not.toContain(' reviewed');
    await put(0, [REJECT]);
    expect(await exported()).toContain(' reviewed');
    await put(1, []);
    expect(await exported()).not.toContain(' reviewed');
    await finish(2);
    expect(await exported()).toContain(' reviewed');
  });

  it('is exported as unfinished until it is finished', async () => {
    const exported = async () => (await exportAs('json')).json();
    await put(0, [REJECT]);
    const { review, data } = await exported();
    expect(review.unfinished).toBe(true);
    for (const link of [data.reports.pdf_url, data.images[0].annotated_url])
      expect((await open(link)).statusCode).toBe(200);
    await finish(1);
    expect((await exported()).review).not.toHaveProperty('unfinished');
  });

  it('has an estimate without rows where no damage is left', async () => {
    await put(0, [REJECT]);
    expect((await exportAs('estimate')).body).toMatch(/^record,number,[\w,]+\r\n$/);
  });

  it.each(['html', 'pdf'])('is exported as %s with number plates made unrecognizable', async (format) => {
    const answers = await Promise.all(
      ['', '&redact=true', '&redact=false'].map((more) => exportAs(format, more)),
    );
    expect(answers.map(({ body }) => body.includes('redacted'))).toEqual([true, true, false]);
    expect((await exportAs(format, '&redact=1')).statusCode).toBe(400);
    // Photos that were not searched for plates cannot be redacted.
    path = reviewOf(await inspect({ vehicle_id: UNSEARCHED }));
    const refused = await exportAs(format, '&redact=true');
    expect([refused.statusCode, (await exportAs(format)).statusCode]).toEqual([400, 200]);
  });

  it("another account's reviews do not exist, and a key that only reads changes nothing", async () => {
    const as = service.otherKey;
    const json = { revision: 0, decisions: [] };
    const answers = [
      await service.call('GET', path, { as }),
      await service.call('PUT', path, { as, json }),
      await service.call('POST', `${path}/finish`, { as, json: { revision: 0 } }),
      await service.call('POST', `${path}/place`, { as, json: { image_index: 0, box: BOX } }),
      await service.call('GET', `${path}/export`, { as }),
    ];
    for (const answer of answers) expect(codeOf(answer)).toEqual([404, 'INSPECTION_NOT_FOUND']);
    const { text } = await service.makeKey({ permissions: ['inspections:read'] });
    expect((await service.call('GET', path, { as: text })).status).toBe(200);
    expect((await service.call('PUT', path, { as: text, json })).status).toBe(403);
  });

  it('there is nothing to review while an analysis runs, or where it failed', async () => {
    for (const outcome of ['processing', 'failed']) {
      const other = await inspect({ headers: { 'x-vehi-simulate': outcome } });
      const answer = await service.call('GET', reviewOf(other));
      expect(codeOf(answer)).toEqual([409, 'NOTHING_TO_REVIEW']);
    }
  });

  it('goes with its inspection', async () => {
    await put(0, []);
    await service.call('DELETE', `${VISUAL}/${id}`);
    expect(await service.store.reviews.get(id)).toBeUndefined();
    expect(await service.store.blobs.list(id)).toEqual([]);
  });
});

describe('views', () => {
  it.skipIf(onCluster)('are removed when their days are over; the review goes on without', async () => {
    const { store } = service;
    path = reviewOf(await inspect({ vehicle_id: LARGE }));
    const listViews = async () => {
      const names = await store.blobs.list(path.split('/').at(-2) ?? '');
      return names.filter((name) => /^(close|view)-/.test(name));
    };
    expect(await listViews()).toEqual(expect.arrayContaining([`close-${CHECK}-0.jpg`, 'view-0.jpg']));
    const clock = { wallMs: () => Date.now() + 8 * 24 * 3_600_000 };
    const settings = { ...DEFAULT_SETTINGS, keepViewsDays: 7 };
    await runHousekeeping({ store, settings, clock, self: { id: 'test' } } as never);
    expect(await listViews()).toEqual([]);
    const [photo] = (await review()).photos;
    expect(photo).toEqual({ index: 0, view_url: null, thumbnail_url: null, close_ups: [] });
    const box = { image_index: 0, box: BOX };
    expect(codeOf(await place(box))).toEqual([404, 'PHOTO_NOT_KEPT']);
    const drawn = { decision: 'add', ...box, type: 'dent', part: 'hood' };
    expect((await put(0, [drawn])).status).toBe(200);
  });

  it('are not kept where the operator does not want them', async () => {
    const plain = await openService({ keepViewsDays: 0 });
    const { inspection_id } = (await plain.inspect()).body.data;
    expect(await plain.store.blobs.list(inspection_id)).not.toContain('view-0.jpg');
  });
});
