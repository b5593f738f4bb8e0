import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listChildren } from '../../../src/cli/vehi-command.ts';
import { clusterMissing } from '../../cluster/cluster.ts';
import { listCommands } from '../../helpers/cli/command-tree.ts';
import { runInside } from '../../helpers/cli/run-inside.ts';
import { type Staying, serveInside, startInside } from '../../helpers/cli/start-inside.ts';
import { TINY_MODELS, writeDrawnCar } from '../../helpers/photos/drawn-car.ts';
import { startPostgres } from '../../helpers/services/postgres.ts';
import type { ServeLine } from '../../helpers/services/serve.ts';
import { makeOwnHome } from '../../helpers/temporary-folder.ts';

/**
 * A line of every command that ends by itself, one after the other in one folder. `$name` is the group of that name in what
 * an earlier line printed; `last.json` holds what the line before it printed.
 */
const LINES: readonly (readonly [command: string, more: string, prints: RegExp])[] = [
  ['inspect', `car.jpg --models ${TINY_MODELS} -o result.json -o evidence=own.zip`, /^REPAIR/m],
  ['verify', 'own.zip', /is unchanged[\s\S]*your own/],
  ['review', 'result.json --decisions none.json', /^Repair: about \S+ as found, about \S+ now$/m],
  ['report', 'result.json --format markdown', /^#/],
  ['compare', 'result.json result.json --json', /"new": 0/],
  ['assess', '--damage hood:dent:moderate:4 --json', /"assessment_id"/],
  ['auth login', '--base-url $address', /sandbox/],
  ['auth test', '', /permissions/],
  ['auth status', '', /dev_…/],
  ['auth logout', '', /sandbox/],
  [
    'admin keys create',
    '--new-account Shop --json',
    /"key_id": "(?<key>\w+)"[\s\S]*"account_id": "(?<account>\w+)"/,
  ],
  ['admin keys list', '', /dev_…/],
  ['admin accounts list', '', /Shop/],
  ['admin accounts update', '$account --plan starter', /is changed/],
  ['admin data backup', 'copy.db', /is copied to/],
  ['admin data purge', '--vehicle veh_x --yes', /0 removed/],
  ['admin keys revoke', '$key', /is revoked/],
  ['admin evidence-key', '', /BEGIN PUBLIC KEY/],
  ['regions list', '', /EU_GERMANY/],
  ['regions show', 'US_TEXAS --json', /"US_TEXAS"/],
  ['regions validate', 'last.json', /last\.json: 1 region: US_TEXAS/],
  ['regions fit', 'jobs.csv', /"jobs": 20,\s[\s\S]*"source": "fitted to 20 closed jobs"/],
  ['config set', 'region EU_GERMANY', /region = EU_GERMANY/],
  ['init', '', /written to/],
  ['config', '', /EU_GERMANY +user file[\s\S]*\nproject file {2}\S+vehi\.config\.json\n/],
  [
    'doctor',
    `--models ${TINY_MODELS}`,
    /^ok +Node: \d+\.\d+\.\d+ on \w+ \w+\n(ok +(JPEG|PNG|HEIC|SQLite|onnxruntime) \([@\w/-]+\): works\n){5}(ok +model \w+ \w+: loads in onnxruntime \(cpu\), \w{12}…\n){2}ok +text models .+\nok +data directory: .+\nok +disk: \d+ MB free\n$/,
  ],
  ['help', 'exit-codes', /130/],
  ['completion', 'bash', /complete /],
];
/** These run until they are stopped: `capture` in `test/web/capture.test.ts`, the others in `../service` and below. */
const STAYING = ['capture', 'serve', 'work'];

const { directory: dir, env } = makeOwnHome('commands');
const known: Record<string, string> = {};
let service: Staying<ServeLine>;

beforeAll(async () => {
  service = await serveInside(['--sandbox', '--ephemeral', '--allow-private-images']);
  known.address = service.line.address;
  await writeDrawnCar(join(dir, 'car.jpg'));
  writeFileSync(join(dir, 'none.json'), '[]');
  const jobs = Array.from(
    { length: 10 },
    (_, i) => `hood:dent:severe:15,${1400 + 24 * i}\nroof:dent,${580 + 24 * i}`,
  );
  writeFileSync(join(dir, 'jobs.csv'), `damages,bill\n${jobs.join('\n')}`);
});
afterAll(async () => {
  if (service) expect((await service.stop()).code).toBe(0);
});

test('every command has a line', () => {
  // `vehi config` does something itself; the other commands with commands below them only hold those.
  const commands = listCommands().filter(
    (command) => listChildren(command).length === 0 || command.name() === 'config',
  );
  expect([...LINES.map(([command]) => command), ...STAYING].sort()).toEqual(
    commands.map((command) => command.path).sort(),
  );
});

test.each(LINES)('vehi %s %s', async (command, more, prints) => {
  const line = `${command} ${more}`.trim().replace(/\$(\w+)/, (_, name: string) => known[name] ?? '');
  const { code, stdout, stderr } = await runInside(line, { cwd: dir, env, stdin: service.line.api_key });
  expect(code, stderr).toBe(0);
  expect(stdout || stderr).toMatch(prints);
  Object.assign(known, prints.exec(stdout)?.groups);
  writeFileSync(join(dir, 'last.json'), stdout);
});

test.skipIf(clusterMissing)(
  'vehi work with vehi serve --no-work, on what they share',
  async () => {
    const postgres = startPostgres();
    const shared = {
      VEHI_DATABASE: postgres.createDatabase(),
      VEHI_OBJECTS: pathToFileURL(join(dir, 'files')).href,
      VEHI_MODEL_DIR: TINY_MODELS,
    };
    const alone = ['--no-work', '--no-webhooks', '--allow-private-images'];
    const serving = await serveInside(['--sandbox', ...alone], shared);
    const work = ['work', '--sandbox', '--base-url', 'http://service.test', '--metrics-port', '0'];
    const working = await startInside<{ working: string; metrics: string }>(work, { env: shared });
    const { metrics } = working.line;
    expect(working.line.working).toBe('sandbox');
    const { address, api_key: key, demo_photos: photos } = serving.line;
    const ask = async (path: string, init: RequestInit = {}) => {
      const headers = {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        prefer: 'respond-async',
        'x-vehi-simulate': 'failed',
      };
      const answer = await fetch(`${address}/v1/inspections/visual${path}`, { ...init, headers });
      return ((await answer.json()) as { data: { inspection_id: string; status: string } }).data;
    };
    const images = photos.slice(0, 4).map((url) => ({ url, angle: 'front', type: 'exterior' }));
    const body = JSON.stringify({ vehicle_id: 'veh_1', images });
    const made = await ask('', { method: 'POST', body });
    expect(made.status).toBe('processing');
    await expect.poll(async () => (await ask(`/${made.inspection_id}`)).status).toBe('failed');
    // The record is stored before the analysis is counted.
    await expect
      .poll(async () => (await fetch(metrics)).text())
      .toMatch(/^vehi_analysis_duration_seconds_count\{outcome="failed"\} 1$/m);
    expect((await fetch(metrics.replace(/metrics$/, 'readyz'))).status).toBe(200);

    const gone = { VEHI_DATABASE: 'postgres://127.0.0.1:1/x' };
    for (const [line, code, shows, more] of [
      ['admin keys list', 0, /made by vehi serve --sandbox/],
      ['doctor', 0, /ok {3}database: PostgreSQL \d+.*, as this version of vehi needs them\nok {3}objects: /],
      ['doctor', 4, /FAIL database: .*ECONNREFUSED/, gone],
      ['admin data backup copy.db', 2, /pg_dump/],
      ['admin data purge --vehicle veh_1 --yes', 0, new RegExp(made.inspection_id)],
    ] as const) {
      const ran = await runInside(line, { cwd: dir, env: { XDG_CONFIG_HOME: dir, ...shared, ...more } });
      expect([ran.code, ran.stdout + ran.stderr]).toEqual([code, expect.stringMatching(shows)]);
    }
    const ended = await Promise.all([working.stop(), serving.stop()]);
    expect(ended.map(({ code }) => code)).toEqual([0, 0]);
    postgres.stop();
  },
  180_000,
);
