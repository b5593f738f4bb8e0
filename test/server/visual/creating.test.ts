import { afterAll, expect, it } from 'vitest';
import { good, photoUrl } from '../helpers/photo-host.ts';
import { LATER, startService, VISUAL } from '../helpers/service.ts';

const ownLimits = { certain: 0.6, toCheck: 0.4 };
const service = await startService({ ownLimits });
afterAll(() => service.close());

const FAILED = { 'x-vehi-simulate': 'failed' };

it('answers 201 with every field of the contract, Location and the ids and sums it promises', async () => {
  const { status, headers, body } = await service.inspect();
  expect([status, body.status]).toEqual([201, 'success']);
  const { data, meta } = body;
  expect(data.inspection_id).toMatch(/^vis_[0-9A-Z]{26}$/);
  expect(data).toMatchObject({
    vehicle_id: 'veh_1',
    status: 'completed',
    processing_time: meta.processing_time,
  });
  expect(headers.location).toBe(`http://localhost${VISUAL}/${data.inspection_id}`);
  expect(data.reports.json_url).toBe(`${headers.location}/report`);
  expect(data.reports.pdf_url).toMatch(
    /^http:\/\/localhost\/files\/vis_.*\/report\.pdf\?expires=\d+&signature=/,
  );
  expect(Date.parse(data.completed_at)).toBeGreaterThanOrEqual(Date.parse(data.created_at));
  const { 'x-request-id': request_id } = headers;
  expect(meta).toMatchObject({ request_id, images_processed: 4, ai_model_version: 'test-1' });
  const [damage] = data.results.damages;
  expect(damage.image_url).toBe(good()[0]);
  expect(damage.annotated_url).toContain('/annotated-0.jpg?');
  expect(damage.measurements).toBeUndefined();
  expect(data.results.damage_summary.total_damages).toBe(data.results.damages.length);
  // The engine is asked by the operator's own limits of confidence.
  const { options } = service.backend.fake.seen.at(-1) ?? {};
  expect(options).toMatchObject({ sensitivity: 'default', ownLimits });
});

it('names options that it does not know, also those of a list', async () => {
  const { status, body } = await service.inspect({ options: { detailed_analisys: true } });
  expect(status).toBe(201);
  const unknown = (field: string, known: string) => [
    { code: 'unknown_field', field, message: expect.stringContaining(`Did you mean ${known}?`) },
  ];
  expect(body.meta.warnings).toEqual(unknown('options.detailed_analisys', 'detailed_analysis'));
  const list = await service.call('GET', `${VISUAL}?vehicleid=v&limit=1`);
  expect(list.body.meta).toEqual({
    request_id: list.headers['x-request-id'],
    warnings: unknown('vehicleid', 'vehicle_id'),
  });
});

it('passes the options on: detailed, hidden damage, no report', async () => {
  const options = { detailed_analysis: true, detect_hidden_damage: true, generate_report: false };
  const { data } = (await service.inspect({ options })).body;
  expect(data.results.damages[0].measurements.unit).toBe('cm');
  expect(data.results.hidden_damage_risks).toHaveLength(1);
  expect(data.reports).toEqual({ pdf_url: null, json_url: expect.stringContaining('/report') });
});

it('keeps the order of the photos although they are fetched in parallel', async () => {
  const urls = good(9);
  await service.inspect({ urls });
  const { photos = [] } = service.backend.fake.seen.at(-1) ?? {};
  expect(photos.map(({ url }) => url)).toEqual(urls);
  const bytes = photos.map(({ source }) => source.kind === 'bytes' && String(source.bytes));
  expect(bytes).toEqual(urls.map((_url, i) => `photo 1920x1080-${i}.jpg`));
});

it('takes a portrait photo and exactly 50 photos', async () => {
  const { status } = await service.inspect({ urls: [...good(49), photoUrl('720x1280')] });
  expect(status).toBe(202);
});

it('answers 202 or a failure with null for results; the meta has every field of the finished one, priced as asked', async () => {
  const done = await service.inspect();
  const failure = { code: 'SIMULATED' };
  for (const [headers, expected, about] of [
    [LATER, 202, { status: 'processing', completed_at: null }],
    [FAILED, 201, { status: 'failed', failure }],
  ] as const) {
    const { status, body } = await service.inspect({ headers });
    expect([status, body.data]).toMatchObject([expected, { ...about, results: null }]);
    expect(Object.keys(body.meta).sort()).toEqual(Object.keys(done.body.meta).sort());
    expect(body.meta).toMatchObject({ region: 'US_MIDWEST', labor_rate_used: 115, currency: 'USD' });
  }
  const options = { labor_rate_region: 'EU_GERMANY', currency: 'USD' };
  const { meta } = (await service.inspect({ headers: LATER, options })).body;
  const fx = { from: 'EUR', to: 'USD' };
  expect(meta).toMatchObject({ region: 'EU_GERMANY', currency: 'USD', fx });
  expect(meta.labor_rate_used).toBeCloseTo(100 * meta.fx.rate, 2);
});
