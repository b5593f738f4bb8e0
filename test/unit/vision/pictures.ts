import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Box, Size } from '../../../src/domain/geometry.ts';
import type { RgbImage } from '../../../src/domain/photo.ts';

/** Folder of the tiny models that see colors. */
export const TINY = fileURLToPath(new URL('../../../fixtures/models', import.meta.url));

export const COLORS = {
  red: [255, 0, 0],
  green: [0, 255, 0],
  blue: [0, 0, 255],
  yellow: [255, 255, 0],
  gray: [128, 128, 128],
} as const;

/** A gray picture with filled boxes, later ones on top. */
export function draw(size: Size, boxes: readonly { color: keyof typeof COLORS; box: Box }[]): RgbImage {
  const data = new Uint8Array(size.width * size.height * 3).fill(128);
  for (const { color, box } of boxes) {
    const row = new Uint8Array(box.width * 3);
    for (let x = 0; x < box.width; x++) row.set(COLORS[color], x * 3);
    for (let y = box.y; y < box.y + box.height; y++) data.set(row, (y * size.width + box.x) * 3);
  }
  return { data, ...size };
}

/** Area-free resize for tests: the nearest pixel. */
export async function nearest(raster: RgbImage, box: Box, size: Size): Promise<RgbImage> {
  const data = new Uint8Array(size.width * size.height * 3);
  for (let y = 0; y < size.height; y++) {
    for (let x = 0; x < size.width; x++) {
      const from =
        (box.y + Math.floor(((y + 0.5) * box.height) / size.height)) * raster.width +
        box.x +
        Math.floor(((x + 0.5) * box.width) / size.width);
      data.set(raster.data.subarray(from * 3, from * 3 + 3), (y * size.width + x) * 3);
    }
  }
  return { data, ...size };
}

/** The manifest's entry of the tiny classifier, which the tiny models' manifest lacks. */
export function makeTinyClassifier(): Record<string, unknown> {
  return JSON.parse(readFileSync(`${TINY}/classifier.json`, 'utf8'));
}

/** The tiny models' manifest as JSON, to be changed at will. */
export function makeTinyManifest(): { schema_version: number; models: Record<string, unknown>[] } {
  return JSON.parse(readFileSync(`${TINY}/manifest.json`, 'utf8'));
}
