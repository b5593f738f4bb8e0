import { rmSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { findKeptDemo, prepareDemo } from '../helpers/browser/review-page.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Folder with the demo vehicle in `car/` and its inspection in `result.json`: to be copied, not changed. */
    demoFolder: string;
  }
}

/** Inspects the demo vehicle once for all files of tests. */
export default async function setup(project: TestProject): Promise<() => void> {
  const dir = findKeptDemo(process.pid);
  rmSync(dir, { recursive: true, force: true });
  await prepareDemo(dir);
  project.provide('demoFolder', dir);
  return () => rmSync(dir, { recursive: true, force: true });
}
