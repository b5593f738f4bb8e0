import type { TestProject } from 'vitest/node';
import { prepareDemo } from '../helpers/browser/review-page.ts';
import { fillMeanwhile } from '../helpers/readied-folder.ts';
import { makeOwnFolder } from '../helpers/temporary-folder.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Folder with seven photos of the demo vehicle in `car/` and its inspection in `result.json`: to be copied, not changed. */
    demoFolder: string;
  }
}

/** All sides of the vehicle, with damages that one photo shows and that two show, and a HEIC file. */
const PHOTOS = [
  'front.jpg',
  'front_right.jpg',
  'right_side.jpg',
  'rear_right_closeup.heic',
  'rear.jpg',
  'left_side.jpg',
  'rear_left_closeup.jpg',
];

/** Inspects the demo vehicle once for all files of tests. */
export default function setup(project: TestProject): () => Promise<void> {
  const dir = makeOwnFolder('demo');
  project.provide('demoFolder', dir);
  return fillMeanwhile(dir, () => prepareDemo(dir, PHOTOS));
}
