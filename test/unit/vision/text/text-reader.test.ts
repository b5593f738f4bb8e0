// @module-tag slow: models run
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toQuad } from '../../../../src/domain/quad.ts';
import { drawTextPaths, measureTextEm } from '../../../../src/images/draw/label-glyphs.ts';
import { resizeRgb } from '../../../../src/images/read/resize-rgb.ts';
import { openImage } from '../../../../src/images/sharp.ts';
import { shippedModelDir } from '../../../../src/vision/models/model-files.ts';
import { createVision, type PhotoVision } from '../../../../src/vision/vision.ts';
import { drawLabel } from '../../../helpers/photos/draw-label.ts';

describe('reading', { timeout: 60_000 }, () => {
  let vision: PhotoVision;
  beforeAll(async () => {
    vision = await createVision({ modelDir: shippedModelDir(), resize: resizeRgb, threads: 1 });
  });
  afterAll(() => vision?.close());

  /** A photo of a label, decoded at half its size. */
  async function readLabel(text: string, isPage = true) {
    const { data, info } = await openImage(await drawLabel(text))
      .raw()
      .toBuffer({ resolveWithObject: true });
    const { width, height } = info;
    const raster = { data: new Uint8Array(data), width, height };
    return vision.readFacts({ raster, size: { width: 2 * width, height: 2 * height } }, [], isPage);
  }

  it.each([
    ['1M8GDM9AXKP042788', [{ fact: 'vin', value: '1M8GDM9AXKP042788' }]],
    ['1M8GDM9A1KP042788', []],
    ['ODO 48210 km', [{ fact: 'odometer', value: '48210 km' }]],
    ['PIRELLI 225/45', []],
  ])('%s gives %j', async (text, facts) => {
    const read = await readLabel(text);
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

  it('keeps to the row of the plate where larger lettering is next to it', async () => {
    const [width, height] = [1280, 800];
    const length = 44 * measureTextEm('AB 1234 CD');
    const texts = `${drawTextPaths('AB 1234 CD', 300, 420, 44)}${drawTextPaths('1717', 330 + length, 449, 125)}`;
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#e4e4dc"/>${texts}</svg>`;
    const { data } = await openImage(Buffer.from(svg)).flatten().raw().toBuffer({ resolveWithObject: true });
    const photo = { raster: { data: new Uint8Array(data), width, height }, size: { width, height } };
    // Lacks the outer characters, so the row is searched beyond its sides.
    const middle = { x: 330, y: 372, width: length - 60, height: 64 };
    const read = await vision.readFacts(photo, [{ corners: toQuad(middle), confidence: 1 }], false);
    expect(read?.map(({ value }) => value)).toEqual(['AB1234CD']);
  });

  it('of a picture without plates, not asked for more, gives nothing', async () => {
    expect(await readLabel('48210 km', false)).toEqual([]);
  });
});
