import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { FIXTURES } from '../../helpers/cli/run-cli.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';

export const VIEWS = ['front_left.jpg', 'front.jpg', 'left_side.jpg', 'rear_right.jpg'];

/** A folder of its own with four photos of the demo vehicle in `car`. */
export function makeCarFolder(name: string): string {
  const dir = makeOwnFolder(name);
  mkdirSync(join(dir, 'car'));
  for (const view of VIEWS) copyFileSync(join(FIXTURES, 'vehicle', view), join(dir, 'car', view));
  return dir;
}
