import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Box, Size } from '../../../src/domain/geometry.ts';
import type { RgbImage } from '../../../src/domain/photo.ts';

/** Folder of the tiny models that see colors. */
export const TINY = fileURLToPath(new URL('../../../fixtures/models', import.meta.url));

const COLORS = {
  red: [255, 0, 0],
  green: [0, 255, 0],
  blue: [0, 0, 255],
  yellow: [255, 255, 0],
} as const;

export type Color = keyof typeof COLORS;

/** A gray picture with filled boxes, later ones on top. */
export function draw(size: Size, boxes: readonly { color: Color; box: Box }[]): RgbImage {
  const data = new Uint8Array(size.width * size.height * 3).fill(128);
  for (const { color, box } of boxes) {
    const row = new Uint8Array(box.width * 3);
    for (let x = 0; x < box.width; x++) row.set(COLORS[color], x * 3);
    for (let y = box.y; y < box.y + box.height; y++) data.set(row, (y * size.width + box.x) * 3);
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
