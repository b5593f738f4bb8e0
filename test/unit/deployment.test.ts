// @module-tag slow: other programs check the files
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { VehiCommand } from '../../src/cli/vehi-command.ts';
import { listCommands, listWords } from '../helpers/cli/command-tree.ts';
import { ROOT } from '../helpers/cli/run-cli.ts';
import { makeOwnFolder } from '../helpers/temporary-folder.ts';

const COMPOSE = readFileSync(join(ROOT, 'docs/compose.yml'), 'utf8');
const UNITS = readdirSync(join(ROOT, 'docs/systemd'));
const unit = (name: string) => readFileSync(join(ROOT, 'docs/systemd', name), 'utf8');
const isThere = (program: string) => spawnSync('which', [program]).status === 0;
/** Other programs start slowly on a busy machine. */
const PROGRAM_MS = 60_000;

let commands: readonly VehiCommand[];
let directory: string;
beforeAll(async () => {
  commands = listCommands();
  directory = makeOwnFolder('deployment');
});

/** What is wrong with the words of one call of vehi: an unknown command or flag. */
function faultsOf(words: readonly string[]): string[] {
  const path = words
    .slice(
      0,
      words.findIndex((word) => word.startsWith('-')),
    )
    .join(' ');
  const command = commands.find((known) => listWords(known).join(' ') === path);
  if (!command) return [`no command "${path}"`];
  const known = command.options.map(({ long }) => long);
  return words.filter((word) => word.startsWith('--') && !known.includes(word));
}

/** Variables that vehi, its image or PostgreSQL's client reads. */
function isKnownVariable(name: string): boolean {
  if (name === 'PGPASSWORD') return true;
  const read = spawnSync('grep', ['-rqw', name, 'src', 'Dockerfile'], { cwd: ROOT });
  return read.status === 0;
}

/** Seconds of a time such as "150s" or "150". */
const seconds = (text: unknown) => Number.parseInt(String(text), 10);
const graceOf = (words: readonly string[]) => Number(words[words.indexOf('--grace') + 1]);

describe('docs/compose.yml', () => {
  // biome-ignore lint/suspicious/noExplicitAny: a file that is looked into freely; docker-compose holds its shape.
  const { services } = parse(COMPOSE, { merge: true }) as { services: Record<string, any> };

  test('calls vehi by commands, flags and variables that exist', () => {
    for (const name of ['api', 'work']) {
      expect(faultsOf(services[name].command), name).toEqual([]);
      expect(Object.keys(services[name].environment).filter((one) => !isKnownVariable(one))).toEqual([]);
    }
    const calls = [...COMPOSE.matchAll(/\/app\/bin\/vehi\.js (.*)$/gm)].map(([, words = '']) =>
      words.split(' '),
    );
    expect(calls).toHaveLength(1);
    expect(calls.flatMap(faultsOf)).toEqual([]);
    expect(faultsOf(['serve', '--no-such'])).toEqual(['--no-such']);
  });

  test('starts two of each, keeps what the queue holds, and gives running work its grace', () => {
    const { api, work } = services;
    expect([api.deploy.replicas, work.deploy.replicas]).toEqual([2, 2]);
    expect(seconds(work.stop_grace_period)).toBeGreaterThan(graceOf(work.command));
    expect(work.environment.VEHI_HEALTH_URL).toContain(
      `:${work.command[work.command.indexOf('--metrics-port') + 1]}/healthz`,
    );
  });

  test.skipIf(!isThere('docker-compose'))(
    'is valid by the schema of docker-compose',
    () => {
      const check = (text: string) => {
        writeFileSync(join(directory, 'compose.yml'), text);
        const { status, stderr } = spawnSync(
          'docker-compose',
          ['-f', join(directory, 'compose.yml'), 'config', '-q'],
          {
            encoding: 'utf8',
            env: { ...process.env, POSTGRES_PASSWORD: 'x' },
          },
        );
        return status === 0 ? '' : stderr;
      };
      expect(check(COMPOSE)).toBe('');
      expect(check(COMPOSE.replace('healthcheck:', 'healthchecks:'))).toContain('healthchecks');
    },
    PROGRAM_MS,
  );
});

describe('docs/systemd', () => {
  test.each(UNITS)(
    '%s calls vehi by flags and variables that exist, and gives running work its grace',
    (name) => {
      const text = unit(name);
      const words = /^ExecStart=\/usr\/bin\/vehi (.*)$/m.exec(text)?.[1]?.split(' ') ?? [];
      expect(faultsOf(words)).toEqual([]);
      expect((text.match(/\b(VEHI|PG)[A-Z_]+/g) ?? []).filter((one) => !isKnownVariable(one))).toEqual([]);
      if (words.includes('--grace')) {
        expect(seconds(/^TimeoutStopSec=(.*)$/m.exec(text)?.[1])).toBeGreaterThan(graceOf(words));
      }
    },
  );

  test.skipIf(!isThere('systemd-analyze')).each(UNITS)(
    'systemd finds no fault in %s',
    (name) => {
      const verify = (text: string) => {
        // vehi itself is not installed here.
        const file = join(directory, name.replace('@', '@1'));
        writeFileSync(file, text.replace('/usr/bin/vehi', '/bin/true'));
        const { stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], {
          encoding: 'utf8',
        });
        return `${stdout}${stderr}`.split('\n').filter((line) => line.includes(name.replace('@', '@1')));
      };
      expect(verify(unit(name))).toEqual([]);
      expect(verify(unit(name).replace('Restart=always', 'Restart=allways')).join()).toContain('allways');
    },
    PROGRAM_MS,
  );
});
