import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { main as Main } from '../../../src/cli/main.ts';
import { listChildren } from '../../../src/cli/vehi-command.ts';
import { clusterMissing } from '../../cluster/cluster.ts';
import { listCommands, listWords } from '../../helpers/cli/command-tree.ts';
import { fakeTerminal } from '../../helpers/cli/fake-terminal.ts';
import { ROOT } from '../../helpers/cli/run-cli.ts';
import { TINY_MODELS } from '../../helpers/photos/drawn-car.ts';
import { startPostgres } from '../../helpers/services/postgres.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';
import { INSPECTION, type Known, ROWS, type Row, STAYING } from './command-rows.ts';

/** What all rows share: the service. */
const shared: Known = {};
let main: typeof Main;
let service: ReturnType<typeof fakeTerminal>;
let served: Promise<void>;

const terminal = (known: Known) =>
  fakeTerminal({
    cwd: known.dir ?? '',
    now: () => new Date(),
    ...(shared.key === undefined ? {} : { stdin: shared.key }),
    env: { XDG_CONFIG_HOME: join(known.dir ?? '', 'config'), VEHI_DATA_DIR: join(known.dir ?? '', 'data') },
  });

/** A folder with what the lines name: a result, an empty list. */
function newFolder(): Known {
  const dir = makeOwnFolder('commands');
  const write = (name: string, content: unknown) => writeFileSync(join(dir, name), JSON.stringify(content));
  write('none.json', []);
  write('result.json', INSPECTION);
  return { ...shared, dir };
}

/** Runs a command that must work; its stdout. */
async function done(words: readonly string[], known: Known): Promise<string> {
  const screen = terminal(known);
  await main(['node', 'vehi', ...words], screen.ctx);
  expect(screen.code ?? 0, screen.stderr()).toBe(0);
  return screen.stdout();
}

async function check(row: Row): Promise<void> {
  const known = newFolder();
  await row.given?.(known, done);
  const screen = terminal(known);
  await main(['node', 'vehi', ...row.words(known)], screen.ctx);
  expect(screen.code ?? 0, screen.stderr()).toBe(row.code);
  const [first, second] =
    row.code === 0 ? [screen.stdout(), screen.stderr()] : [screen.stderr(), screen.stdout()];
  expect(first || second).toMatch(row.shows);
  row.check?.(screen.stdout());
}

beforeAll(async () => {
  ({ main } = await import(pathToFileURL(resolve(ROOT, 'dist/cli/main.js')).href));
  const own = newFolder();
  service = terminal(own);
  served = main(['node', 'vehi', ...(ROWS.serve?.[0].words(own) ?? [])], service.ctx);
  while (!service.stdout().includes('\n')) await new Promise((wait) => setTimeout(wait, 20));
  const { address, api_key } = JSON.parse(service.stdout());
  Object.assign(shared, { address, key: api_key });
}, 120_000);

afterAll(async () => {
  service?.stop();
  await served;
});

test('every command has a line that works and one that does not', async () => {
  // `vehi config` does something itself; the other commands with commands below them only hold those.
  const commands = listCommands().filter(
    (command) => listChildren(command).length === 0 || command.name() === 'config',
  );
  expect(Object.keys(ROWS).sort()).toEqual(commands.map((command) => listWords(command).join(' ')).sort());
});

describe('works', () => {
  test.each(Object.entries(ROWS).filter(([name]) => !STAYING.includes(name)))('vehi %s', (_, [row]) =>
    check(row),
  );

  test.skipIf(clusterMissing)(
    'vehi work with vehi serve --no-work, on what they share',
    async () => {
      const postgres = startPostgres();
      const dir = newFolder().dir ?? '';
      const env = {
        VEHI_DATABASE: postgres.createDatabase(),
        VEHI_OBJECTS: pathToFileURL(join(dir, 'files')).href,
        VEHI_MODEL_DIR: TINY_MODELS,
      };
      const run = (words: readonly string[], more: object = {}) => {
        const screen = fakeTerminal({ cwd: dir, now: () => new Date(), env: { ...env, ...more } });
        return { screen, ended: main(['node', 'vehi', ...words], screen.ctx) };
      };
      const line = async ({ screen, ended }: ReturnType<typeof run>) => {
        let over = false;
        void ended.finally(() => {
          over = true;
        });
        while (!screen.stdout().includes('\n') && !over) await new Promise((wait) => setTimeout(wait, 20));
        expect(screen.stdout(), screen.stderr()).not.toBe('');
        return JSON.parse(screen.stdout());
      };
      const alone = ['--no-work', '--no-webhooks', '--allow-private-images'];
      const serving = run(['serve', '--sandbox', ...alone, '--port', '0']);
      const { address, api_key: key, demo_photos: photos } = await line(serving);
      const working = run([...(ROWS.work?.[0].words({}) ?? []), '--metrics-port', '0']);
      const { metrics } = await line(working);
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
      const images = photos.slice(0, 4).map((url: string) => ({ url, angle: 'front', type: 'exterior' }));
      const made = await ask('', { vehicle_id: 'veh_1', images });
      expect(made.status).toBe('processing');
      await expect.poll(async () => (await ask(`/${made.inspection_id}`)).status).toBe('failed');
      // The record is stored before the analysis is counted.
      await expect
        .poll(async () => (await fetch(metrics)).text())
        .toMatch(/^vehi_analysis_duration_seconds_count\{outcome="failed"\} 1$/m);
      expect((await fetch(metrics.replace(/metrics$/, 'readyz'))).status).toBe(200);

      const does = async (words: readonly string[], more: object = {}) => {
        const { screen, ended } = run(words, more);
        await ended;
        return `${screen.code ?? 0} ${screen.stdout()}${screen.stderr()}`;
      };
      expect(await does(['admin', 'keys', 'list'])).toMatch(/^0 .*made by vehi serve --sandbox/s);
      expect(await does(['doctor'])).toMatch(
        /ok {3}database: PostgreSQL \d+.*, as this version of vehi needs them\nok {3}objects: .*, written, read and removed\n/,
      );
      expect(await does(['doctor'], { VEHI_DATABASE: 'postgres://127.0.0.1:1/x' })).toMatch(
        /FAIL database: .*ECONNREFUSED/,
      );
      expect(await does(['admin', 'data', 'backup', 'copy.db'])).toMatch(/^2 .*pg_dump/s);
      expect(await does(['admin', 'data', 'purge', '--vehicle', 'veh_1', '--yes'])).toContain(
        made.inspection_id,
      );
      working.screen.stop();
      serving.screen.stop();
      await Promise.all([working.ended, serving.ended]);
      expect([working.screen.code ?? 0, serving.screen.code ?? 0]).toEqual([0, 0]);
      postgres.stop();
    },
    180_000,
  );

  test('vehi serve, until it is asked to stop', async () => {
    const own = terminal(newFolder());
    const running = main(['node', 'vehi', ...(ROWS.serve?.[0].words({}) ?? [])], own.ctx);
    while (!own.stdout().includes('\n')) await new Promise((wait) => setTimeout(wait, 20));
    expect(own.stdout()).toMatch(ROWS.serve?.[0].shows ?? /^$/);
    own.stop();
    await running;
    expect(own.code ?? 0).toBe(0);
  });
});

describe('fails, saying why', () => {
  test.each(Object.entries(ROWS))('vehi %s', (_, [, row]) => check(row));
});
