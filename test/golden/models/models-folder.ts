import { cpSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { runInside } from '../../helpers/cli/run-inside.ts';
import { TINY_MODELS } from '../../helpers/photos/drawn-car.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';
import { draw } from '../../unit/vision/pictures.ts';

/** A folder with drawn photos, their labels, and models of which one file is cut off. */
export interface ModelsFolder {
  readonly dir: string;
  /** Runs vehi in the folder with the tiny models. */
  readonly run: (...args: string[]) => ReturnType<typeof runInside>;
}

/** Makes the folder. */
export async function makeModelsFolder(): Promise<ModelsFolder> {
  const dir = makeOwnFolder('models');
  cpSync(TINY_MODELS, join(dir, 'cut'), { recursive: true });
  truncateSync(join(dir, 'cut', 'parts-fp32.onnx'), 1000);
  mkdirSync(join(dir, 'photos'));
  mkdirSync(join(dir, 'clean'));
  const spot = { color: 'red', box: { x: 16, y: 16, width: 16, height: 16 } } as const;
  const hood = { color: 'yellow', box: { x: 64, y: 0, width: 64, height: 128 } } as const;
  await writePhoto(dir, 'photos/red.webp', [spot]);
  await writePhoto(dir, 'photos/both.png', [spot, hood]);
  await writePhoto(dir, 'photos/gray.png', []);
  await writePhoto(dir, 'clean/gray.png', []);
  await writePhoto(dir, 'clean/alarm.png', [spot]);
  const image = (id: number, file_name: string, more = {}) => ({
    id,
    file_name,
    width: 128,
    height: 128,
    ...more,
  });
  const box = (id: number, image_id: number, category_id: number, bbox: number[]) => ({
    id,
    image_id,
    category_id,
    bbox,
    segmentation: [[bbox[0], bbox[1], bbox[2], bbox[1], bbox[2], bbox[3], bbox[0], bbox[3]]],
  });
  const categories = ['scratch', 'dent', 'hood'].map((name, id) => ({ id, name }));
  const damage = {
    images: [
      image(1, 'red.webp'),
      image(2, 'both.png', { labelled: ['scratch'] }),
      image(3, 'gray.png'),
      image(4, 'gone.png'),
    ],
    categories,
    annotations: [
      box(1, 1, 0, [16, 16, 16, 16]),
      box(2, 2, 0, [16, 16, 16, 16]),
      box(3, 2, 0, [0, 96, 16, 16]),
    ],
  };
  writeFileSync(join(dir, 'damage.json'), JSON.stringify(damage));
  const parts = {
    images: [image(2, 'both.png')],
    categories,
    annotations: [box(1, 2, 2, [64, 0, 128, 128])],
  };
  writeFileSync(join(dir, 'parts.json'), JSON.stringify(parts));
  writeFileSync(join(dir, 'only.txt'), 'red.webp\n');
  return {
    dir,
    run: (...args) => runInside(args, { cwd: dir, env: { VEHI_MODEL_DIR: TINY_MODELS } }),
  };
}

/** Draws a photo of 128 x 128 pixels into the folder. */
async function writePhoto(dir: string, name: string, boxes: Parameters<typeof draw>[1]): Promise<void> {
  const { data, width, height } = draw({ width: 128, height: 128 }, boxes);
  const picture = sharp(data, { raw: { width, height, channels: 3 } });
  await (name.endsWith('.webp') ? picture.webp({ lossless: true }) : picture.png()).toFile(join(dir, name));
}
