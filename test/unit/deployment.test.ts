// @module-tag slow: other programs check the files
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { findFaults, listCalls } from '../helpers/cli/command-tree.ts';
import { ROOT } from '../helpers/cli/run-cli.ts';
import { makeOwnFolder } from '../helpers/temporary-folder.ts';

const COMPOSE = readFileSync(join(ROOT, 'docs/compose.yml'), 'utf8');
const UNITS = readdirSync(join(ROOT, 'docs/systemd'));
const unit = (name: string) => readFileSync(join(ROOT, 'docs/systemd', name), 'utf8');
const isThere = (program: string) => spawnSync('which', [program]).status === 0;
const directory = makeOwnFolder('deployment');
/** Other programs start slowly on a busy machine. */
const PROGRAM_MS = 60_000;

/** The names that neither vehi nor its image nor PostgreSQL's client reads. */
const listUnread = (names: readonly string[]) =>
  names.filter(
    (name) =>
      name !== 'PGPASSWORD' &&
      spawnSync('grep', ['-rqw', name, 'src', 'Dockerfile'], { cwd: ROOT }).status !== 0,
  );

/** Seconds of a time such as "150s" or "150". */
const seconds = (text: unknown) => Number.parseInt(String(text), 10);
const numberOf = (flag: string, words: readonly string[]) => Number(words[words.indexOf(flag) + 1]);

test('the Dockerfile runs scripts of the package that name no folder which it does not copy', () => {
  const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const run = [...dockerfile.matchAll(/npm run -s (\w+)/g)].map(([, name = '']) => scripts[name]);
  expect(run).toEqual([expect.stringContaining('vite build')]);
  for (const folder of ['test', 'models', 'npm run']) expect(run.join()).not.toContain(folder);
});

describe('docs/compose.yml', () => {
  // biome-ignore lint/suspicious/noExplicitAny: a file that is looked into freely; docker-compose holds its shape.
  const { api, work } = parse(COMPOSE, { merge: true }).services as Record<string, any>;

  test('calls vehi by commands, flags and variables that exist', () => {
    const commented = listCalls(COMPOSE.replaceAll('/app/bin/vehi.js', '\nvehi'));
    expect(commented).toHaveLength(1);
    expect([api.command, work.command, ...commented].flatMap(findFaults)).toEqual([]);
    expect([api, work].flatMap((one) => listUnread(Object.keys(one.environment)))).toEqual([]);
    expect(findFaults(['serve', '--no-such'])).toEqual(['--no-such']);
  });

  test('starts two of each, keeps what the queue holds, and gives running work its grace', () => {
    expect([api.deploy.replicas, work.deploy.replicas]).toEqual([2, 2]);
    expect(seconds(work.stop_grace_period)).toBeGreaterThan(numberOf('--grace', work.command));
    const port = numberOf('--metrics-port', work.command);
    expect(work.environment.VEHI_HEALTH_URL).toContain(`:${port}/healthz`);
  });

  test.skipIf(!isThere('docker-compose'))(
    'is valid by the schema of docker-compose',
    () => {
      const file = join(directory, 'compose.yml');
      const check = (text: string) => {
        writeFileSync(file, text);
        const env = { ...process.env, POSTGRES_PASSWORD: 'x' };
        return spawnSync('docker-compose', ['-f', file, 'config', '-q'], { encoding: 'utf8', env });
      };
      expect(check(COMPOSE)).toMatchObject({ status: 0 });
      const { stderr } = check(COMPOSE.replace('healthcheck:', 'healthchecks:'));
      expect(stderr).toContain('healthchecks');
    },
    PROGRAM_MS,
  );
});

describe.each(UNITS)('docs/systemd/%s', (name) => {
  const text = unit(name);

  test('calls vehi by flags and variables that exist, and gives running work its grace', () => {
    const [words = []] = listCalls(text.replace('ExecStart=/usr/bin/', '\n').replaceAll('%i', '1'));
    expect(words.length).toBeGreaterThan(1);
    expect(findFaults(words)).toEqual([]);
    expect(listUnread(text.match(/\b(VEHI|PG)[A-Z_]+/g) ?? [])).toEqual([]);
    if (words.includes('--grace'))
      expect(seconds(/^TimeoutStopSec=(.*)$/m.exec(text)?.[1])).toBeGreaterThan(numberOf('--grace', words));
  });

  test.skipIf(!isThere('systemd-analyze'))(
    'systemd finds no fault in it',
    () => {
      const instance = name.replace('@', '@1');
      const verify = (content: string) => {
        // vehi itself is not installed here.
        writeFileSync(join(directory, instance), content.replace('/usr/bin/vehi', '/bin/true'));
        const args = ['verify', '--man=no', join(directory, instance)];
        const { stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
        return `${stdout}${stderr}`.split('\n').filter((line) => line.includes(instance));
      };
      expect(verify(text)).toEqual([]);
      expect(verify(text.replace('Restart=always', 'Restart=allways')).join()).toContain('allways');
    },
    PROGRAM_MS,
  );
});
