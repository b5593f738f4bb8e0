import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { main as Main } from '../../src/cli/main.ts';
import { childrenOf } from '../../src/cli/terminal/command.ts';
import { clusterMissing } from '../cluster/cluster.ts';
import { allCommands, wordsOf } from '../helpers/command-tree.ts';
import { writeLabelled } from '../helpers/demo-photos.ts';
import { exampleInspection } from '../helpers/example-inspection.ts';
import { fakeTerminal } from '../helpers/fake-terminal.ts';
import { startPostgres } from '../helpers/postgres.ts';
import { startRedis } from '../helpers/redis.ts';
import { FIXTURES, ROOT } from '../helpers/run-cli.ts';

const PHOTO = join(FIXTURES, 'vehicle/front.jpg');
/** The result that rows work on. */
const INSPECTION = exampleInspection({ damages: 2, photos: 2 });
const ONE = ['--threads', '1', '--now', '2026-01-31T12:00:00Z'];

/** What a row finds: its folder, addresses, and ids of what was made for it. */
type Known = Record<string, string>;

interface Row {
  readonly words: (known: Known) => readonly string[];
  /** Makes what the command works on; every row has a folder, settings and results of its own. */
  readonly given?: (known: Known) => Promise<void>;
  readonly code: number;
  /** What stands on stdout (of a line that fails: on stderr), or where nothing does, on the other. */
  readonly shows: RegExp;
  /** Looks closer at stdout. */
  readonly check?: (stdout: string) => void;
}

const ok = (words: Row['words'] | readonly string[], shows: RegExp, given?: Row['given']): Row => ({
  words: typeof words === 'function' ? words : () => words,
  code: 0,
  shows,
  ...(given ? { given } : {}),
});
const refused = (words: readonly string[], code: number, shows: RegExp, given?: Row['given']): Row => ({
  words: () => words,
  code,
  shows,
  ...(given ? { given } : {}),
});

const loggedIn: Row['given'] = async (known) => {
  await done(['auth', 'login', '--base-url', known.address ?? '', '--api-key-file', 'key'], known);
};
const withWebhook = async (known: Known) => {
  await loggedIn(known);
  const added = await done(['webhooks', 'add', known.receiver ?? '', '--json'], known);
  known.webhook = JSON.parse(added).webhook_id;
};
const withDelivery: Row['given'] = async (known) => {
  await withWebhook(known);
  await done(['webhooks', 'test', known.webhook ?? ''], known);
  const listed = await done(['webhooks', 'deliveries', known.webhook ?? '', '--json'], known);
  known.message = JSON.parse(listed)[0].message_id;
};
const withKey: Row['given'] = async (known) => {
  const words = ['keys', 'create', '--new-account', 'Shop', '--data', 'service', '--json'];
  const { key_id, account_id } = JSON.parse(await done(words, known));
  Object.assign(known, { key: key_id, account: account_id });
};
const withSettings: Row['given'] = async (known) => {
  await done(['init', '--yes', '--region', 'EU_GERMANY'], known);
};
const withKept: Row['given'] = async (known) => {
  known.id = INSPECTION.data.inspection_id;
  mkdirSync(join(known.dir ?? '', 'data/results'), { recursive: true });
  const kept = { envelope: INSPECTION, photoPaths: {}, savedAt: '2026-01-31T12:00:00.000Z' };
  writeFileSync(join(known.dir ?? '', `data/results/${known.id}.json`), JSON.stringify(kept));
};
const withRegions: Row['given'] = async (known) => {
  const row = JSON.parse(await done(['regions', 'show', 'US_TEXAS', '--json'], known));
  const rows = [{ ...row, code: 'OUR_SHOP' }];
  const table = { name: 'ours', version: '1', effective_date: '2026-01-01', rows };
  writeFileSync(join(known.dir ?? '', 'ours.json'), JSON.stringify(table));
};

/** By the words of a command: one line that works and one that does not. */
const ROWS: Readonly<Record<string, readonly [works: Row, fails: Row]>> = {
  inspect: [
    ok(['inspect', PHOTO, '--json', '--save', ...ONE], /"status": "success"/),
    refused(['inspect', 'nowhere'], 3, /nowhere/),
  ],
  assess: [
    ok(['assess', '--damage', 'hood:dent:moderate:4', '--json'], /"assessment_id"/),
    refused(['assess', '--damage', 'hod:dent'], 3, /hod/),
  ],
  review: [
    ok(['review', 'result.json', '--decisions', 'none.json'], /^Repair as one: .* as found, .* now$/m),
    refused(['review', 'result.json'], 2, /--decisions/),
  ],
  report: [
    ok(['report', 'result.json', '--format', 'markdown'], /^#/),
    refused(['report', 'gone.json'], 2, /gone\.json/),
  ],
  compare: [
    {
      ...ok(['compare', 'result.json', 'result.json', '--json'], /"vehicle_id"/),
      check: (stdout) => {
        const { counts, changes } = JSON.parse(stdout).data;
        expect(counts).toMatchObject({ new: 0, worse: 0, repaired: 0, unchanged: changes.length });
      },
    },
    refused(['compare', 'result.json', 'none.json'], 3, /none\.json/),
  ],
  history: [ok(['history'], /vis_/, withKept), refused(['history', '--limit', '0'], 2, /--limit/)],
  show: [
    ok(({ id = '' }) => ['show', id, '--json'], /"status": "success"/, withKept),
    refused(['show', 'vis_none'], 2, /vis_none/),
  ],
  'auth login': [
    ok(({ address = '' }) => ['auth', 'login', '--base-url', address, '--api-key-file', 'key'], /sandbox/),
    refused(['auth', 'login', '--base-url', 'http://127.0.0.1:9', '--api-key-file', 'gone'], 2, /gone/),
  ],
  'auth test': [
    ok(['auth', 'test'], /permissions/, loggedIn),
    refused(['auth', 'test', '--base-url', 'http://127.0.0.1:9'], 5, /vehi auth login/),
  ],
  'auth status': [
    ok(['auth', 'status'], /dev_…/, loggedIn),
    refused(['auth', 'status', 'more'], 2, /too many/),
  ],
  'webhooks add': [
    ok(({ receiver = '' }) => ['webhooks', 'add', receiver, '--json'], /whsec_/, loggedIn),
    refused(['webhooks', 'add', 'no address'], 3, /url/i, loggedIn),
  ],
  'webhooks list': [
    ok(['webhooks', 'list'], /whe_/, withWebhook),
    refused(['webhooks', 'list', 'more'], 2, /too many/),
  ],
  'webhooks test': [
    ok(({ webhook = '' }) => ['webhooks', 'test', webhook], /delivered/, withWebhook),
    refused(['webhooks', 'test', 'whe_none'], 5, /WEBHOOK_NOT_FOUND/, loggedIn),
  ],
  'webhooks deliveries': [
    ok(({ webhook = '' }) => ['webhooks', 'deliveries', webhook, '--json'], /message_id/, withDelivery),
    refused(['webhooks', 'deliveries', 'whe_none'], 5, /WEBHOOK_NOT_FOUND/, loggedIn),
  ],
  'webhooks replay': [
    ok(
      ({ webhook = '', message = '' }) => ['webhooks', 'replay', webhook, message],
      /msg_|replay|deliver/,
      withDelivery,
    ),
    refused(['webhooks', 'replay', 'whe_none', 'msg_none'], 5, /NOT_FOUND/, loggedIn),
  ],
  'webhooks remove': [
    ok(({ webhook = '' }) => ['webhooks', 'remove', webhook], /is removed/, withWebhook),
    refused(['webhooks', 'remove', 'whe_none'], 5, /WEBHOOK_NOT_FOUND/, loggedIn),
  ],
  'auth logout': [
    ok(['auth', 'logout'], /sandbox/, loggedIn),
    refused(['auth', 'logout', '--profile', 'other'], 2, /other/),
  ],
  'keys create': [
    ok(['keys', 'create', '--new-account', 'Shop', '--data', 'service', '--json'], /dev_/),
    refused(['keys', 'create', '--data', 'service', '--permissions', 'all'], 2, /--permissions/),
  ],
  'keys list': [
    ok(['keys', 'list', '--data', 'service'], /dev_…/, withKey),
    refused(['keys', 'list', '--acount', 'x'], 2, /--account/),
  ],
  'keys rotate': [
    ok(({ key = '' }) => ['keys', 'rotate', key, '--data', 'service'], /dev_/, withKey),
    refused(['keys', 'rotate', 'key_none', '--data', 'service'], 2, /key_none/, withKey),
  ],
  'keys revoke': [
    ok(({ key = '' }) => ['keys', 'revoke', key, '--data', 'service'], /is revoked/, withKey),
    refused(['keys', 'revoke', 'key_none', '--data', 'service'], 2, /key_none/, withKey),
  ],
  'accounts list': [
    ok(['accounts', 'list', '--data', 'service'], /Shop/, withKey),
    refused(['accounts', 'list', 'more'], 2, /too many/),
  ],
  'accounts update': [
    ok(
      ({ account = '' }) => ['accounts', 'update', account, '--plan', 'starter', '--data', 'service'],
      /is changed/,
      withKey,
    ),
    refused(
      ['accounts', 'update', 'acc_none', '--plan', 'starter', '--data', 'service'],
      2,
      /acc_none/,
      withKey,
    ),
  ],
  'data backup': [
    ok(['data', 'backup', 'copy.db', '--data', 'service'], /is copied to/, withKey),
    refused(['data', 'backup', 'none.json', '--data', 'service'], 2, /none\.json/, withKey),
  ],
  'data purge': [
    ok(['data', 'purge', '--vehicle', 'veh_x', '--yes', '--data', 'service'], /0 removed/, withKey),
    refused(['data', 'purge', '--yes', '--data', 'service'], 2, /--older-than-days/, withKey),
  ],
  'data migrate': [
    ok(['data', 'migrate'], /schema version \d+, was up to date/),
    refused(['data', 'migrate'], 2, /--database is missing/),
  ],
  'data import': [
    ok(['data', 'import', '--from', 'service'], /api_keys +1 +1 +1\n/),
    refused(
      ['data', 'import', '--from', 'service', '--database', 'postgres://db/vehi'],
      2,
      /--objects is missing/,
    ),
  ],
  schema: [ok(['schema', '--of', 'error'], /"type"/), refused(['schema', '--of', 'all'], 2, /all/)],
  'regions list': [
    ok(['regions', 'list'], /EU_GERMANY/),
    refused(['regions', 'list', '--regions', 'gone.json'], 2, /gone\.json/),
  ],
  'regions show': [
    ok(['regions', 'show', 'US_TEXAS', '--json'], /"US_TEXAS"/),
    refused(['regions', 'show', 'US_TEXS'], 3, /US_TEXAS/),
  ],
  'regions new': [
    ok(['regions', 'new', '--from', 'eu_germany'], /"MY_SHOP"/),
    refused(['regions', 'new', '--from', 'EU_GERMNY'], 3, /EU_GERMANY/),
  ],
  'regions validate': [
    ok(['regions', 'validate', 'ours.json'], /ours\.json: 1 region: OUR_SHOP/, withRegions),
    refused(['regions', 'validate', 'none.json'], 3, /none\.json/),
  ],
  'models list': [
    ok(['models', 'list'], /damage/),
    refused(['models', 'list', '--models', 'gone'], 4, /gone/),
  ],
  'models verify': [
    ok(['models', 'verify'], /damage/),
    refused(['models', 'verify', '--models', 'gone'], 4, /gone/),
  ],
  'models info': [ok(['models', 'info', 'damage'], /damage/), refused(['models', 'info', 'none'], 2, /none/)],
  'models eval': [
    ok(
      ['models', 'eval', '--annotations', 'coco.json', '--images', join(FIXTURES, 'vehicle'), '--json'],
      /"meanAp50"|"mean_ap50"|"ap50"/,
    ),
    refused(['models', 'eval', '--annotations', 'gone.json', '--images', '.'], 3, /gone\.json/),
  ],
  'models fit': [
    ok(['models', 'fit', 'labelled/labels.json'], /ten folds/),
    refused(['models', 'fit', 'none.json'], 3, /none\.json|no photo/),
  ],
  init: [
    ok(['init', '--yes', '--region', 'EU_GERMANY'], /written to/),
    refused(['init', '--yes'], 2, /vehi\.config\.json is there already/, withSettings),
  ],
  'config list': [
    ok(['config', 'list', '--sources'], /EU_GERMANY +project file/, withSettings),
    refused(['config', 'list', 'x'], 2, /too many/),
  ],
  'config get': [
    ok(['config', 'get', 'region'], /^EU_GERMANY\n$/, withSettings),
    refused(['config', 'get', 'regon'], 2, /region/),
  ],
  'config set': [
    ok(['config', 'set', 'threads', '2'], /threads = 2/),
    refused(['config', 'set', 'threads', 'x'], 2, /threads/),
  ],
  'config path': [
    ok(['config', 'path'], /vehi\.config\.json\n.*config\.json\n/, withSettings),
    refused(['config', 'path', 'x'], 2, /too many/),
  ],
  doctor: [ok(['doctor'], /Node/i), refused(['doctor', '--models', 'gone'], 4, /gone/)],
  licenses: [ok(['licenses'], /Apache-2\.0/), refused(['licenses', 'x'], 2, /too many/)],
  help: [ok(['help', 'formats'], /sarif/), refused(['help', 'x'], 2, /There is help on/)],
  man: [ok(['man', 'doctor'], /^\.TH VEHI\\-DOCTOR 1/), refused(['man', 'x'], 2, /Known: /)],
  completion: [ok(['completion', 'bash'], /complete /), refused(['completion', 'tcsh'], 2, /tcsh/)],
  serve: [
    ok(['serve', '--sandbox', '--ephemeral', '--port', '0', '--allow-private-images'], /"address":"http/),
    refused(['serve', '--port', '99999'], 2, /65535/),
  ],
  work: [
    ok(['work', '--sandbox', '--base-url', 'http://service.test'], /"working":"sandbox"/),
    refused(['work'], 2, /--database, --redis and --objects/),
  ],
  cluster: [
    ok(['cluster', '--data', 'try', '--port', '0', '--json'], /"api_key":"dev_/),
    refused(['cluster', '--work', '2'], 2, /required option '--data <dir>'/),
  ],
};

/**
 * Commands that run until they are stopped, each with a test of its own (`cluster` in `test/cluster`), and those that need
 * what several machines share.
 */
const STAYING = ['serve', 'work', 'cluster', 'data migrate', 'data import'];

/** What all rows share: the service and a receiver of its events. */
const shared: Known = {};
const folders: string[] = [];
let main: typeof Main;
let receiver: Server;
let service: ReturnType<typeof fakeTerminal>;
let served: Promise<void>;

const terminal = (known: Known) =>
  fakeTerminal({
    cwd: known.dir ?? '',
    now: () => new Date(),
    env: { XDG_CONFIG_HOME: join(known.dir ?? '', 'config'), VEHI_DATA_DIR: join(known.dir ?? '', 'data') },
  });

/** A folder with what the lines name: a result, labels, an empty list, the service's key. */
function newFolder(): Known {
  const dir = mkdtempSync(join(tmpdir(), 'vehi-commands-'));
  folders.push(dir);
  const write = (name: string, content: unknown) => writeFileSync(join(dir, name), JSON.stringify(content));
  write('none.json', []);
  write('result.json', INSPECTION);
  writeLabelled(dir, 'labelled');
  if (shared.key) writeFileSync(join(dir, 'key'), shared.key);
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
  await row.given?.(known);
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
  receiver = createServer((_, response) => response.end());
  await new Promise<void>((ready) => receiver.listen(0, '127.0.0.1', ready));
  shared.receiver = `http://127.0.0.1:${(receiver.address() as { port: number }).port}/hook`;
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
  receiver?.closeAllConnections();
  receiver?.close();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

test('every command has a line that works and one that does not', async () => {
  const commands = (await allCommands()).filter((command) => childrenOf(command).length === 0);
  expect(Object.keys(ROWS).sort()).toEqual(commands.map((command) => wordsOf(command).join(' ')).sort());
});

describe('works', () => {
  test.each(Object.entries(ROWS).filter(([name]) => !STAYING.includes(name)))('vehi %s', (_, [row]) =>
    check(row),
  );

  test.skipIf(clusterMissing)(
    'vehi work with vehi serve --no-work, on what they share',
    async () => {
      const postgres = startPostgres();
      const redis = await startRedis();
      const dir = newFolder().dir ?? '';
      const env = {
        VEHI_DATABASE: postgres.createDatabase(),
        VEHI_REDIS: redis.url,
        VEHI_OBJECTS: pathToFileURL(join(dir, 'files')).href,
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
      expect(await (await fetch(metrics)).text()).toMatch(
        /^vehi_analysis_duration_seconds_count\{outcome="failed"\} 1$/m,
      );
      expect((await fetch(metrics.replace(/metrics$/, 'readyz'))).status).toBe(200);

      const does = async (words: readonly string[], more: object = {}) => {
        const { screen, ended } = run(words, more);
        await ended;
        return `${screen.code ?? 0} ${screen.stdout()}${screen.stderr()}`;
      };
      expect(await does(['keys', 'list'])).toMatch(/^0 .*\n.*made by vehi serve --sandbox/);
      expect(await does(['doctor'])).toMatch(
        /ok {3}database: PostgreSQL \d+.*, as this vehi makes them\nok {3}redis: .*\nok {3}redis script: .*\nok {3}clocks: .*\nok {3}objects: .*\nok {3}signed addresses: not used.*\nok {3}work: 1 serving, 1 working, 0 /,
      );
      expect(await does(['doctor'], { VEHI_REDIS: 'redis://127.0.0.1:1' })).toMatch(
        /FAIL redis: .*ECONNREFUSED/,
      );
      expect(await does(['data', 'backup', 'copy.db'])).toMatch(/^2 .*pg_dump/s);
      expect(await does(['data', 'purge', '--vehicle', 'veh_1', '--yes'])).toContain(made.inspection_id);
      for (const name of ['data migrate', 'data import']) {
        const [row] = ROWS[name] ?? [];
        if (name === 'data import') {
          await withKey({ ...shared, dir });
          expect(await does(row?.words({}) ?? [])).toMatch(/^2 .*in use by vehi (serve|work) on /s);
          const other = { VEHI_DATABASE: postgres.createDatabase() };
          expect(await does(row?.words({}) ?? [], other)).toMatch(row?.shows ?? /^$/);
          expect(await does(['keys', 'list'], other)).toMatch(/^0 .*\n/);
        } else expect(await does(row?.words({}) ?? [])).toMatch(row?.shows ?? /^$/);
      }
      working.screen.stop();
      serving.screen.stop();
      await Promise.all([working.ended, serving.ended]);
      expect([working.screen.code ?? 0, serving.screen.code ?? 0]).toEqual([0, 0]);
      await redis.stop();
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
