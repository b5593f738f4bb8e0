import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClock } from '../../src/server/clock.ts';
import { photoHost, startService, type TestService, visualRequest } from './helpers/service.ts';

const OWN_LIMITS = { certain: 0.6, toCheck: 0.4 };
let host: Awaited<ReturnType<typeof photoHost>>;
let service: TestService;
const good = (count = 4) => Array.from({ length: count }, (_v, i) => `${host.url}/1920x1080-${i}.jpg`);

beforeAll(async () => {
  host = await photoHost();
  service = await startService({ ownLimits: OWN_LIMITS });
});
afterAll(async () => {
  await service.close();
  await host.close();
});

describe('POST /v1/inspections/visual', () => {
  it('answers 201 with every field of the contract, Location and the ids and sums it promises', async () => {
    const { status, headers, body } = await service.call('POST', '/v1/inspections/visual', {
      json: visualRequest(good()),
    });
    expect([status, body.status]).toEqual([201, 'success']);
    const { data, meta } = body;
    expect(data.inspection_id).toMatch(/^vis_[0-9A-Z]{26}$/);
    expect(data).toMatchObject({ vehicle_id: 'veh_1', status: 'completed' });
    expect(headers.location).toBe(`http://localhost/v1/inspections/visual/${data.inspection_id}`);
    expect(data.reports.json_url).toBe(`${headers.location}/report`);
    expect(data.reports.pdf_url).toMatch(
      /^http:\/\/localhost\/files\/vis_.*\/report\.pdf\?expires=\d+&signature=/,
    );
    expect(Date.parse(data.completed_at)).toBeGreaterThanOrEqual(Date.parse(data.created_at));
    expect(data.processing_time).toBe(meta.processing_time);
    expect(meta).toMatchObject({ images_processed: 4, ai_model_version: 'test-1' });
    expect(meta.request_id).toBe(headers['x-request-id']);
    const [damage] = data.results.damages;
    expect(damage.image_url).toBe(good()[0]);
    expect(damage.annotated_url).toContain('/annotated-0.jpg?');
    expect(damage.measurements).toBeUndefined();
    expect(data.results.damage_summary.total_damages).toBe(data.results.damages.length);
  });

  it('passes the options on: detailed, hidden damage, no report', async () => {
    const options = { detailed_analysis: true, detect_hidden_damage: true, generate_report: false };
    const { body } = await service.call('POST', '/v1/inspections/visual', {
      json: visualRequest(good(), { options }),
    });
    expect(body.data.results.damages[0].measurements.unit).toBe('cm');
    expect(body.data.results.hidden_damage_risks).toHaveLength(1);
    expect(body.data.reports.pdf_url).toBeNull();
    expect(body.data.reports.json_url).toContain('/report');
  });

  it("asks the engine by the operator's own limits of confidence", async () => {
    await service.call('POST', '/v1/inspections/visual', { json: visualRequest(good()) });
    const { options } = service.programs.fake.seen.at(-1) ?? {};
    expect(options).toMatchObject({ sensitivity: 'default', ownLimits: OWN_LIMITS });
  });

  it('keeps the order of the photos although they are fetched in parallel', async () => {
    const urls = good(9);
    await service.call('POST', '/v1/inspections/visual', { json: visualRequest(urls) });
    const seen = service.programs.fake.seen.at(-1);
    expect(seen?.photos.map((p) => p.url)).toEqual(urls);
    expect(
      seen?.photos.map((p) => (p.source.kind === 'bytes' ? Buffer.from(p.source.bytes).toString() : '')),
    ).toEqual(urls.map((_url, i) => `photo 1920x1080-${i}.jpg`));
  });

  const four = () => visualRequest(good());
  const image = (index: number, change: object) => {
    const request = four();
    return {
      ...request,
      images: request.images.map((one, i) => (i === index ? { ...one, ...change } : one)),
    };
  };
  it.each([
    ['three images', () => visualRequest(good(3)), 400, 'INSUFFICIENT_IMAGES', 'images'],
    ['no image', () => visualRequest([]), 400, 'INSUFFICIENT_IMAGES', 'images'],
    ['images missing', () => ({ vehicle_id: 'v' }), 400, 'INSUFFICIENT_IMAGES', 'images'],
    ['51 images', () => visualRequest(good(51)), 400, 'TOO_MANY_IMAGES', 'images'],
    ['images no array', () => ({ vehicle_id: 'v', images: 'x' }), 400, 'INVALID_REQUEST', 'images'],
    ['vehicle_id missing', () => ({ images: four().images }), 400, 'INVALID_REQUEST', 'vehicle_id'],
    ['vehicle_id empty', () => ({ ...four(), vehicle_id: '' }), 400, 'INVALID_REQUEST', 'vehicle_id'],
    [
      'vehicle_id of 129',
      () => ({ ...four(), vehicle_id: 'v'.repeat(129) }),
      400,
      'INVALID_REQUEST',
      'vehicle_id',
    ],
    ['vehicle_id a number', () => ({ ...four(), vehicle_id: 7 }), 400, 'INVALID_REQUEST', 'vehicle_id'],
    ['unknown angle', () => image(2, { angle: 'sideways' }), 400, 'INVALID_REQUEST', 'images[2].angle'],
    ['unknown type', () => image(1, { type: 'x' }), 400, 'INVALID_REQUEST', 'images[1].type'],
    ['url missing', () => image(3, { url: undefined }), 400, 'INVALID_REQUEST', 'images[3].url'],
    ['no url', () => image(0, { url: 'nonsense' }), 400, 'INVALID_REQUEST', 'images[0].url'],
    [
      'option no boolean',
      () => ({ ...four(), options: { detailed_analysis: 'yes' } }),
      400,
      'INVALID_REQUEST',
      'options.detailed_analysis',
    ],
    [
      'region',
      () => ({ ...four(), options: { labor_rate_region: 'MARS' } }),
      400,
      'INVALID_REGION',
      'options.labor_rate_region',
    ],
    [
      'currency',
      () => ({ ...four(), options: { currency: 'XXX' } }),
      400,
      'INVALID_CURRENCY',
      'options.currency',
    ],
    ['body an array', () => [], 400, 'INVALID_REQUEST', undefined],
    [
      'small photo',
      () => image(1, { url: `${host.url}/640x480.jpg` }),
      422,
      'IMAGE_QUALITY_TOO_LOW',
      'images[1].url',
    ],
    [
      'no photo',
      () => image(2, { url: `${host.url}/text` }),
      422,
      'UNSUPPORTED_IMAGE_FORMAT',
      'images[2].url',
    ],
    ['no size', () => image(2, { url: `${host.url}/broken` }), 422, 'IMAGE_UNREADABLE', 'images[2].url'],
    [
      'cut off, which only decoding shows',
      () => image(3, { url: `${host.url}/1920x1080-cut-off` }),
      422,
      'IMAGE_UNREADABLE',
      'images[3].url',
    ],
    ['404', () => image(0, { url: `${host.url}/missing` }), 422, 'IMAGE_FETCH_FAILED', 'images[0].url'],
    ['file url', () => image(0, { url: 'file:///etc/passwd' }), 422, 'IMAGE_FETCH_FAILED', 'images[0].url'],
  ] as const)('%s → %s', async (_name, request, status, code, field) => {
    const answer = await service.call('POST', '/v1/inspections/visual', { json: request() });
    expect([answer.status, answer.body.error.code, answer.body.error.field]).toEqual([status, code, field]);
    expect(answer.body).toMatchObject({ status: 'error', error: { type: 'validation_error' } });
    expect(answer.body.error.message.length).toBeGreaterThan(10);
  });

  it('skip_unusable_images goes on without them, names each in order, and keeps the rest in step', async () => {
    const bad = ['640x480.jpg', 'text', 'broken', '1920x1080-cut-off', 'missing'];
    const urls = [0, 1, 2, 3, 4].flatMap((i) => [`${host.url}/${bad[i]}`, `${host.url}/1920x1080-${i}`]);
    const create = (headers: Record<string, string>) =>
      service.call('POST', '/v1/inspections/visual', {
        json: visualRequest(urls, { options: { skip_unusable_images: true } }),
        headers,
      });
    const { status, body } = await create({});
    expect([status, body.data.status, body.meta.images_processed]).toEqual([201, 'completed', 5]);
    const { rejected_images: rejected, images, results } = body.data;
    expect(rejected.map(({ url, code }: { url: string; code: string }) => [url, code])).toEqual([
      [urls[0], 'IMAGE_QUALITY_TOO_LOW'],
      [urls[2], 'UNSUPPORTED_IMAGE_FORMAT'],
      [urls[4], 'IMAGE_UNREADABLE'],
      [urls[6], 'IMAGE_UNREADABLE'],
      [urls[8], 'IMAGE_FETCH_FAILED'],
    ]);
    expect(images.map(({ url }: { url: string }) => url)).toEqual(urls.filter((_url, i) => i % 2 === 1));
    expect(results.damages[0].image_url).toBe(urls[1]);
    expect(results.damages[0].annotated_url).toMatch(/annotated-0\.jpg/);
    expect(body.data.reports.pdf_url).toMatch(/report\.pdf/);
    const later = await create({ prefer: 'respond-async' });
    const path = new URL(later.headers.location ?? '').pathname;
    await expect
      .poll(async () => (await service.call('GET', path)).body.data.rejected_images)
      .toEqual(rejected);
  });

  it.each([
    ['when they come in', ['text', 'broken', '640x480', 'missing']],
    ['when they are decoded', ['1920x1080-cut-off', '1280x720-cut-off', 'text', 'broken']],
  ] as const)(
    'skip_unusable_images with none left, %s: failed, each named, no report',
    async (_when, bad) => {
      const urls = bad.map((name) => `${host.url}/${name}`);
      const { status, body } = await service.call('POST', '/v1/inspections/visual', {
        json: visualRequest(urls, { options: { skip_unusable_images: true } }),
      });
      expect([status, body.data.status, body.data.results]).toEqual([201, 'failed', null]);
      expect(body.data.failure.code).toBe('NO_USABLE_PHOTOS');
      expect(body.data.rejected_images.map(({ url }: { url: string }) => url)).toEqual(urls);
      expect(body.data.reports.pdf_url).toBeNull();
      await service.call('DELETE', `/v1/inspections/visual/${body.data.inspection_id}`);
    },
  );

  it('gives the details of a photo below the resolution', async () => {
    const { body } = await service.call('POST', '/v1/inspections/visual', {
      json: visualRequest([...good(3), `${host.url}/1279x720.jpg`]),
    });
    expect(body.error.details).toEqual({
      image_index: 3,
      current_resolution: '1279x720',
      minimum_resolution: '1280x720',
    });
  });

  it('takes a portrait photo and exactly 50 photos', async () => {
    const { status } = await service.call('POST', '/v1/inspections/visual', {
      json: visualRequest([...good(49), `${host.url}/720x1280`]),
    });
    expect(status).toBe(202);
  });

  it('stores nothing of a request that it refuses', async () => {
    const total = async () =>
      (await service.call('GET', '/v1/inspections/visual')).body.data.pagination.total;
    const before = await total();
    for (const bad of ['640x480', '1920x1080-cut-off', 'missing']) {
      await service.call('POST', '/v1/inspections/visual', {
        json: visualRequest([...good(3), `${host.url}/${bad}`]),
      });
    }
    expect(await total()).toBe(before);
  });

  it('answers 202 on Prefer: respond-async and completes', async () => {
    const { status, headers, body } = await service.call('POST', '/v1/inspections/visual', {
      json: visualRequest(good()),
      headers: { prefer: 'respond-async' },
    });
    expect(status).toBe(202);
    expect(body.data).toMatchObject({ status: 'processing', completed_at: null, results: null });
    const path = new URL(headers.location ?? '').pathname;
    await expect.poll(async () => (await service.call('GET', path)).body.data.status).toBe('completed');
  });

  it('the meta of a 202 has every field of the finished one, priced as the request asks', async () => {
    const create = (headers: Record<string, string>, options?: object) =>
      service.call('POST', '/v1/inspections/visual', {
        json: visualRequest(good(), options ? { options } : {}),
        headers,
      });
    const later = { prefer: 'respond-async' };
    const [done, accepted, failed] = [
      await create({}),
      await create(later),
      await create({ 'x-vehi-simulate': 'failed' }),
    ];
    expect(done.status).toBe(201);
    for (const { body } of [accepted, failed]) {
      expect(Object.keys(body.meta).sort()).toEqual(Object.keys(done.body.meta).sort());
      expect(body.meta).toMatchObject({ region: 'US_MIDWEST', labor_rate_used: 115, currency: 'USD' });
    }
    const { body } = await create(later, { labor_rate_region: 'EU_GERMANY', currency: 'USD' });
    expect(body.meta).toMatchObject({
      region: 'EU_GERMANY',
      currency: 'USD',
      fx: { from: 'EUR', to: 'USD' },
    });
    expect(body.meta.labor_rate_used).toBeCloseTo(100 * body.meta.fx.rate, 2);
  });

  it('answers 201 with status failed when the analysis fails', async () => {
    const { status, body } = await service.call('POST', '/v1/inspections/visual', {
      json: visualRequest(good()),
      headers: { 'x-vehi-simulate': 'failed' },
    });
    expect([status, body.data.status, body.data.results]).toEqual([201, 'failed', null]);
    expect(body.data.failure.code).toBe('SIMULATED');
  });

  it('takes uploads in a multipart body', async () => {
    const boundary = 'xyz';
    const file = (name: string, text: string) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="photos"; filename="${name}"\r\nContent-Type: image/jpeg\r\n\r\n${text}\r\n`;
    const names = ['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg'];
    const send = (request: object, text = 'photo 1920x1080') =>
      service.call('POST', '/v1/inspections/visual', {
        headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
        payload: `--${boundary}\r\nContent-Disposition: form-data; name="request"\r\n\r\n${JSON.stringify(request)}\r\n${names
          .map((name) => file(name, text))
          .join('')}--${boundary}--\r\n`,
      });
    const ok = await send(visualRequest(names));
    expect(ok.status).toBe(201);
    expect(ok.body.data.results.damages[0].image_url).toBe('a.jpg');
    const absent = await send(visualRequest([...names.slice(1), 'z.jpg']));
    expect([absent.status, absent.body.error.field]).toEqual([422, 'images[3].url']);
    expect((await send(visualRequest(names.slice(1)))).body.error.code).toBe('INSUFFICIENT_IMAGES');
    expect((await send(visualRequest(names), `photo${'x'.repeat(10 * 1024 * 1024)}`)).body.error.code).toBe(
      'IMAGE_TOO_LARGE',
    );
  });
});

describe('multipart as clients and the document have it', () => {
  const names = ['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg'];
  const send = (requestHeaders: string, request: string, files = names) => {
    const file = (name: string) =>
      `--xyz\r\nContent-Disposition: form-data; name="photos"; filename="${name}"\r\n\r\nphoto 1920x1080\r\n`;
    return service.call('POST', '/v1/inspections/visual', {
      headers: { 'content-type': 'multipart/form-data; boundary=xyz' },
      payload: `--xyz\r\nContent-Disposition: form-data; name="request"${requestHeaders}\r\n\r\n${request}\r\n${files.map(file).join('')}--xyz--\r\n`,
    });
  };

  it.each([
    ['a type', '\r\nContent-Type: application/json'],
    ['a file name', '; filename="blob"'],
    ['both', '; filename="request.json"\r\nContent-Type: application/json; charset=utf-8'],
    ['neither', ''],
  ])('takes the part request with %s', async (_name, headers) => {
    const answer = await send(headers, JSON.stringify(visualRequest(names)));
    expect([answer.status, answer.body.data.images.length]).toEqual([201, 4]);
  });

  it('refuses JSON in it that would be refused as a body', async () => {
    const typed = '\r\nContent-Type: application/json';
    for (const hostile of ['{"a":', '{"__proto__":{}}'])
      expect((await send(typed, hostile)).body.error.code).toBe('INVALID_JSON');
  });

  it('names the field when there are 51 files', async () => {
    const many = Array.from({ length: 51 }, (_v, i) => `${i}.jpg`);
    const { status, body } = await send('', JSON.stringify(visualRequest(names)), many);
    expect([status, body.error.code, body.error.field]).toEqual([400, 'TOO_MANY_IMAGES', 'images']);
  });
});

describe('what SQLite would read as something else', () => {
  it.each([
    ['GET', '/v1/inspections/visual/ID%00x'],
    ['DELETE', '/v1/inspections/visual/ID%00x'],
    ['GET', '/v1/inspections/visual?vehicle_id=veh%00x'],
  ] as const)('%s %s is 400', async (method, url) => {
    const { inspection_id: id } = (
      await service.call('POST', '/v1/inspections/visual', { json: visualRequest(good()) })
    ).body.data;
    expect((await service.call(method, url.replace('ID', id))).status).toBe(400);
    expect((await service.call('GET', `/v1/inspections/visual/${id}`)).status).toBe(200);
  });

  it.each(['/v1/inspections/visual', '/v1/inspections/damage-assessment'])(
    'a NUL in vehicle_id of %s is 400 with its field',
    async (url) => {
      const json = { ...visualRequest(good()), vehicle_id: 'left\0right' };
      const { status, body } = await service.call('POST', url, { json });
      expect([status, body.error.field]).toEqual([400, 'vehicle_id']);
    },
  );

  it('an address with user name and password is refused, naming the image', async () => {
    const urls = [...good().slice(1), 'https://user:secret@example.com/a.jpg'];
    const { status, body } = await service.call('POST', '/v1/inspections/visual', {
      json: visualRequest(urls),
    });
    expect([status, body.error.code, body.error.field]).toEqual([400, 'INVALID_REQUEST', 'images[3].url']);
    expect(JSON.stringify(body)).not.toContain('secret');
  });
});

describe('reading visual inspections', () => {
  let id: string;
  beforeAll(async () => {
    id = (
      await service.call('POST', '/v1/inspections/visual', {
        json: visualRequest(good(), { vehicle_id: 'veh_read' }),
      })
    ).body.data.inspection_id;
  });

  it('GET one is {status, data} as it was created', async () => {
    const { status, body } = await service.call('GET', `/v1/inspections/visual/${id}`);
    expect([status, Object.keys(body).sort()]).toEqual([200, ['data', 'status']]);
    expect(body.data.inspection_id).toBe(id);
  });

  it('report is the whole inspection and more', async () => {
    const { body } = await service.call('GET', `/v1/inspections/visual/${id}/report`);
    expect(body.data).toMatchObject({
      inspection_id: id,
      report_id: `rep_${id.slice(4)}`,
      models: [{ id: 'damage' }],
    });
    expect(body.data.rules_fired).toEqual([
      { subject: 'dmg_front_bumper_001', rule: 'severity.scratch', inputs: { length_cm: 10 } },
    ]);
  });

  it.each(['', '/report'])("another account's or an unknown id is 404 (%s)", async (suffix) => {
    const rows: [id: string, key: string][] = [
      [id, service.otherKey],
      ['vis_00000000000000000000000000', service.key],
      ['..%2f..%2fetc', service.key],
    ];
    for (const [which, key] of rows) {
      const answer = await service.call('GET', `/v1/inspections/visual/${which}${suffix}`, { as: key });
      expect([
        answer.status,
        answer.body.error.code,
        answer.body.error.type,
        answer.body.error.field,
      ]).toEqual([404, 'INSPECTION_NOT_FOUND', 'not_found_error', 'inspection_id']);
    }
  });

  it('lists newest first, in pages, by vehicle, status and time', async () => {
    const list = async (query: string) =>
      (await service.call('GET', `/v1/inspections/visual?${query}`)).body.data;
    const all = await list('limit=100');
    expect(all.pagination).toMatchObject({ limit: 100, offset: 0, has_more: false });
    expect(all.inspections[0].inspection_id).toBe(id);
    const times = all.inspections.map((one: { created_at: string }) => one.created_at);
    expect(times).toEqual([...times].sort().reverse());
    expect((await list('')).pagination.limit).toBe(20);
    const second = await list('limit=1&offset=1');
    expect(second.inspections[0].inspection_id).toBe(all.inspections[1].inspection_id);
    expect(second.pagination).toEqual({
      total: all.pagination.total,
      limit: 1,
      offset: 1,
      has_more: true,
      next_cursor: expect.any(String),
    });
    const next = await list(`limit=1&cursor=${second.pagination.next_cursor}`);
    expect(next.inspections[0].inspection_id).toBe(all.inspections[2].inspection_id);
    expect((await service.call('GET', '/v1/inspections/visual?cursor=nonsense')).body.error.field).toBe(
      'cursor',
    );
    expect((await list('vehicle_id=veh_read')).pagination).toMatchObject({ total: 1, next_cursor: null });
    expect((await list('status=failed')).pagination.total).toBe(2);
    const at = all.inspections[0].created_at;
    expect(
      (await list(`created_after=${at}`)).inspections.map(
        (one: { inspection_id: string }) => one.inspection_id,
      ),
    ).toContain(id);
    expect(
      (await list(`created_before=${at}`)).inspections.map(
        (one: { inspection_id: string }) => one.inspection_id,
      ),
    ).not.toContain(id);
    expect((await list('created_before=2020-01-01')).pagination.total).toBe(0);
    expect(
      (await service.call('GET', '/v1/inspections/visual', { as: service.otherKey })).body.data.pagination
        .total,
    ).toBe(0);
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=x', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=', 'limit'],
    ['offset=-1', 'offset'],
    ['status=done', 'status'],
    ['created_after=yesterday', 'created_after'],
    ['created_after=2026-02-30', 'created_after'],
    ['created_before=2026-13-01', 'created_before'],
  ])('refuses ?%s', async (query, field) => {
    const answer = await service.call('GET', `/v1/inspections/visual?${query}`);
    expect([answer.status, answer.body.error.code, answer.body.error.field]).toEqual([
      400,
      'INVALID_REQUEST',
      field,
    ]);
  });

  it('serves report and annotated photo at signed links only', async () => {
    const { data } = (await service.call('GET', `/v1/inspections/visual/${id}`)).body;
    const path = (url: string) => url.replace('http://localhost', '');
    const pdf = await service.call('GET', path(data.reports.pdf_url), { as: null });
    expect([pdf.status, pdf.headers['content-type'], pdf.text]).toEqual([
      200,
      'application/pdf',
      '%PDF-inspection',
    ]);
    const picture = await service.call('GET', path(data.images[0].annotated_url), { as: null });
    expect(picture.headers['content-type']).toBe('image/jpeg');
    const forged = [
      path(data.reports.pdf_url).replace(/expires=\d+/, 'expires=99999999999'),
      path(data.reports.pdf_url).replace('report.pdf', 'photo-0'),
      path(data.reports.pdf_url).split('?')[0] ?? '',
      `/files/${id}/..%2f..%2fvehi.db?expires=99999999999&signature=x`,
    ];
    for (const url of forged) expect((await service.call('GET', url, { as: null })).status).toBe(404);
  });

  it('links name the addresses that are set for reports and results, and end with their time', async () => {
    let laterMs = 0;
    const clock = createClock({ now: new Date() });
    const other = await startService(
      {
        baseUrl: 'https://vehi.example.com',
        reportsUrl: 'https://reports.example.com',
        resultsUrl: 'https://results.example.com/v',
        linkLifetimeSeconds: 60,
      },
      { parts: { clock: { ...clock, now: () => new Date(clock.now().getTime() + laterMs) } } },
    );
    try {
      const { data } = (await other.call('POST', '/v1/inspections/visual', { json: visualRequest(good()) }))
        .body;
      const own = `/files/${data.inspection_id}`;
      expect(data.reports.json_url).toMatch('https://vehi.example.com/v1/inspections/visual/');
      expect(data.reports.pdf_url).toMatch(`https://reports.example.com${own}/report.pdf?`);
      expect(data.images[0].annotated_url).toMatch(`https://results.example.com/v${own}/`);
      const path = data.reports.pdf_url.replace('https://reports.example.com', '');
      const status = async () => (await other.call('GET', path, { as: null })).status;
      expect(await status()).toBe(200);
      laterMs = 59_000;
      expect(await status()).toBe(200);
      laterMs = 61_000;
      expect(await status()).toBe(404);
    } finally {
      await other.close();
    }
  });

  it('deletes with its files, once', async () => {
    const { data } = (await service.call('POST', '/v1/inspections/visual', { json: visualRequest(good()) }))
      .body;
    expect(
      (await service.call('DELETE', `/v1/inspections/visual/${data.inspection_id}`, { as: service.otherKey }))
        .status,
    ).toBe(404);
    expect((await service.call('DELETE', `/v1/inspections/visual/${data.inspection_id}`)).status).toBe(204);
    expect((await service.call('GET', `/v1/inspections/visual/${data.inspection_id}`)).status).toBe(404);
    expect(await service.store.blobs.list(data.inspection_id)).toEqual([]);
  });
});
