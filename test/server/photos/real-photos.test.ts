import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Box } from '../../../src/domain/geometry.ts';
import { createEngine } from '../../../src/index.ts';
import { loadTables } from '../../../src/pricing/tables/load.ts';
import { createBackend } from '../../../src/server/backend.ts';
import type { DrawnPhoto, PhotoViews } from '../../../src/server/photo-files.ts';
import { shippedModelDir } from '../../../src/vision/models/model-files.ts';
import { countDecodes, decodes } from '../../helpers/photos/decodes.ts';
import { addPlates, writeDrawnCar } from '../../helpers/photos/drawn-car.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';
import { fileHost } from '../helpers/listen.ts';
import { visualRequest } from '../helpers/photo-host.ts';
import { openService, refusalOf, startService, type TestService, VISUAL } from '../helpers/service.ts';

vi.mock('../../../src/images/sharp.ts', async (original) => {
  const real = await original<typeof import('../../../src/images/sharp.ts')>();
  return { ...real, openImage: countDecodes(real.openImage) };
});

const VEHICLE = resolve(import.meta.dirname, '../../../fixtures/vehicle');
const directory = makeOwnFolder('nothing');
/** Models are slow on a machine that is busy with other things. */
const PATIENT = { inlineMs: 120_000 };
let backend: ReturnType<typeof createBackend>;
let service: TestService;
let host: Awaited<ReturnType<typeof fileHost>>;
const addressOf = (file: string) => `${host.url}/${basename(file)}`;

/** Photos of nothing: plain gray ones, or noise. */
async function makePhotos(kind: string): Promise<string[]> {
  return Promise.all(
    [0, 1, 2, 3].map(async (i) => {
      const file = join(directory, `${kind}-${i}.jpg`);
      const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
      const create = {
        width: 1280,
        height: 720,
        channels: 3,
        background: { r: 100 + i, g: 100, b: 100 },
        ...(kind === 'noise' ? { noise } : {}),
      } as const;
      await sharp({ create }).jpeg().toFile(file);
      return addressOf(file);
    }),
  );
}

const openBackend = async (modelDir: string) =>
  createBackend({
    engine: await createEngine({ modelDir, threads: 1, models: 'when-needed' }),
    tables: loadTables(),
    modelVersion: 'x',
  });

beforeAll(async () => {
  backend = await openBackend(shippedModelDir());
  host = await fileHost(directory);
  service = await startService(PATIENT, { parts: { backend } });
});
afterAll(async () => {
  await host.close();
  await service.close();
  await backend.close();
});

it('four pictures of nothing get no condition, no score and no price', async () => {
  const [gray, noise] = await Promise.all([makePhotos('gray'), makePhotos('noise')]);
  const json = visualRequest([...gray.slice(3), ...noise.slice(1)]);
  // The models look at one of each kind.
  for (const image of json.images.slice(2)) Object.assign(image, { angle: 'interior', type: 'interior' });
  const { status, body } = await service.call('POST', VISUAL, { json });
  expect(status).toBe(201);
  expect(body.data).toMatchObject({ status: 'failed', results: null, failure: { code: 'NO_VEHICLE' } });
}, 120_000);

it('a photo is decoded twice, whatever files an inspection makes of it', async () => {
  const copies = [0, 1, 2, 3].map((i) => join(directory, `drawn-${i}.jpg`));
  for (const [i, file] of copies.entries()) await writeDrawnCar(file, 10 * i);
  // Which models look does not matter, but plates are looked for.
  const modelDir = join(directory, 'models');
  addPlates(modelDir);
  const drawing = await openBackend(modelDir);
  const drawn = await openService(PATIENT, { parts: { backend: drawing } });
  decodes.clear();
  const { status, body } = await drawn.inspect({ urls: copies.map(addressOf) });
  await drawing.close();
  expect([status, body.data.status]).toEqual([201, 'completed']);
  const { damages } = body.data.results;
  for (const link of [body.data.reports.pdf_url, damages[0]?.annotated_url]) expect(link).toMatch('/files/');
  expect(copies.map((file) => decodes.get(statSync(file).size))).toEqual([2, 2, 2, 2]);
}, 120_000);

it('a photo of more pixels than are decoded is too large, saying so in pixels', async () => {
  const urls = await makePhotos('gray');
  const create = { width: 90, height: 70, channels: 3, background: 'gray' } as const;
  const jpeg = await sharp({ create }).jpeg().toBuffer();
  // Only its header is read: the height and width behind the marker of the frame.
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
  jpeg.writeUInt16BE(7000, frame + 5);
  jpeg.writeUInt16BE(9000, frame + 7);
  const file = join(directory, 'large.jpg');
  writeFileSync(file, jpeg);
  const answer = await service.inspect({ urls: [...urls.slice(0, 3), addressOf(file)] });
  expect(refusalOf(answer)).toEqual([422, 'IMAGE_TOO_LARGE', 'images[3].url']);
  expect(answer.body.error.details).toEqual({
    image_index: 3,
    found: '9000x7000 pixels',
    needed: 'at most 60 million pixels and 16384 pixels a side',
  });
});

/** Views of a photo in which nothing was found. */
async function viewsOf(bytes: Uint8Array, regions: readonly Box[]): Promise<PhotoViews> {
  const { data } = exampleInspection({ photos: 1, damages: 0 });
  let views: DrawnPhoto['views'] = null;
  const wanted = { listRegions: () => regions, report: false };
  await backend.artifacts.draw(data, [fileOf(bytes)], wanted, async (drawn) => {
    views = drawn.views;
  });
  return views ?? expect.fail('no views');
}

it.each([
  ['rear_left_closeup.jpg', 'rear_left'],
  ['', null],
])(
  'the picture says from where the vehicle is seen, and nothing where there is none: %s',
  async (name, angle) => {
    await makePhotos('gray');
    const path = name === '' ? join(directory, 'gray-0.jpg') : join(VEHICLE, name);
    expect(await backend.engine.viewOf({ kind: 'file', path })).toBe(angle);
  },
  60_000,
);

it('the view of a large photo has no EXIF, and close-ups of it are in its own pixels', async () => {
  const photo = join(VEHICLE, 'front.jpg');
  const bytes = await sharp(photo).resize(4000, 2250).keepMetadata().jpeg().toBuffer();
  const region = { x: 1000, y: 1200, width: 800, height: 600 };
  const views = await viewsOf(bytes, [region]);
  const pictures = [bytes, views.view, views.thumbnail, ...views.closeUps];
  const facts = (await Promise.all(pictures.map((one) => sharp(one).metadata()))).map(
    ({ width, height, exif }) => `${width}x${height}${exif ? ' with EXIF' : ''}`,
  );
  expect(facts).toEqual(['4000x2250 with EXIF', '2048x1152', '320x180', '800x600']);
});

const fileOf = (bytes: Uint8Array) =>
  ({ index: 0, source: { kind: 'bytes', bytes, name: 'photo' } }) as const;

it('a wide photo has views, and they are shown in the report of a review', async () => {
  const photo = join(VEHICLE, 'front.jpg');
  const views = await viewsOf(await sharp(photo).resize(3840, 1280, { fit: 'fill' }).jpeg().toBuffer(), []);
  const inspection = exampleInspection({ photos: 1, damages: 1, photoSize: { width: 3840, height: 1280 } });
  const making = { generatedAt: new Date('2026-01-01T00:00:00Z'), redact: false };
  const show = (view: Uint8Array) =>
    backend.artifacts.renderReview('html', inspection, [fileOf(view)], making);
  expect(await show(views.view)).toContain('data:image/jpeg;base64,');
  // A view that was cut off on disk is named in the report, which has the rest.
  expect(await show(views.view.subarray(0, views.view.length / 2))).toContain('found a damaged JPEG file');
});

it('number plates of a kept view are made unrecognizable in the report of a review', async () => {
  const { view } = await viewsOf(readFileSync(join(VEHICLE, 'front.jpg')), []);
  const inspection = exampleInspection({ photos: 1, damages: 1, photoSize: { width: 3840, height: 2160 } });
  const [left, top, right, bottom] = [1500, 1790, 2180, 1945];
  const corners = [left, right, right, left].map((x, i) => [x, i < 2 ? top : bottom]);
  for (const image of inspection.data.images) image.plates = [{ corners, confidence: 0.9 }];
  const measure = async (redact: boolean) => {
    const making = { generatedAt: new Date('2026-01-01T00:00:00Z'), redact };
    const html = String(await backend.artifacts.renderReview('html', inspection, [fileOf(view)], making));
    const texts = [...html.matchAll(/data:image\/jpeg;base64,([A-Za-z0-9+/=]+)/g)].map(
      ([, text = '']) => text,
    );
    // The whole photo; the others are close-ups.
    const [whole = ''] = texts.sort((a, b) => b.length - a.length);
    const sharpnessOf = async (left: number, top: number, width: number, height: number) => {
      const picture = sharp(Buffer.from(whole, 'base64')).resize(1000, 500, { fit: 'fill' });
      // Statistics are those of the whole input, whatever is cut out of it on the way.
      const cut = await picture.extract({ left, top, width, height }).png().toBuffer();
      return (await sharp(cut).stats()).sharpness;
    };
    // The plate lies in the middle of the lower edge; the sill of the photo's left side has none.
    const [plate, outside] = [await sharpnessOf(410, 420, 140, 25), await sharpnessOf(600, 250, 200, 150)];
    return { says: html.includes('made unrecognizable'), plate, outside };
  };
  const [plain, redacted] = [await measure(false), await measure(true)];
  expect([plain.says, redacted.says]).toEqual([false, true]);
  expect(redacted.plate / plain.plate).toBeLessThan(0.5);
  expect(redacted.outside / plain.outside).toBeGreaterThan(0.9);
}, 120_000);
