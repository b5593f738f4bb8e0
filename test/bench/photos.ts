import { readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import sharp from 'sharp';

const ROOT = resolve(import.meta.dirname, '../..');

const PHOTO_SIZE = { width: 4000, height: 3000 } as const;

/** Creates 12-megapixel JPEGs of the demo vehicle with grain, each a different file. */
export async function makePhotos(folder: string, count: number): Promise<string[]> {
  const views = readdirSync(join(ROOT, 'fixtures/vehicle')).filter((name) => name.endsWith('.jpg'));
  const paths: string[] = [];
  for (let i = 0; i < count; i++) {
    const path = join(folder, `photo_${i}.jpg`);
    const view = join(ROOT, 'fixtures/vehicle', views[i % views.length] ?? '');
    const noise = {
      ...PHOTO_SIZE,
      channels: 3 as const,
      background: '#808080',
      noise: { type: 'gaussian' as const, mean: 128, sigma: 12 },
    };
    const grain = await sharp({ create: noise }).jpeg({ quality: 95 }).toBuffer();
    const large = await sharp(view)
      .resize({ ...PHOTO_SIZE, fit: 'cover' })
      .modulate({ brightness: 0.95 + (i % 12) / 100 })
      .toBuffer();
    writeFileSync(
      path,
      await sharp(large)
        .composite([{ input: grain, blend: 'soft-light' }])
        .jpeg({ quality: 88 })
        .toBuffer(),
    );
    paths.push(path);
  }
  return paths;
}
