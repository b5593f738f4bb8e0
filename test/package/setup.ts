import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { ROOT } from '../helpers/cli/run-cli.ts';
import { fillMeanwhile, waitUntilFilled } from '../helpers/readied-folder.ts';
import { makeOwnFolder } from '../helpers/temporary-folder.ts';
import { runActionStep } from './action-step.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The packed tarball. */
    tarball: string;
    /** The runner's temporary folder, in which the action's first step installs the tarball. */
    runnerTemp: string;
    /** Folder that has the package in node_modules. */
    installed: string;
  }
}

/**
 * Packs what is built and installs it as the action does: what the tests of this folder find is what users get. The folder
 * that VEHI_PACKAGE_FOLDER names stays for what comes after the tests (.ci/run).
 */
export default function setup(project: TestProject): () => Promise<void> {
  const kept = process.env.VEHI_PACKAGE_FOLDER;
  const folder = kept ?? makeOwnFolder('package');
  const { name, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const tarball = join(folder, `${name}-${version}.tgz`);
  project.provide('tarball', tarball);
  project.provide('runnerTemp', folder);
  project.provide('installed', join(folder, 'vehi'));
  const remove = fillMeanwhile(folder, async () => {
    const args = ['pack', '--ignore-scripts', '--pack-destination', folder];
    await promisify(execFile)('npm', args, { cwd: ROOT });
    const { code, output } = await runActionStep(0, { package: tarball, paths: '' }, folder, folder);
    if (code !== 0) throw new Error(`the action cannot install ${tarball}:\n${output}`);
  });
  return kept === undefined ? remove : () => waitUntilFilled(folder);
}
