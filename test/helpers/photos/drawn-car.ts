import { copyFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { shippedModelDir } from '../../../src/vision/models/model-files.ts';
import { draw } from '../../unit/vision/pictures.ts';
import { FIXTURES } from '../cli/run-cli.ts';

/** Folder of the tiny models, which see colors: what is found in a drawn photo is known, and costs next to nothing. */
export const TINY_MODELS = join(FIXTURES, 'models');

/** Makes a folder of the tiny models with the shipped one for number plates, so that plates are looked for. */
export function addPlates(folder: string): void {
  cpSync(TINY_MODELS, folder, { recursive: true });
  const [tiny, shipped] = [TINY_MODELS, shippedModelDir()].map((from): { models: { id: string }[] } =>
    JSON.parse(readFileSync(join(from, 'manifest.json'), 'utf8')),
  );
  const plates = shipped?.models.filter(({ id }) => id === 'plates') ?? [];
  const models = [...(tiny?.models ?? []), ...plates];
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ ...tiny, models }));
  copyFileSync(join(shippedModelDir(), 'plates-fp32.onnx'), join(folder, 'plates-fp32.onnx'));
}

/** Writes a photo in which the tiny models see a scratch and a dent on the hood; `shade` keeps photos of one folder apart. */
export async function writeDrawnCar(path: string, shade = 0): Promise<void> {
  const size = { width: 1920, height: 1080 };
  const drawn = draw(size, [
    { color: 'yellow', box: { x: 240, y: 135, width: 1440, height: 810 } },
    { color: 'red', box: { x: 480, y: 270, width: 240, height: 135 } },
    { color: 'green', box: { x: 960, y: 540, width: 240, height: 135 } },
  ]);
  drawn.data.fill(128 + shade, 0, size.width * 3 * 30);
  const raw = { ...size, channels: 3 } as const;
  await sharp(drawn.data, { raw }).jpeg({ quality: 95 }).toFile(path);
}
