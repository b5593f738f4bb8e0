import { beforeAll, describe, expect, it } from 'vitest';
import { refusalOf, type TestService, visualRequest } from '../helpers/service.ts';
import type { Running } from './running.ts';

let service: TestService;
let host: Running['host'];
let good: Running['good'];

/** Describes what is refused, and what is left out when asked to. */
export function describeRefusing(running: () => Running): void {
  beforeAll(() => {
    ({ service, host, good } = running());
  });

  describe('what POST /v1/inspections/visual refuses or leaves out', () => {
    const four = () => visualRequest(good());
    const image = (index: number, change: object) => {
      const request = four();
      return {
        ...request,
        images: request.images.map((one, i) => (i === index ? { ...one, ...change } : one)),
      };
    };
    const options = (more: object) => ({ ...four(), options: more });
    const from = (index: number, name: string) => image(index, { url: `${host.url}/${name}` });

    it.each([
      ['three images', () => visualRequest(good(3)), 'INSUFFICIENT_IMAGES', 'images'],
      ['no image', () => visualRequest([]), 'INSUFFICIENT_IMAGES', 'images'],
      ['images missing', () => ({ vehicle_id: 'v' }), 'INSUFFICIENT_IMAGES', 'images'],
      ['51 images', () => visualRequest(good(51)), 'TOO_MANY_IMAGES', 'images'],
      ['images no array', () => ({ vehicle_id: 'v', images: 'x' }), 'INVALID_REQUEST', 'images'],
      ['vehicle_id missing', () => ({ images: four().images }), 'INVALID_REQUEST', 'vehicle_id'],
      ['vehicle_id empty', () => ({ ...four(), vehicle_id: '' }), 'INVALID_REQUEST', 'vehicle_id'],
      ['vehicle_id blank', () => ({ ...four(), vehicle_id: ' \t' }), 'INVALID_REQUEST', 'vehicle_id'],
      [
        'vehicle_id of 129',
        () => ({ ...four(), vehicle_id: 'v'.repeat(129) }),
        'INVALID_REQUEST',
        'vehicle_id',
      ],
      ['vehicle_id a number', () => ({ ...four(), vehicle_id: 7 }), 'INVALID_REQUEST', 'vehicle_id'],
      ['unknown angle', () => image(2, { angle: 'sideways' }), 'INVALID_REQUEST', 'images[2].angle'],
      ['unknown type', () => image(1, { type: 'x' }), 'INVALID_REQUEST', 'images[1].type'],
      ['url missing', () => image(3, { url: undefined }), 'INVALID_REQUEST', 'images[3].url'],
      ['no url', () => image(0, { url: 'nonsense' }), 'INVALID_REQUEST', 'images[0].url'],
      [
        'no flag',
        () => options({ detailed_analysis: 'yes' }),
        'INVALID_REQUEST',
        'options.detailed_analysis',
      ],
      ['region', () => options({ labor_rate_region: 'MARS' }), 'INVALID_REGION', 'options.labor_rate_region'],
      ['currency', () => options({ currency: 'XXX' }), 'INVALID_CURRENCY', 'options.currency'],
      ['body an array', () => [], 'INVALID_REQUEST', undefined],
    ] as const)('%s → 400', (_name, request, code, field) => expectRefused(request(), 400, code, field));

    it.each([
      ['small photo', 1, '640x480.jpg', 'IMAGE_QUALITY_TOO_LOW'],
      ['no photo', 2, 'text', 'UNSUPPORTED_IMAGE_FORMAT'],
      ['no size', 2, 'broken', 'IMAGE_UNREADABLE'],
      ['cut off, which only decoding shows', 3, '1920x1080-cut-off', 'IMAGE_UNREADABLE'],
      ['404', 0, 'missing', 'IMAGE_FETCH_FAILED'],
    ] as const)('%s → 422', (_name, at, name, code) =>
      expectRefused(from(at, name), 422, code, `images[${at}].url`),
    );

    it('file url → 422', () =>
      expectRefused(image(0, { url: 'file:///etc/passwd' }), 422, 'IMAGE_FETCH_FAILED', 'images[0].url'));

    async function expectRefused(json: object, status: number, code: string, field: string | undefined) {
      const answer = await service.call('POST', '/v1/inspections/visual', { json });
      expect(refusalOf(answer)).toEqual([status, code, field]);
      expect(answer.body).toMatchObject({ status: 'error', error: { type: 'validation_error' } });
      expect(answer.body.error.message.length).toBeGreaterThan(10);
    }

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
      for (const { url, message } of rejected) expect(message).toMatch(`${url}: `);
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

    it('a NUL in the name of a field is 400 that speaks of the body', async () => {
      const { status, body } = await service.call('POST', '/v1/inspections/visual', { json: { 'a\0': 1 } });
      expect([status, body.error.field]).toEqual([400, undefined]);
      expect(body.error.message).toMatch(/^The request body contains a NUL/);
    });

    it.each(['/v1/inspections/visual', '/v1/inspections/damage-assessment'])(
      'a NUL in vehicle_id of %s is 400 with its field',
      async (url) => {
        const json = { ...visualRequest(good()), vehicle_id: 'left\0right' };
        const { status, body } = await service.call('POST', url, { json });
        expect([status, body.error.field]).toEqual([400, 'vehicle_id']);
      },
    );

    it.each(['\u200b\u2060', '\u3164', ' \u00ad '])(
      'a vehicle_id that nobody can see is 400: %j',
      async (id) => {
        const json = { ...visualRequest(good()), vehicle_id: id };
        const { status, body } = await service.call('POST', '/v1/inspections/visual', { json });
        expect([status, body.error.field]).toEqual([400, 'vehicle_id']);
      },
    );

    it('an address of 8,192 characters is fetched, a longer one refused', async () => {
      const start = `${host.url}/1920x1080.jpg?signature=`;
      const post = (length: number) =>
        service.call('POST', '/v1/inspections/visual', {
          json: visualRequest([...good().slice(1), start.padEnd(length, 'x')]),
        });
      expect((await post(8_192)).status).toBe(201);
      const { status, body } = await post(8_193);
      expect([status, body.error.field]).toEqual([400, 'images[3].url']);
    });

    it('an address with user name and password is refused, naming the image', async () => {
      const urls = [...good().slice(1), 'https://user:secret@example.com/a.jpg'];
      const { status, body } = await service.call('POST', '/v1/inspections/visual', {
        json: visualRequest(urls),
      });
      expect([status, body.error.code, body.error.field]).toEqual([400, 'INVALID_REQUEST', 'images[3].url']);
      expect(JSON.stringify(body)).not.toContain('secret');
    });
  });
}
