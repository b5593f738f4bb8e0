import { copyFileSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FIXTURES } from '../cli/run-cli.ts';

export const VIEWS = ['front_left.jpg', 'front.jpg', 'left_side.jpg', 'rear_right.jpg'];

/** A folder of its own with four photos of the demo vehicle in `car`. */
export function makeCarFolder(prefix: string): string {
  const dir = mkdtempSync(join(tmpdir(), prefix));
  mkdirSync(join(dir, 'car'));
  for (const view of VIEWS) copyFileSync(join(FIXTURES, 'vehicle', view), join(dir, 'car', view));
  return dir;
}

/**
 * Two photos of the demo vehicle with labels in a folder of `dir`, one scratch between them, and next to the folder a
 * COCO file that knows one photo and no damage.
 */
export function writeLabelled(dir: string, folder: string): void {
  const write = (name: string, content: unknown) => writeFileSync(join(dir, name), JSON.stringify(content));
  mkdirSync(join(dir, folder));
  for (const name of ['front.jpg', 'left_side.jpg'])
    copyFileSync(join(FIXTURES, 'vehicle', name), join(dir, folder, name));
  const size = { width: 1920, height: 1080 };
  const scratch = {
    type: 'scratch',
    severity: 'moderate',
    part: 'front_door_left',
    bbox: [700, 500, 200, 100],
  };
  write(`${folder}/labels.json`, [
    { file: 'left_side.jpg', ...size, damages: [scratch] },
    { file: 'front.jpg', ...size, damages: [] },
  ]);
  write('coco.json', {
    images: [{ id: 1, file_name: 'front.jpg', ...size }],
    categories: [{ id: 0, name: 'scratch' }],
    annotations: [],
  });
}
