import { createPrivateKey } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { packEvidence } from '../../../src/evidence/pack.ts';
import { TINY_MODELS, writeDrawnCar } from '../../helpers/photos/drawn-car.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';

/** The result that rows work on. */
export const INSPECTION = exampleInspection({ damages: 2, photos: 2 });

/** What a row finds: its folder, addresses, and ids of what was made for it. */
export type Known = Record<string, string>;

/** Runs a command that must work; returns its stdout. */
export type Done = (words: readonly string[], known: Known) => Promise<string>;

export interface Row {
  /** Words behind `vehi`; `$name` is what is known by that name. */
  readonly words: string;
  /** Makes what the command works on; every row has a folder, settings and results of its own. */
  readonly given: (known: Known, done: Done) => Promise<void>;
  readonly code: number;
  /** What stands on stdout (of a line that fails: on stderr), or where nothing does, on the other. */
  readonly shows: RegExp;
  /** Looks closer at stdout. */
  readonly check?: (stdout: string) => void;
}

const refused = (words: string, code: number, shows: RegExp, given: Row['given'] = async () => {}): Row => ({
  words,
  code,
  shows,
  given,
});
const ok = (words: string, shows: RegExp, given?: Row['given']): Row => refused(words, 0, shows, given);

const logIn: Row['given'] = async (known, done) => {
  await done(['auth', 'login', '--base-url', known.address ?? ''], known);
};
/** Evidence without photos, signed by the folder's own key. */
const withEvidence: Row['given'] = async (known, done) => {
  const dir = known.dir ?? '';
  await done(['admin', 'evidence-key'], known);
  const parts = {
    inspection: { ...INSPECTION, data: { ...INSPECTION.data, images: [] } },
    documents: [],
    readPhoto: async () => Buffer.alloc(0),
    key: createPrivateKey(readFileSync(join(dir, 'config/vehi/evidence-key.pem'))),
    packedAt: new Date(),
  };
  await writeFile(join(dir, 'own.zip'), await packEvidence(parts));
};
const withKey: Row['given'] = async (known, done) => {
  const words = ['admin', 'keys', 'create', '--new-account', 'Shop', '--data', 'service', '--json'];
  const { key_id, account_id } = JSON.parse(await done(words, known));
  Object.assign(known, { key: key_id, account: account_id });
};
const withoutKey: Row['given'] = async ({ dir = '' }) => {
  mkdirSync(join(dir, 'config/vehi'), { recursive: true });
  writeFileSync(join(dir, 'config/vehi/evidence-key.pem'), 'no key');
};
const withPhoto: Row['given'] = ({ dir = '' }) => writeDrawnCar(join(dir, 'car.jpg'));
const withSettings: Row['given'] = async ({ dir = '' }) => {
  writeFileSync(join(dir, 'vehi.config.json'), '{ "region": "EU_GERMANY", "currency": "EUR" }');
};
const withRegions: Row['given'] = async (known, done) => {
  const table = JSON.parse(await done(['regions', 'show', 'US_TEXAS', '--json'], known));
  table.rows[0].code = 'OUR_SHOP';
  writeFileSync(join(known.dir ?? '', 'ours.json'), JSON.stringify(table));
};

/** Closed jobs of two kinds, with a dozen dollars between any two bills. */
const withJobs =
  (count: number): Row['given'] =>
  async (known) => {
    const lines = Array.from({ length: count }, (_, i) =>
      i % 2 === 0
        ? `hood:dent:severe:15,${1400 + 12 * i}`
        : `"front_bumper:scratch:moderate","${580 + 12 * i}"`,
    );
    writeFileSync(join(known.dir ?? '', 'jobs.csv'), ['damages,bill', ...lines].join('\r\n'));
  };

/** By the words of a command: one line that works and one that does not. */
export const ROWS: Readonly<Record<string, readonly [works: Row, fails: Row]>> = {
  inspect: [
    ok(`inspect car.jpg --models ${TINY_MODELS} --json`, /"status": "success"/, withPhoto),
    refused('inspect nowhere', 3, /nowhere/),
  ],
  assess: [
    ok('assess --damage hood:dent:moderate:4 --json', /"assessment_id"/),
    refused('assess --damage hod:dent', 2, /hod/),
  ],
  review: [
    ok('review result.json --decisions none.json', /^Repair: about \S+ as found, about \S+ now$/m),
    refused('review result.json', 2, /--decisions/),
  ],
  report: [ok('report result.json --format markdown', /^#/), refused('report gone.json', 3, /gone\.json/)],
  compare: [
    {
      ...ok('compare result.json result.json --json', /"vehicle_id"/),
      check: (stdout) => {
        const { counts, changes } = JSON.parse(stdout).data;
        expect(counts).toMatchObject({ new: 0, changed: 0, repaired: 0, unchanged: changes.length });
      },
    },
    refused('compare result.json none.json', 3, /none\.json/),
  ],
  verify: [
    ok('verify own.zip', /is unchanged[\s\S]*your own/, withEvidence),
    refused('verify result.json', 3, /no longer one:\s+it is truncated or not a zip file/),
  ],
  'auth login': [
    ok('auth login --base-url $address', /sandbox/),
    refused('auth login --base-url http://127.0.0.1:9', 5, /cannot reach/),
  ],
  'auth test': [
    ok('auth test', /permissions/, logIn),
    refused('auth test --base-url http://127.0.0.1:9', 5, /vehi auth login/),
  ],
  'auth status': [ok('auth status', /dev_…/, logIn), refused('auth status more', 2, /too many/)],
  'auth logout': [ok('auth logout', /sandbox/, logIn), refused('auth logout --profile other', 2, /other/)],
  'admin keys create': [
    ok('admin keys create --new-account Shop --data service --json', /dev_/),
    refused('admin keys create --new-account Shop --account acc_1', 2, /cannot be used/),
  ],
  'admin keys list': [
    ok('admin keys list --data service', /dev_…/, withKey),
    refused('admin keys list --acount x', 2, /--account/),
  ],
  'admin keys revoke': [
    ok('admin keys revoke $key --data service', /is revoked/, withKey),
    refused('admin keys revoke key_none --data service', 2, /key_none/, withKey),
  ],
  'admin accounts list': [
    ok('admin accounts list --data service', /Shop/, withKey),
    refused('admin accounts list more', 2, /too many/),
  ],
  'admin accounts update': [
    ok('admin accounts update $account --plan starter --data service', /is changed/, withKey),
    refused('admin accounts update acc_none --plan starter --data service', 2, /acc_none/, withKey),
  ],
  'admin data backup': [
    ok('admin data backup copy.db --data service', /is copied to/, withKey),
    refused('admin data backup none.json --data service', 2, /none\.json/, withKey),
  ],
  'admin data purge': [
    ok('admin data purge --vehicle veh_x --yes --data service', /0 removed/, withKey),
    refused('admin data purge --yes --data service', 2, /--older-than-days/, withKey),
  ],
  'admin evidence-key': [
    ok('admin evidence-key', /BEGIN PUBLIC KEY/),
    refused('admin evidence-key', 2, /evidence-key\.pem: .*\n.*move the file away/, withoutKey),
  ],
  'regions list': [
    ok('regions list', /EU_GERMANY/),
    refused('regions list --regions gone.json', 2, /gone\.json/),
  ],
  'regions show': [
    ok('regions show US_TEXAS --json', /"US_TEXAS"/),
    refused('regions show US_TEXS', 2, /US_TEXS is not a region of the table\.\n {2}Did you mean US_TEXAS/),
  ],
  'regions fit': [
    {
      ...ok('regions fit jobs.csv', /"MY_SHOP"/, withJobs(20)),
      check: (stdout) => {
        const [row] = JSON.parse(stdout).rows;
        expect(row.spread).toMatchObject({ jobs: 20, source: 'fitted to 20 closed jobs' });
      },
    },
    refused('regions fit jobs.csv', 3, /jobs\.csv has 19 jobs; at least 20 are needed/, withJobs(19)),
  ],
  'regions validate': [
    ok('regions validate ours.json', /ours\.json: 1 region: OUR_SHOP/, withRegions),
    refused('regions validate none.json', 3, /none\.json/),
  ],
  init: [ok('init', /written to/), refused('init', 2, /vehi\.config\.json already exists/, withSettings)],
  config: [
    ok('config', /EU_GERMANY +project file[\s\S]*\nproject file {2}\S+vehi\.config\.json\n/, withSettings),
    refused('config x', 2, /unknown command 'x'/),
  ],
  'config set': [ok('config set threads 2', /threads = 2/), refused('config set threads x', 2, /threads/)],
  doctor: [
    ok(
      `doctor --models ${TINY_MODELS}`,
      /^ok +Node: \d+\.\d+\.\d+ on \w+ \w+\n(ok +(JPEG|PNG|HEIC|SQLite|onnxruntime) \([@\w/-]+\): works\n){5}(ok +model \w+ \w+: loads in onnxruntime \(cpu\), \w{12}…\n){2}ok +text models .+\nok +data directory: .+\nok +disk: \d+ MB free\n$/,
    ),
    refused(
      'doctor --models gone --database postgres://x/y',
      4,
      /gone[\s\S]*FAIL shared addresses: .*--objects is missing/,
    ),
  ],
  help: [ok('help exit-codes', /130/), refused('help x', 2, /There is help on/)],
  completion: [ok('completion bash', /complete /), refused('completion tcsh', 2, /tcsh/)],
};

/** What a command that runs until it is stopped refuses; how it works has a test of its own. */
export const STAYING: Readonly<Record<string, Row>> = {
  capture: refused('capture car --baseline missing.json', 3, /there is no file missing\.json/),
  serve: refused('serve --port 99999', 2, /65535/),
  work: refused('work', 2, /--database and --objects/),
};
