import type { TestProject } from 'vitest/node';
import { prepareDemo } from '../helpers/browser/review-page.ts';
import { fillMeanwhile } from '../helpers/readied-folder.ts';
import { makeOwnFolder } from '../helpers/temporary-folder.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Folder with the demo vehicle in `car/` and its inspection in `result.json`: to be copied, not changed. */
    demoFolder: string;
  }
}

/** Inspects the demo vehicle once for all files of tests. */
export default function setup(project: TestProject): () => Promise<void> {
  const dir = makeOwnFolder('demo');
  project.provide('demoFolder', dir);
  return fillMeanwhile(dir, () => prepareDemo(dir));
}
