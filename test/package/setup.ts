import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { ROOT } from '../helpers/cli/run-cli.ts';
import { readActionStep } from './action-step.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The packed tarball. */
    tarball: string;
    /** The runner's temporary folder, in which the action's first step has installed the tarball. */
    runnerTemp: string;
    /** Folder that has the package in node_modules. */
    installed: string;
  }
}

/** Packs what is built and installs it as the action does: what the tests of this folder find is what users get. */
export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'vehi-package-'));
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const [packed] = JSON.parse(execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8' }));
  const tarball = join(folder, packed.filename);
  const { code, output } = readActionStep(0, { package: tarball, paths: '' }, folder, folder);
  if (code !== 0) throw new Error(`the action cannot install ${tarball}:\n${output}`);
  project.provide('tarball', tarball);
  project.provide('runnerTemp', folder);
  project.provide('installed', join(folder, 'vehi'));
  return () => rmSync(folder, { recursive: true, force: true });
}
