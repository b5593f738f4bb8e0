import { afterAll, describe, expect, it } from 'vitest';
import { good, photoUrl, visualRequest } from '../helpers/photo-host.ts';
import { LATER, refusalOf, startService, VISUAL } from '../helpers/service.ts';

const service = await startService();
afterAll(() => service.close());

const four = () => visualRequest(good());
/** A request whose image of that number has other fields. */
const image = (index: number, change: object) => {
  const request = four();
  Object.assign(request.images[index] ?? {}, change);
  return request;
};
const withOptions = (options: object) => ({ ...four(), options });
const from = (index: number, name: string) => image(index, { url: photoUrl(name) });

it.each([
  ['three images', visualRequest(good(3)), 'INSUFFICIENT_IMAGES', 'images'],
  ['images missing', { vehicle_id: 'v' }, 'INSUFFICIENT_IMAGES', 'images'],
  ['51 images', visualRequest(good(51)), 'TOO_MANY_IMAGES', 'images'],
  ['region', withOptions({ labor_rate_region: 'MARS' }), 'INVALID_REGION', 'options.labor_rate_region'],
  ['currency', withOptions({ currency: 'XXX' }), 'INVALID_CURRENCY', 'options.currency'],
] as const)('%s → 400', (_name, request, code, field) => expectRefused(request, 400, code, field));

it.each([
  ['images no array', { vehicle_id: 'v', images: 'x' }, 'images'],
  ['vehicle_id missing', { images: four().images }, 'vehicle_id'],
  ['vehicle_id blank', { ...four(), vehicle_id: ' \t' }, 'vehicle_id'],
  ['vehicle_id that nobody can see', { ...four(), vehicle_id: '\u200b\u3164 \u00ad' }, 'vehicle_id'],
  ['vehicle_id with NUL', { ...four(), vehicle_id: 'left\0right' }, 'vehicle_id'],
  ['unknown angle', image(2, { angle: 'sideways' }), 'images[2].angle'],
  ['url missing', image(3, { url: undefined }), 'images[3].url'],
  ['no url', image(0, { url: 'nonsense' }), 'images[0].url'],
  ['url of 8,193', image(3, { url: photoUrl('1920x1080').padEnd(8_193, 'x') }), 'images[3].url'],
  ['no flag', withOptions({ detailed_analysis: 'yes' }), 'options.detailed_analysis'],
])('%s is an invalid request', async (_name, request, field) => {
  await expectRefused(request, 400, 'INVALID_REQUEST', field);
});

it.each([
  ['small photo', from(1, '640x480.jpg'), 'IMAGE_QUALITY_TOO_LOW', 1],
  ['no photo', from(2, 'text'), 'UNSUPPORTED_IMAGE_FORMAT', 2],
  ['no size', from(2, 'broken'), 'IMAGE_UNREADABLE', 2],
  ['cut off, which only decoding shows', from(3, '1920x1080-cut-off'), 'IMAGE_UNREADABLE', 3],
  ['404', from(0, 'missing'), 'IMAGE_FETCH_FAILED', 0],
  ['file url', image(0, { url: 'file:///etc/passwd' }), 'IMAGE_FETCH_FAILED', 0],
] as const)('%s → 422 that names the address, and stores nothing', async (_name, request, code, at) => {
  const before = (await service.read(VISUAL)).pagination.total;
  const { message } = await expectRefused(request, 422, code, `images[${at}].url`);
  expect(message).toContain(`${request.images[at]?.url}: `);
  expect((await service.read(VISUAL)).pagination.total).toBe(before);
});

async function expectRefused(json: object, status: number, code: string, field: string | undefined) {
  const answer = await service.call('POST', VISUAL, { json });
  expect(refusalOf(answer)).toEqual([status, code, field]);
  expect(answer.body).toMatchObject({ status: 'error', error: { type: 'validation_error' } });
  return answer.body.error;
}

it('an address with user name and password is refused, naming the image', async () => {
  const json = image(3, { url: 'https://user:secret@example.com/a.jpg' });
  const error = await expectRefused(json, 400, 'INVALID_REQUEST', 'images[3].url');
  expect(error.message).toContain('https://example.com/a.jpg: ');
  expect(JSON.stringify(error)).not.toContain('secret');
});

it('gives the details of a photo below the resolution', async () => {
  const { body } = await service.call('POST', VISUAL, { json: from(3, '1279x720.jpg') });
  const [current_resolution, minimum_resolution] = ['1279x720', '1280x720'];
  expect(body.error.details).toEqual({ image_index: 3, current_resolution, minimum_resolution });
});

it('fetches an address of 8,192 characters', async () => {
  const json = image(3, { url: `${photoUrl('1920x1080.jpg')}?signature=`.padEnd(8_192, 'x') });
  expect((await service.call('POST', VISUAL, { json })).status).toBe(201);
});

describe('skip_unusable_images', () => {
  const inspect = (urls: readonly string[], headers = {}) =>
    service.inspect({ urls, headers, options: { skip_unusable_images: true } });

  it('goes on without them, names each in order, and keeps the rest in step', async () => {
    const bad = [
      ['640x480.jpg', 'IMAGE_QUALITY_TOO_LOW'],
      ['text', 'UNSUPPORTED_IMAGE_FORMAT'],
      ['broken', 'IMAGE_UNREADABLE'],
      ['1920x1080-cut-off', 'IMAGE_UNREADABLE'],
      ['missing', 'IMAGE_FETCH_FAILED'],
    ].map(([name = '', code]) => ({ url: photoUrl(name), code }));
    const left = good(bad.length);
    const urls = left.flatMap((url, i) => [bad[i]?.url ?? '', url]);
    const { status, body } = await inspect(urls);
    expect([status, body.data.status, body.meta.images_processed]).toEqual([201, 'completed', 5]);
    const { rejected_images: rejected, images, results } = body.data;
    expect(rejected).toMatchObject(bad);
    for (const { url, message } of rejected) expect(message).toMatch(`${url}: `);
    expect(images.map(({ url }: { url: string }) => url)).toEqual(left);
    expect(results.damages[0].image_url).toBe(left[0]);
    expect(results.damages[0].annotated_url).toMatch(/annotated-0\.jpg/);
    expect(body.data.reports.pdf_url).toMatch(/report\.pdf/);
    const { headers } = await inspect(urls, LATER);
    const { pathname } = new URL(headers.location ?? '');
    await expect.poll(async () => (await service.read(pathname)).rejected_images).toEqual(rejected);
  });

  it.each([
    ['when they come in', ['text', 'broken', '640x480', 'missing']],
    ['when they are decoded', ['1920x1080-cut-off', '1280x720-cut-off', 'text', 'broken']],
  ])('with none left, %s: failed, each named, no report', async (_when, bad) => {
    const urls = bad.map(photoUrl);
    const { status, body } = await inspect(urls);
    expect([status, body.data.status, body.data.results]).toEqual([201, 'failed', null]);
    expect(body.data.failure.code).toBe('NO_USABLE_PHOTOS');
    expect(body.data.rejected_images.map(({ url }: { url: string }) => url)).toEqual(urls);
    expect(body.data.reports.pdf_url).toBeNull();
  });
});

describe('what SQLite would read as something else', () => {
  it.each([
    ['GET', `${VISUAL}/ID%00x`],
    ['DELETE', `${VISUAL}/ID%00x`],
    ['GET', `${VISUAL}?vehicle_id=veh%00x`],
  ] as const)('%s %s is 400', async (method, url) => {
    const { inspection_id: id } = (await service.inspect()).body.data;
    expect((await service.call(method, url.replace('ID', id))).status).toBe(400);
    expect((await service.call('GET', `${VISUAL}/${id}`)).status).toBe(200);
  });

  it('a NUL in the name of a field is 400 that speaks of the body', async () => {
    const { status, body } = await service.call('POST', VISUAL, { json: { 'a\0': 1 } });
    expect([status, body.error.field]).toEqual([400, undefined]);
    expect(body.error.message).toMatch(/^The request body contains a NUL/);
  });
});
