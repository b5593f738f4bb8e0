import { afterAll, expect, it } from 'vitest';
import { ERRORS } from '../../../src/contract/errors.ts';
import { visualRequest } from '../helpers/photo-host.ts';
import { refusalOf, startService, VISUAL } from '../helpers/service.ts';

const service = await startService();
afterAll(() => service.close());

const NAMES = ['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg'];
const part = (about: string, text: string) =>
  `--xyz\r\nContent-Disposition: form-data; name=${about}\r\n\r\n${text}\r\n`;

/** Sends a request and photos in one body; `about` follows the name of the part "request". */
const send = (request: object | string, { about = '', names = NAMES, photo = 'photo 1920x1080' } = {}) => {
  const json = typeof request === 'string' ? request : JSON.stringify(request);
  const photos = names.map((name) => part(`"photos"; filename="${name}"\r\nContent-Type: image/jpeg`, photo));
  return service.call('POST', VISUAL, {
    headers: { 'content-type': 'multipart/form-data; boundary=xyz' },
    payload: `${part(`"request"${about}`, json)}${photos.join('')}--xyz--\r\n`,
  });
};

it.each([
  ['a type', '\r\nContent-Type: application/json'],
  ['a file name', '; filename="blob"'],
  ['both', '; filename="request.json"\r\nContent-Type: application/json; charset=utf-8'],
  ['neither', ''],
])('takes photos and the part request with %s', async (_name, about) => {
  const { status, body } = await send(visualRequest(NAMES), { about });
  expect([status, body.data.images.length]).toEqual([201, 4]);
  expect(body.data.results.damages[0].image_url).toBe('a.jpg');
});

const numbered = Array.from({ length: 51 }, (_v, i) => `${i}.jpg`);
/** Would replace the first part. */
const second = `\r\n${part('"request"', JSON.stringify(visualRequest(NAMES)))}`;
const typed = '\r\nContent-Type: application/json';
it.each([
  ['an absent photo', visualRequest([...NAMES.slice(1), 'z.jpg']), {}, 'IMAGE_FETCH_FAILED', 'images[3].url'],
  ['too few photos', visualRequest(NAMES.slice(1)), {}, 'INSUFFICIENT_IMAGES', 'images'],
  ['51 files', visualRequest(NAMES), { names: numbered }, 'TOO_MANY_IMAGES', 'images'],
  ['JSON that ends early', '{"a":', { about: typed }, 'INVALID_JSON', undefined],
  ['JSON with __proto__', '{"__proto__":{}}', { about: typed }, 'INVALID_JSON', undefined],
  ['two parts request', JSON.stringify(visualRequest(NAMES)) + second, {}, 'INVALID_REQUEST', 'request'],
] as const)('refuses %s', async (_name, request, more, code, field) => {
  expect(refusalOf(await send(request, more))).toEqual([ERRORS[code].status, code, field]);
});

it('refuses a photo of more than 10 MB, saying so', async () => {
  const photo = `photo${'x'.repeat(12 * 1024 * 1024)}`;
  const { error } = (await send(visualRequest(NAMES), { photo })).body;
  expect([error.code, error.details.found]).toEqual(['IMAGE_TOO_LARGE', 'more than 10 MB']);
});

it('finds photos by names with folders or a colon, in which alone two may differ, and by quotes sent as %22', async () => {
  const names = [
    'in/front.jpg',
    'out/front.jpg',
    '../rear.jpg',
    'C:\\\\photos\\\\left.jpg',
    'a%22b.jpg',
    'upload:x.jpg',
  ];
  const urls = names.map((name) => name.replaceAll('\\\\', '\\').replace('%22', '"'));
  const { status, body } = await send(visualRequest(urls), { names });
  expect([status, body.data.images.map(({ url }: { url: string }) => url)]).toEqual([201, urls]);
});
