import { copyFileSync, mkdirSync, mkdtempSync } from 'node:fs';
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
