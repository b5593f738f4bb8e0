import { afterAll, expect, it } from 'vitest';
import { createClock } from '../../../src/server/clock.ts';
import { openService, refusalOf, startService, VISUAL } from '../helpers/service.ts';

const service = await startService();
afterAll(() => service.close());

for (const status of ['failed', 'processing'])
  await service.inspect({ headers: { 'x-vehi-simulate': status } });
const id: string = (await service.inspect({ vehicle_id: 'veh_read' })).body.data.inspection_id;
const data = await service.read(`${VISUAL}/${id}`);
/** The path and query of one of the service's links. */
const path = (url: string) => url.replace('http://localhost', '');
const pdf = path(data.reports.pdf_url);

it('GET one is {status, data} as it was created', async () => {
  const { status, body } = await service.call('GET', `${VISUAL}/${id}`);
  expect([status, Object.keys(body).sort(), body.data.inspection_id]).toEqual([200, ['data', 'status'], id]);
});

it('report is the whole inspection and more', async () => {
  expect(await service.read(`${VISUAL}/${id}/report`)).toMatchObject({
    inspection_id: id,
    report_id: `rep_${id.slice(4)}`,
    models: [{ id: 'damage' }],
    rules_fired: [{ subject: 'dmg_front_bumper_001', rule: 'severity.scratch', inputs: { length_cm: 10 } }],
  });
});

it.each([
  ["another account's", id, service.otherKey],
  ['an unknown', 'vis_00000000000000000000000000', service.key],
  ['a path for an', '..%2f..%2fetc', service.key],
])('%s id is 404', async (_name, which, as) => {
  for (const suffix of ['', '/report']) {
    const answer = await service.call('GET', `${VISUAL}/${which}${suffix}`, { as });
    expect(refusalOf(answer)).toEqual([404, 'INSPECTION_NOT_FOUND', 'inspection_id']);
  }
});

const list = (query: string) => service.read(`${VISUAL}?${query}`);
const idsOf = ({ inspections }: { inspections: { inspection_id: string }[] }) =>
  inspections.map(({ inspection_id }) => inspection_id);

it('lists newest first, in pages', async () => {
  const all = await list('');
  expect(all.pagination).toMatchObject({
    total: 3,
    limit: 20,
    offset: 0,
    has_more: false,
    next_cursor: null,
  });
  const times = all.inspections.map((one: { created_at: string }) => one.created_at);
  expect(times).toEqual([...times].sort().reverse());
  expect(idsOf(all)[0]).toBe(id);
  const second = await list('limit=1&offset=1');
  const next_cursor = expect.any(String);
  expect(second.pagination).toEqual({ total: 3, limit: 1, offset: 1, has_more: true, next_cursor });
  const third = await list(`limit=1&cursor=${second.pagination.next_cursor}`);
  expect([...idsOf(second), ...idsOf(third)]).toEqual(idsOf(all).slice(1));
});

it.each([
  ['limit=100', 3],
  ['vehicle_id=veh_read', 1],
  ['status=failed', 1],
  [`created_after=${data.created_at}`, 1],
  [`created_before=${data.created_at}`, 2],
  ['created_before=2020-01-01', 0],
  // A "+" that is not encoded arrives as a space; a last day of four-digit years is no year 10000.
  ['created_after=2020-01-01T00:00:00+01:00', 3],
  ['created_before=9999-12-31T23:59-01:00', 3],
])('lists ?%s: %i', async (query, total) => {
  expect((await list(query)).pagination.total).toBe(total);
});

it("lists nothing of another account's", async () => {
  const { body } = await service.call('GET', VISUAL, { as: service.otherKey });
  expect(body.data.pagination.total).toBe(0);
});

it.each([
  ['limit=0', 'limit'],
  ['limit=101', 'limit'],
  ['limit=', 'limit'],
  ['offset=-1', 'offset'],
  ['created_after=yesterday', 'created_after'],
  ['created_after=2026-02-30', 'created_after'],
  ['cursor=nonsense', 'cursor'],
])('refuses ?%s', async (query, field) => {
  const answer = await service.call('GET', `${VISUAL}?${query}`);
  expect(refusalOf(answer)).toEqual([400, 'INVALID_REQUEST', field]);
});

it.each([
  ['report', pdf, 'application/pdf'],
  ['annotated photo', path(data.images[0].annotated_url), 'image/jpeg'],
])('serves the %s at its signed link', async (_name, url, type) => {
  const answer = await service.call('GET', url, { as: null });
  expect([answer.status, answer.headers['content-type']]).toEqual([200, type]);
});

it.each([
  ['another time', pdf.replace(/expires=\d+/, 'expires=99999999999')],
  ['another file', pdf.replace('report.pdf', 'photo-0')],
  ['no signature', pdf.split('?')[0] ?? ''],
  ['a path out of the folder', `/files/${id}/..%2f..%2fvehi.db?expires=99999999999&signature=x`],
])('a link with %s is 404', async (_name, url) => {
  expect((await service.call('GET', url, { as: null })).status).toBe(404);
});

const etag = String((await service.call('GET', pdf, { as: null })).headers.etag);
const whole = '%PDF-inspection';
it.each([
  [{}, 200, whole, undefined],
  [{ 'if-none-match': `"other", W/${etag}` }, 304, '', undefined],
  [{ range: 'bytes=1-3' }, 206, 'PDF', 'bytes 1-3/15'],
  [{ range: 'bytes=5-' }, 206, 'inspection', 'bytes 5-14/15'],
  [{ range: 'bytes=-3' }, 206, 'ion', 'bytes 12-14/15'],
  [{ range: 'bytes=1-3', 'if-range': '"other"' }, 200, whole, undefined],
  [{ range: 'bytes=0-1,3-4' }, 200, whole, undefined],
  [{ range: 'bytes=5-3' }, 200, whole, undefined],
  [{ range: 'bytes=15-' }, 416, expect.stringContaining('RANGE_NOT_SATISFIABLE'), 'bytes */15'],
])('files answer %j with %i', async (headers, ...expected) => {
  const answer = await service.call('GET', pdf, { as: null, headers });
  expect([answer.status, answer.text, answer.headers['content-range']]).toEqual(expected);
  if (answer.status === 200) expect(answer.headers['accept-ranges']).toBe('bytes');
  // Only a GET asks for a range (RFC 9110, 14.2).
  const head = await service.call('HEAD', pdf, { as: null, headers });
  expect(head.status).toBe(answer.status === 304 ? 304 : 200);
});

it('links name the addresses that are set for reports and results, and end with their time', async () => {
  let laterMs = 0;
  const clock = createClock({ now: new Date() });
  const baseUrl = 'https://vehi.example';
  const [reportsUrl, resultsUrl] = ['https://reports.example', 'https://results.example/v'];
  const other = await openService(
    { baseUrl, reportsUrl, resultsUrl, linkLifetimeSeconds: 60 },
    { parts: { clock: { ...clock, now: () => new Date(clock.now().getTime() + laterMs) } } },
  );
  const { inspection_id, reports, images } = (await other.inspect()).body.data;
  expect(reports.json_url).toMatch(`${baseUrl}${VISUAL}/`);
  expect(reports.pdf_url).toMatch(`${reportsUrl}/files/${inspection_id}/report.pdf?`);
  expect(images[0].annotated_url).toMatch(`${resultsUrl}/files/${inspection_id}/`);
  for (const [ms, status] of [
    [0, 200],
    [59_000, 200],
    [61_000, 404],
  ]) {
    laterMs = ms as number;
    const answer = await other.call('GET', reports.pdf_url.replace(reportsUrl, ''), { as: null });
    expect(answer.status).toBe(status);
  }
});

it('deletes with its files, once', async () => {
  const made = (await service.inspect()).body.data.inspection_id;
  const ask = async (method: 'GET' | 'DELETE', as = service.key) =>
    (await service.call(method, `${VISUAL}/${made}`, { as })).status;
  expect([await ask('DELETE', service.otherKey), await ask('DELETE'), await ask('GET')]).toEqual([
    404, 204, 404,
  ]);
  expect(await service.store.blobs.list(made)).toEqual([]);
});
