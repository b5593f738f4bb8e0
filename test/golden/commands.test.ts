import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { main as Main } from '../../src/cli/main.ts';
import { childrenOf } from '../../src/cli/terminal/command.ts';
import { allCommands, wordsOf } from '../helpers/command-tree.ts';
import { fakeTerminal } from '../helpers/fake-terminal.ts';
import { FIXTURES, ROOT } from '../helpers/run-cli.ts';

const PHOTO = join(FIXTURES, 'vehicle/front.jpg');
const ONE = ['--threads', '1', '--now', '2026-01-31T12:00:00Z'];

/** What earlier rows made: ids and addresses. */
type Known = Record<string, string>;

interface Row {
  /** The command; its words may come from what earlier rows made. */
  readonly words: (known: Known) => readonly string[];
  readonly code: number;
  /** What stands on stdout (of a line that fails: on stderr), or where nothing does, on the other. */
  readonly shows: RegExp;
  /** Keeps something of stdout for later rows. */
  readonly keep?: (stdout: string, known: Known) => void;
}

const ok = (words: Row['words'] | readonly string[], shows: RegExp, keep?: Row['keep']): Row => ({
  words: typeof words === 'function' ? words : () => words,
  code: 0,
  shows,
  ...(keep ? { keep } : {}),
});
const refused = (words: readonly string[], code: number, shows: RegExp): Row => ({
  words: () => words,
  code,
  shows,
});

/** By the words of a command: one line that works and one that does not; in order, as later rows need what came before. */
const ROWS: Readonly<Record<string, readonly [works: Row, fails: Row]>> = {
  inspect: [
    ok(['inspect', PHOTO, '--json', '--save', ...ONE], /"status": "success"/, (stdout, known) => {
      writeFileSync(join(known.dir ?? '', 'result.json'), stdout);
      known.id = JSON.parse(stdout).data.inspection_id;
    }),
    refused(['inspect', 'nowhere'], 3, /nowhere/),
  ],
  assess: [
    ok(['assess', '--damage', 'hood:dent:moderate:4', '--json'], /"assessment_id"/),
    refused(['assess', '--damage', 'hod:dent'], 3, /hod/),
  ],
  review: [
    ok(['review', 'result.json', '--decisions', 'none.json'], /written to result\.reviewed\.json/),
    refused(['review', 'result.json'], 2, /--decisions/),
  ],
  report: [
    ok(['report', 'result.json', '--format', 'markdown'], /^#/),
    refused(['report', 'gone.json'], 2, /gone\.json/),
  ],
  compare: [
    ok(['compare', 'result.json', 'result.json', '--json'], /"vehicle_id"/, (stdout) => {
      const { counts, changes } = JSON.parse(stdout).data;
      expect(counts).toMatchObject({ new: 0, worse: 0, repaired: 0, unchanged: changes.length });
    }),
    refused(['compare', 'result.json', 'none.json'], 3, /none\.json/),
  ],
  history: [ok(['history'], /vis_/), refused(['history', '--limit', '0'], 2, /--limit/)],
  show: [
    ok(({ id = '' }) => ['show', id, '--json'], /"status": "success"/),
    refused(['show', 'vis_none'], 2, /vis_none/),
  ],
  'auth login': [
    ok(({ address = '' }) => ['auth', 'login', '--base-url', address, '--api-key-file', 'key'], /sandbox/),
    refused(['auth', 'login', '--base-url', 'http://127.0.0.1:9', '--api-key-file', 'gone'], 2, /gone/),
  ],
  'auth test': [
    ok(['auth', 'test'], /permissions/),
    refused(['auth', 'test', '--base-url', 'http://127.0.0.1:9'], 5, /vehi auth login/),
  ],
  'auth status': [ok(['auth', 'status'], /dev_…/), refused(['auth', 'status', 'more'], 2, /too many/)],
  'webhooks add': [
    ok(
      ({ receiver = '' }) => ['webhooks', 'add', receiver, '--json'],
      /whsec_/,
      (stdout, known) => {
        known.webhook = JSON.parse(stdout).webhook_id;
      },
    ),
    refused(['webhooks', 'add', 'no address'], 3, /url/i),
  ],
  'webhooks list': [ok(['webhooks', 'list'], /whe_/), refused(['webhooks', 'list', 'more'], 2, /too many/)],
  'webhooks test': [
    ok(({ webhook = '' }) => ['webhooks', 'test', webhook], /delivered/),
    refused(['webhooks', 'test', 'whe_none'], 5, /WEBHOOK_NOT_FOUND/),
  ],
  'webhooks deliveries': [
    ok(
      ({ webhook = '' }) => ['webhooks', 'deliveries', webhook, '--json'],
      /message_id/,
      (stdout, known) => {
        known.message = JSON.parse(stdout)[0].message_id;
      },
    ),
    refused(['webhooks', 'deliveries', 'whe_none'], 5, /WEBHOOK_NOT_FOUND/),
  ],
  'webhooks replay': [
    ok(({ webhook = '', message = '' }) => ['webhooks', 'replay', webhook, message], /msg_|replay|deliver/),
    refused(['webhooks', 'replay', 'whe_none', 'msg_none'], 5, /NOT_FOUND/),
  ],
  'webhooks remove': [
    ok(({ webhook = '' }) => ['webhooks', 'remove', webhook], /is removed/),
    refused(['webhooks', 'remove', 'whe_none'], 5, /WEBHOOK_NOT_FOUND/),
  ],
  'auth logout': [
    ok(['auth', 'logout'], /sandbox/),
    refused(['auth', 'logout', '--profile', 'other'], 2, /other/),
  ],
  'keys create': [
    ok(
      ['keys', 'create', '--new-account', 'Shop', '--data', 'service', '--json'],
      /dev_/,
      (stdout, known) => {
        const { key_id, account_id } = JSON.parse(stdout);
        Object.assign(known, { key: key_id, account: account_id });
      },
    ),
    refused(['keys', 'create', '--data', 'service', '--permissions', 'all'], 2, /--permissions/),
  ],
  'keys list': [
    ok(['keys', 'list', '--data', 'service'], /dev_…/),
    refused(['keys', 'list', '--acount', 'x'], 2, /--account/),
  ],
  'keys rotate': [
    ok(({ key = '' }) => ['keys', 'rotate', key, '--data', 'service'], /dev_/),
    refused(['keys', 'rotate', 'key_none', '--data', 'service'], 2, /key_none/),
  ],
  'keys revoke': [
    ok(({ key = '' }) => ['keys', 'revoke', key, '--data', 'service'], /is revoked/),
    refused(['keys', 'revoke', 'key_none', '--data', 'service'], 2, /key_none/),
  ],
  'accounts list': [
    ok(['accounts', 'list', '--data', 'service'], /Shop/),
    refused(['accounts', 'list', 'more'], 2, /too many/),
  ],
  'accounts update': [
    ok(
      ({ account = '' }) => ['accounts', 'update', account, '--plan', 'starter', '--data', 'service'],
      /is changed/,
    ),
    refused(['accounts', 'update', 'acc_none', '--plan', 'starter', '--data', 'service'], 2, /acc_none/),
  ],
  'data backup': [
    ok(['data', 'backup', 'copy.db', '--data', 'service'], /is copied to/),
    refused(['data', 'backup', 'none.json', '--data', 'service'], 2, /none\.json/),
  ],
  'data purge': [
    ok(['data', 'purge', '--vehicle', 'veh_x', '--yes', '--data', 'service'], /0 removed/),
    refused(['data', 'purge', '--yes', '--data', 'service'], 2, /--older-than-days/),
  ],
  schema: [ok(['schema', '--of', 'error'], /"type"/), refused(['schema', '--of', 'all'], 2, /all/)],
  'regions list': [
    ok(['regions', 'list'], /EU_GERMANY/),
    refused(['regions', 'list', '--regions', 'gone.json'], 2, /gone\.json/),
  ],
  'regions show': [
    ok(['regions', 'show', 'US_TEXAS', '--json'], /"US_TEXAS"/, (stdout, known) => {
      const rows = [{ ...JSON.parse(stdout), code: 'OUR_SHOP' }];
      const table = { name: 'ours', version: '1', effective_date: '2026-01-01', rows };
      writeFileSync(join(known.dir ?? '', 'ours.json'), JSON.stringify(table));
    }),
    refused(['regions', 'show', 'US_TEXS'], 3, /US_TEXAS/),
  ],
  'regions new': [
    ok(['regions', 'new', '--from', 'eu_germany'], /"MY_SHOP"/),
    refused(['regions', 'new', '--from', 'EU_GERMNY'], 3, /EU_GERMANY/),
  ],
  'regions validate': [
    ok(['regions', 'validate', 'ours.json'], /ours\.json: 1 region: OUR_SHOP/),
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
    refused(['init', '--yes'], 2, /vehi\.config\.json is there already/),
  ],
  'config list': [
    ok(['config', 'list', '--sources'], /EU_GERMANY +project file/),
    refused(['config', 'list', 'x'], 2, /too many/),
  ],
  'config get': [
    ok(['config', 'get', 'region'], /^EU_GERMANY\n$/),
    refused(['config', 'get', 'regon'], 2, /region/),
  ],
  'config set': [
    ok(['config', 'set', 'threads', '2'], /threads = 2/),
    refused(['config', 'set', 'threads', 'x'], 2, /threads/),
  ],
  'config path': [
    ok(['config', 'path'], /vehi\.config\.json\n.*config\.json\n/),
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
};

const known: Known = {};
let main: typeof Main;
let receiver: Server;
let service: ReturnType<typeof fakeTerminal>;
let served: Promise<void>;

const terminal = () =>
  fakeTerminal({
    cwd: known.dir ?? '',
    now: () => new Date(),
    env: { XDG_CONFIG_HOME: join(known.dir ?? '', 'config'), VEHI_DATA_DIR: join(known.dir ?? '', 'data') },
  });

beforeAll(async () => {
  known.dir = mkdtempSync(join(tmpdir(), 'vehi-commands-'));
  writeFileSync(join(known.dir, 'none.json'), '[]');
  const categories = [{ id: 0, name: 'scratch' }];
  const images = [{ id: 1, file_name: 'front.jpg', width: 1920, height: 1080 }];
  writeFileSync(join(known.dir, 'coco.json'), JSON.stringify({ images, categories, annotations: [] }));
  mkdirSync(join(known.dir, 'labelled'));
  for (const name of ['front.jpg', 'left_side.jpg'])
    copyFileSync(join(FIXTURES, 'vehicle', name), join(known.dir, 'labelled', name));
  const planted = {
    type: 'scratch',
    severity: 'moderate',
    part: 'front_door_left',
    bbox: [700, 500, 200, 100],
  };
  const labels = [
    { file: 'left_side.jpg', width: 1920, height: 1080, damages: [planted] },
    { file: 'front.jpg', width: 1920, height: 1080, damages: [] },
  ];
  writeFileSync(join(known.dir, 'labelled', 'labels.json'), JSON.stringify(labels));
  ({ main } = await import(pathToFileURL(resolve(ROOT, 'dist/cli/main.js')).href));
  receiver = createServer((_, response) => response.end());
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  known.receiver = `http://127.0.0.1:${(receiver.address() as { port: number }).port}/hook`;
  service = terminal();
  served = main(['node', 'vehi', ...(ROWS.serve?.[0].words(known) ?? [])], service.ctx);
  while (!service.stdout().includes('\n')) await new Promise((done) => setTimeout(done, 20));
  const { address, api_key } = JSON.parse(service.stdout());
  known.address = address;
  writeFileSync(join(known.dir, 'key'), api_key);
}, 120_000);

afterAll(async () => {
  receiver?.closeAllConnections();
  receiver?.close();
  rmSync(known.dir ?? '', { recursive: true, force: true });
});

test('every command has a line that works and one that does not', async () => {
  const commands = (await allCommands()).filter((command) => childrenOf(command).length === 0);
  expect(Object.keys(ROWS).sort()).toEqual(commands.map((command) => wordsOf(command).join(' ')).sort());
});

describe('works', () => {
  test.each(Object.entries(ROWS).filter(([name]) => name !== 'serve'))(
    'vehi %s',
    async (name, [row, wrong]) => {
      // These need the service, and the key that is forgotten later.
      if (name.startsWith('webhooks')) await fails(wrong);
      const screen = terminal();
      await main(['node', 'vehi', ...row.words(known)], screen.ctx);
      expect(screen.code ?? 0, screen.stderr()).toBe(0);
      expect(screen.stdout() || screen.stderr()).toMatch(row.shows);
      row.keep?.(screen.stdout(), known);
    },
  );

  test('vehi serve, until it is asked to stop', async () => {
    expect(service.stdout()).toMatch(ROWS.serve?.[0].shows ?? /^$/);
    service.stop();
    await served;
    expect(service.code ?? 0).toBe(0);
  });
});

describe('fails, saying why', () => {
  test.each(Object.entries(ROWS).filter(([name]) => !name.startsWith('webhooks')))(
    'vehi %s',
    async (_, [, row]) => {
      await fails(row);
    },
  );
});

async function fails(row: Row): Promise<void> {
  const screen = terminal();
  await main(['node', 'vehi', ...row.words(known)], screen.ctx);
  expect(screen.stderr() || screen.stdout()).toMatch(row.shows);
  expect(screen.code).toBe(row.code);
}
