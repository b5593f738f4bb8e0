import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { parse } from 'yaml';
import { FIXTURES, ROOT } from '../helpers/cli/run-cli.ts';
import { makeOwnFolder } from '../helpers/temporary-folder.ts';
import { runStep } from './step.ts';

const FILE = join(ROOT, 'docs/gitlab-ci.yml');
const TEXT = readFileSync(FILE, 'utf8');
/** gitlab-ci-local, which carries GitLab's schema, runs from this Node on. */
const CHECKER_NODE = 22;
const dir = makeOwnFolder('gitlab');

beforeAll(() => {
  mkdirSync(join(dir, 'photos'));
  copyFileSync(join(FIXTURES, 'vehicle/after/front_right.jpg'), join(dir, 'photos/front_right.jpg'));
  copyFileSync(FILE, join(dir, '.gitlab-ci.yml'));
  spawnSync('git', ['init', '-q', dir]);
});

describe('the job for GitLab', () => {
  test.skipIf(Number(process.versions.node.split('.')[0]) < CHECKER_NODE)(
    `GitLab's own schema finds no fault (Node ${CHECKER_NODE} or newer)`,
    () => {
      const checker = join(ROOT, 'node_modules/gitlab-ci-local/dist/index.js');
      const run = spawnSync(process.execPath, [checker, '--preview'], { cwd: dir, encoding: 'utf8' });
      expect(run.stderr).toContain('json schema validated');
      expect(run.status).toBe(0);
      expect(Object.keys(parse(run.stdout))).toContain('vehicle-inspection');
    },
  );

  test('its script leaves the files that it hands over, and fails from fail_on', async () => {
    const job = parse(TEXT)['vehicle-inspection'];
    const [install, inspect] = job.script;
    expect(install).toMatch(/^npm install --global --ignore-scripts .*"\$VEHI_PACKAGE"$/);
    expect(job.variables.VEHI_PACKAGE).toBe(basename(inject('tarball')));
    const env = {
      ...job.variables,
      VEHI_SENSITIVITY: 'high',
      VEHI_FAIL_ON: 'minor',
      PATH: `${join(inject('installed'), 'node_modules/.bin')}:${process.env.PATH}`,
    };
    const { code, output } = await runStep(inspect, dir, env);
    expect(output).toContain('--fail-on minor was hit');
    expect(code).toBe(1);
    for (const path of [...job.artifacts.paths, job.artifacts.reports.junit])
      expect(existsSync(join(dir, path)), path).toBe(true);
    expect(readFileSync(join(dir, job.artifacts.reports.junit), 'utf8')).toContain('<failure');
  });

  test('the documentation shows it as it is', () => {
    expect(readFileSync(join(ROOT, 'docs/using/ci.md'), 'utf8')).toContain(TEXT);
  });
});
