// @module-tag slow: models run
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawTextPaths, loadLabelGlyphs } from '../../../../src/images/draw/label-glyphs.ts';
import { decodeAny } from '../../../../src/images/read/decode-any.ts';
import { resizeRgb } from '../../../../src/images/read/resize-rgb.ts';
import { openImage } from '../../../../src/images/sharp.ts';
import { shippedModelDir } from '../../../../src/vision/models/model-files.ts';
import { createVision, type PhotoVision } from '../../../../src/vision/vision.ts';

describe('reading', { timeout: 60_000 }, () => {
  let vision: PhotoVision;
  beforeAll(async () => {
    vision = await createVision({ modelDir: shippedModelDir(), resize: resizeRgb, threads: 1 });
  });
  afterAll(() => vision?.close());

  /** A photo of a light label with a line of text, slightly turned. */
  async function drawLabel(text: string) {
    const [width, height] = [1200, 800];
    const paths = drawTextPaths(text, 330, 420, 44, loadLabelGlyphs());
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#3a4048"/><g transform="rotate(-3 600 400)"><rect x="290" y="340" width="640" height="130" fill="#e4e4dc"/>${paths}</g></svg>`;
    const { data } = await openImage(Buffer.from(svg))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const raster = { data: new Uint8Array(data), width, height };
    return { raster, size: { width: 2 * width, height: 2 * height } };
  }

  it.each([
    ['1M8GDM9AXKP042788', [{ fact: 'vin', value: '1M8GDM9AXKP042788' }]],
    ['1M8GDM9A1KP042788', []],
    ['ODO 48210 km', [{ fact: 'odometer', value: '48210 km' }]],
    ['PIRELLI 225/45', []],
  ])('%s gives %j', async (text, facts) => {
    const read = await vision.readFacts(await drawLabel(text), [], true);
    expect(read?.map(({ fact, value }) => ({ fact, value }))).toEqual(facts);
    for (const {
      box: [x = 0, y = 0, width = 0, height = 0],
      confidence,
    } of read ?? []) {
      // In pixels of the photo, which is twice as large as the picture.
      expect(x > 560 && x + width < 1880 && y > 660 && y + height < 960).toBe(true);
      expect(confidence).toBeGreaterThan(0.7);
    }
  });

  it('of the demo vehicle gives its plate', async () => {
    const photo = await decodeAny(
      fileURLToPath(new URL('../../../../fixtures/vehicle/front.jpg', import.meta.url)),
    );
    const plates = await vision.findPlates(photo, await vision.findParts(photo));
    const read = await vision.readFacts(photo, plates ?? [], false);
    expect(read?.map(({ fact, value }) => [fact, value])).toEqual([['plate', 'VH417DE']]);
  });

  it('of a picture without plates, not asked for more, loads nothing', async () => {
    const { raster, size } = await drawLabel('48210 km');
    expect(await vision.readFacts({ raster, size }, [], false)).toEqual([]);
  });
});
