import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listChildren } from '../../../src/cli/vehi-command.ts';
import { clusterMissing } from '../../cluster/cluster.ts';
import { listCommands, listWords } from '../../helpers/cli/command-tree.ts';
import { runInside } from '../../helpers/cli/run-inside.ts';
import { type Staying, serveInside, startInside } from '../../helpers/cli/start-inside.ts';
import { TINY_MODELS } from '../../helpers/photos/drawn-car.ts';
import { startPostgres } from '../../helpers/services/postgres.ts';
import type { ServeLine } from '../../helpers/services/serve.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';
import { INSPECTION, type Known, ROWS, type Row, STAYING } from './command-rows.ts';

let service: Staying<ServeLine>;

/** A folder with what the lines name: a result, an empty list. */
function newFolder(): Known {
  const dir = makeOwnFolder('commands');
  const write = (name: string, content: unknown) => writeFileSync(join(dir, name), JSON.stringify(content));
  write('none.json', []);
  write('result.json', INSPECTION);
  return { address: service.line.address, dir };
}

const run = (words: string | readonly string[], { dir = '' }: Known) => {
  const env = { XDG_CONFIG_HOME: join(dir, 'config'), VEHI_DATA_DIR: join(dir, 'data') };
  return runInside(words, { cwd: dir, env, stdin: service.line.api_key });
};

/** Runs a command that must work; its stdout. */
async function done(words: readonly string[], known: Known): Promise<string> {
  const { code, stdout, stderr } = await run(words, known);
  expect(code, stderr).toBe(0);
  return stdout;
}

async function check(row: Row): Promise<void> {
  const known = newFolder();
  await row.given(known, done);
  const words = row.words.replace(/\$(\w+)/, (_, name: string) => known[name] ?? '');
  const { code, stdout, stderr } = await run(words, known);
  expect(code, stderr).toBe(row.code);
  const [first, second] = row.code === 0 ? [stdout, stderr] : [stderr, stdout];
  expect(first || second).toMatch(row.shows);
  row.check?.(stdout);
}

beforeAll(async () => {
  service = await serveInside(['--sandbox', '--ephemeral', '--allow-private-images']);
});
afterAll(async () => {
  if (service) expect((await service.stop()).code).toBe(0);
});

test('every command has a line that works and one that does not', async () => {
  // `vehi config` does something itself; the other commands with commands below them only hold those.
  const commands = listCommands().filter(
    (command) => listChildren(command).length === 0 || command.name() === 'config',
  );
  expect(Object.keys({ ...ROWS, ...STAYING }).sort()).toEqual(
    commands.map((command) => listWords(command).join(' ')).sort(),
  );
});

describe('works', () => {
  test.each(Object.entries(ROWS))('vehi %s', (_, [row]) => check(row));

  test.skipIf(clusterMissing)(
    'vehi work with vehi serve --no-work, on what they share',
    async () => {
      const postgres = startPostgres();
      const { dir = '' } = newFolder();
      const env = {
        VEHI_DATABASE: postgres.createDatabase(),
        VEHI_OBJECTS: pathToFileURL(join(dir, 'files')).href,
        VEHI_MODEL_DIR: TINY_MODELS,
      };
      const alone = ['--no-work', '--no-webhooks', '--allow-private-images'];
      const serving = await serveInside(['--sandbox', ...alone], env);
      const work = ['work', '--sandbox', '--base-url', 'http://service.test', '--metrics-port', '0'];
      const working = await startInside<{ working: string; metrics: string }>(work, { env });
      const { metrics } = working.line;
      expect(working.line.working).toBe('sandbox');
      const { address, api_key: key, demo_photos: photos } = serving.line;
      const ask = async (path: string, body?: object) => {
        const answer = await fetch(`${address}/v1/inspections/visual${path}`, {
          method: body === undefined ? 'GET' : 'POST',
          headers: {
            authorization: `Bearer ${key}`,
            'content-type': 'application/json',
            prefer: 'respond-async',
            'x-vehi-simulate': 'failed',
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        return ((await answer.json()) as { data: { inspection_id: string; status: string } }).data;
      };
      const images = photos.slice(0, 4).map((url) => ({ url, angle: 'front', type: 'exterior' }));
      const made = await ask('', { vehicle_id: 'veh_1', images });
      expect(made.status).toBe('processing');
      await expect.poll(async () => (await ask(`/${made.inspection_id}`)).status).toBe('failed');
      // The record is stored before the analysis is counted.
      await expect
        .poll(async () => (await fetch(metrics)).text())
        .toMatch(/^vehi_analysis_duration_seconds_count\{outcome="failed"\} 1$/m);
      expect((await fetch(metrics.replace(/metrics$/, 'readyz'))).status).toBe(200);

      const gone = { VEHI_DATABASE: 'postgres://127.0.0.1:1/x' };
      for (const [words, code, shows, more] of [
        ['admin keys list', 0, /made by vehi serve --sandbox/],
        [
          'doctor',
          0,
          /ok {3}database: PostgreSQL \d+.*, as this version of vehi needs them\nok {3}objects: /,
        ],
        ['doctor', 4, /FAIL database: .*ECONNREFUSED/, gone],
        ['admin data backup copy.db', 2, /pg_dump/],
        ['admin data purge --vehicle veh_1 --yes', 0, new RegExp(made.inspection_id)],
      ] as const) {
        const ran = await runInside(words, { cwd: dir, env: { ...env, ...more } });
        expect([ran.code, ran.stdout + ran.stderr]).toEqual([code, expect.stringMatching(shows)]);
      }
      const ended = await Promise.all([working.stop(), serving.stop()]);
      expect(ended.map(({ code }) => code)).toEqual([0, 0]);
      postgres.stop();
    },
    180_000,
  );
});

describe('fails, saying why', () => {
  const rows = Object.entries(ROWS).map(([name, [, row]]) => [name, row] as const);
  test.each([...rows, ...Object.entries(STAYING)])('vehi %s', (_, row) => check(row));
});
