import { join, resolve } from 'node:path';

/** Words behind `node` that run a module below `test` as a process of its own: bundled where the run has done so. */
export function listProcessWords(module: string): readonly string[] {
  const bundled = process.env.VEHI_TEST_PROCESSES;
  if (bundled) return [join(bundled, `test/${module}.js`)];
  return ['--import', 'tsx', resolve(import.meta.dirname, `../../${module}.ts`)];
}
