import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERROR_CODES, ERRORS } from '../../../src/contract/errors.ts';
import type { Photo } from '../../../src/contract/inspection.ts';
import { FIXTURES } from '../../helpers/cli/run-cli.ts';
import { runInside } from '../../helpers/cli/run-inside.ts';
import { makeOwnFolder } from '../../helpers/own-folder.ts';
import { TINY_MODELS, writeDrawnCar } from '../../helpers/photos/drawn-car.ts';
import { pickComparable } from '../../helpers/results/comparable-result.ts';
import { type Serving, startServe } from '../../helpers/services/serve.ts';
import { type PassedRequest, startSimulatingDoor } from '../../helpers/services/simulating-door.ts';

const VIEWS = ['front', 'rear', 'left_side', 'right_side'].map((view) =>
  join(FIXTURES, 'vehicle', `${view}.jpg`),
);
/** Drawn photos in which the tiny models see a scratch and a dent on the hood. */
const SEEN: string[] = [];
const MODELS = TINY_MODELS;
const DAMAGE = ['--damage', 'hood:dent:moderate:4'];

let service: Serving;
let door: { url: string; close(): void };
const directory = makeOwnFolder('remote');
/** What the sandbox is asked to play. */
let simulate = '';
const seen: PassedRequest[] = [];

beforeAll(async () => {
  for (const view of ['front', 'rear', 'front_left', 'front_right']) {
    const path = join(directory, `${view}.jpg`);
    await writeDrawnCar(path);
    SEEN.push(path);
  }
  service = await startServe(['--sandbox', '--ephemeral', '--inline-seconds', '0', '--models', MODELS]);
  door = await startSimulatingDoor(service.line.address, () => simulate, seen);
});
afterAll(async () => {
  door?.close();
  if (service) expect(await service.stop()).toEqual({ code: 0, signal: null });
});

/** Runs the command line against the door, with the sandbox's key. */
async function remote(args: readonly string[], played = '', more: Record<string, string> = {}) {
  simulate = played;
  seen.length = 0;
  const env = { VEHI_API_KEY: service.line.api_key, VEHI_BASE_URL: door.url, ...more };
  const run = await runInside([...args, '--remote'], { env });
  expect(run.stdout + run.stderr).not.toContain(service.line.api_key);
  return run;
}

describe('vehi inspect --remote', () => {
  it('waits while the service works and returns what the engine here would', async () => {
    const there = await remote(['inspect', ...SEEN, '--json', '--detailed']);
    expect([there.code, there.stderr]).toEqual([0, '']);
    expect(seen.map(({ method }) => method)).toEqual(expect.arrayContaining(['POST', 'GET']));
    const here = await runInside(['inspect', ...SEEN, '--json', '--detailed', '--models', MODELS]);
    expect(pickComparable(there.stdout)).toEqual(pickComparable(here.stdout));
    expect(JSON.parse(there.stdout).data.results.damages.length).toBeGreaterThan(0);
  });

  it('prints the same table, writes the same files, hits the same thresholds', async () => {
    const marked = join(directory, 'marked');
    const words = ['inspect', ...SEEN, '--region', 'EU_GERMANY', '--currency', 'EUR', '--fail-on', 'minor'];
    const there = await remote([...words, '--annotated', marked, '-o', join(directory, 'r.json')]);
    const here = await runInside([...words, '-o', join(directory, 'r.json'), '--models', MODELS]);
    expect([there.code, here.code]).toEqual([1, 1]);
    expect(there.stdout).toContain('€');
    expect(there.stdout).toBe(here.stdout);
    expect(readdirSync(marked).length).toBeGreaterThan(0);
  });

  it.each([
    ['failed', 5, /could not inspect the photos[\s\S]*Try again/],
    ['slow:200ms', 3, /No photo shows the outside of a vehicle/],
    ['slow:100ms, failed', 5, /could not inspect/],
  ] as const)('X-Vehi-Simulate %s → exit %i', async (played, code, message) => {
    const run = await remote(['inspect', ...VIEWS, '-q'], played);
    expect([run.code, run.stderr]).toEqual([code, expect.stringMatching(message)]);
  });

  it('gives up an inspection that stays under way, and says where its result will be', async () => {
    const run = await remote(['inspect', ...VIEWS], 'processing', { VEHI_WAIT: '1' });
    expect([run.code, run.stdout]).toEqual([5, '']);
    expect(run.stderr).toMatch(
      /has not finished vis_\w+ after 1 s[\s\S]*\/v1\/inspections\/visual\/vis_\w+; VEHI_WAIT/,
    );
  });

  describe('photos that cannot be used', () => {
    const bad = (name: string) => join(directory, name);
    beforeAll(async () => {
      const whole = readFileSync(SEEN[0] ?? '');
      writeFileSync(bad('rear_left.jpg'), whole.subarray(0, whole.length / 2));
      writeFileSync(bad('right_side.jpg'), 'no photo at all');
      const small = sharp({ create: { width: 640, height: 480, channels: 3, background: 'grey' } });
      writeFileSync(bad('left_side.jpg'), await small.jpeg().toBuffer());
      writeFileSync(bad('rear_right.jpg'), '');
    });
    const BAD = ['left_side.jpg', 'rear_left.jpg', 'rear_right.jpg', 'right_side.jpg'];

    it('are named, and the others inspected, as the engine here does it', async () => {
      const photos = [...SEEN.slice(0, 1), ...BAD.map(bad), ...SEEN.slice(1)];
      const there = await remote(['inspect', ...photos, '--json']);
      const here = await runInside(['inspect', ...photos, '--json', '--models', MODELS]);
      expect([there.code, here.code]).toEqual([0, 0]);
      expect(pickComparable(there.stdout)).toEqual(pickComparable(here.stdout));
      expect(there.stderr).toBe(here.stderr);
      for (const name of BAD) expect(there.stderr).toContain(bad(name));
    });

    it.each([
      ['--strict with one of them', () => [...SEEN, bad('left_side.jpg'), '--strict']],
      ['none left', () => BAD.map(bad)],
    ])('%s → exit 3, as here', async (_name, photos) => {
      const there = await remote(['inspect', ...photos(), '-q']);
      const here = await runInside(['inspect', ...photos(), '-q', '--models', MODELS]);
      expect([there.code, there.stderr]).toEqual([3, here.stderr]);
      expect(here.code).toBe(3);
    });
  });

  it('takes a folder whose photos say nothing of their angle; one that nobody knows is left out', async () => {
    const folder = join(directory, 'unnamed');
    mkdirSync(folder);
    for (const [index, path] of SEEN.entries()) copyFileSync(path, join(folder, `IMG_${index + 1}.jpg`));
    const grey = { width: 1920, height: 1080, channels: 3, background: 'grey' } as const;
    writeFileSync(join(folder, 'IMG_5.jpg'), await sharp({ create: grey }).jpeg().toBuffer());
    writeFileSync(join(folder, 'IMG_6.jpg'), 'no photo at all');
    simulate = '';
    const env = { VEHI_API_KEY: service.line.api_key, VEHI_BASE_URL: door.url, VEHI_MODEL_DIR: MODELS };
    const there = await runInside(['inspect', folder, '--json', '--remote'], { env });
    const here = await runInside(['inspect', folder, '--json'], { env });
    expect([there.code, here.code]).toEqual([0, 0]);
    const { data } = JSON.parse(there.stdout);
    const known = JSON.parse(here.stdout).data.images.slice(0, 4);
    const angleOf = ({ url, angle, angle_source }: Photo) => ({ url, angle, angle_source });
    expect(data.images.map(angleOf)).toEqual(known.map(angleOf));
    expect(data.images[0].angle_source).toBe('parts_seen');
    expect(data.rejected_images.map(({ code }: { code: string }) => code)).toEqual([
      'ANGLE_UNKNOWN',
      'UNSUPPORTED_IMAGE_FORMAT',
    ]);
    expect(there.stderr).toMatch(
      /IMG_5\.jpg: the side of the vehicle it shows is unknown[^\n]*file name[^\n]*vehi\.json\n/,
    );
    expect(there.stderr).toContain('IMG_6.jpg');
    const few = await runInside(
      ['inspect', join(folder, 'IMG_1.jpg'), join(folder, 'IMG_5.jpg'), '--remote'],
      {
        env,
      },
    );
    expect([few.code, few.stderr]).toEqual([
      3,
      expect.stringMatching(/IMG_5\.jpg: the side of[\s\S]*4 to 50 images/),
    ]);
  });

  it('names the photo that the service refuses, and what to do', async () => {
    const run = await remote(['inspect', ...VIEWS], 'IMAGE_QUALITY_TOO_LOW');
    expect([run.code, run.stderr]).toEqual([
      3,
      expect.stringMatching(/front\.jpg: [\s\S]*Leave out that photo/),
    ]);
  });

  it.each([
    ['three photos', ['inspect', ...VIEWS.slice(1)], 3, /4 to 50 images[\s\S]*4 photos or more/],
    ['an unknown region', ['inspect', ...VIEWS, '--region', 'MARS'], 2, /US_MIDWEST/],
    ['a flag of this machine', ['inspect', ...VIEWS, '--models', 'm'], 2, /--models is for this machine/],
    ['many vehicles', ['inspect', '--many', FIXTURES], 2, /many vehicles/],
  ] as const)('%s → exit', async (_name, args, code, message) => {
    const run = await remote(args);
    expect([run.code, run.stdout, run.stderr]).toEqual([code, '', expect.stringMatching(message)]);
  });
});

describe('vehi assess --remote', () => {
  const withoutNames = ({ assessment_id: _id, created_at: _at, ...version }: Record<string, unknown>) =>
    version;
  const body = (text: string) => {
    const {
      assessment_id: _id,
      created_at: _at,
      reports: _links,
      ...rest
    } = JSON.parse(text, (key, value) => (key === 'history' ? value.map(withoutNames) : value)).data;
    return rest;
  };

  it('answers what the tables here would, with their table, exit code and settings', async () => {
    const words = [
      'assess',
      ...DAMAGE,
      '--region',
      'EU_GERMANY',
      '--currency',
      'EUR',
      '--fail-on',
      'moderate',
    ];
    const there = await remote([...words, '--json']);
    const here = await runInside([...words, '--json']);
    expect([there.code, here.code]).toEqual([1, 1]);
    expect(body(there.stdout)).toEqual(body(here.stdout));
    const tables = [await remote(words), await runInside(words)].map(({ stdout }) => stdout);
    expect(tables[0]?.replace(/asmt_\w+/g, '')).toBe(tables[1]?.replace(/asmt_\w+/g, ''));
  });

  it('prices an inspection that the service does not know, without the link to it', async () => {
    const file = join(directory, 'here.json');
    const damage = { damage_id: 'd', type: 'dent', location: { part: 'hood' } };
    writeFileSync(
      file,
      JSON.stringify({
        data: { vehicle_id: 'v', inspection_id: 'vis_elsewhere', results: { damages: [damage] } },
        meta: { region: 'US_TEXAS', currency: 'USD' },
      }),
    );
    const run = await remote(['assess', file, '--json']);
    expect([run.code, run.stderr]).toEqual([0, expect.stringContaining('does not know vis_elsewhere')]);
    expect(JSON.parse(run.stdout).meta.region).toBe('US_TEXAS');
  });

  it.each([
    ['an unknown part', ['assess', '--damage', 'wing:dent'], 3, /damages\[0\]\.location/],
    ['a flag of this machine', ['assess', ...DAMAGE, '--regions', 'x.json'], 2, /--regions/],
    [
      'an address with a password',
      ['assess', ...DAMAGE, '--base-url', 'http://me:secret@h'],
      2,
      /password in it/,
    ],
    ['no address', ['assess', ...DAMAGE, '--base-url', 'nonsense'], 2, /http or https/],
    [
      'nobody there',
      ['assess', ...DAMAGE, '--base-url', 'http://127.0.0.1:1'],
      5,
      /cannot reach[\s\S]*--base-url/,
    ],
    ['no service', ['assess', ...DAMAGE, '--base-url', 'DOOR/docs'], 5, /--base-url/],
    ['no key in the file', ['assess', ...DAMAGE, '--api-key-file', '/dev/null'], 2, /is empty/],
    [
      'a profile that is not stored',
      ['assess', ...DAMAGE, '--profile', 'production', '--api-key-file', 'KEYFILE'],
      5,
      /INVALID_API_KEY/,
    ],
  ] as const)('%s → exit', async (_name, args, code, message) => {
    writeFileSync(join(directory, 'key'), 'dev_unknown\n');
    const words = args.map((word) =>
      word.replace('DOOR', door.url).replace('KEYFILE', join(directory, 'key')),
    );
    const run = await remote(words);
    expect([run.code, run.stdout, run.stderr]).toEqual([code, '', expect.stringMatching(message)]);
    expect(run.stderr).not.toContain('secret');
  });

  it.each(ERROR_CODES.filter((code) => code !== 'INSPECTION_NOT_FOUND'))(
    'X-Vehi-Simulate %s → exit 3 for input, 5 with what to do for the rest',
    async (code) => {
      const { code: exit, stdout, stderr } = await remote(['assess', ...DAMAGE], code);
      expect([exit, stdout]).toEqual([ERRORS[code].type === 'validation_error' ? 3 : 5, '']);
      expect(stderr).toContain(`(${code})`);
      if (exit === 5) expect(stderr.trimEnd().split('\n').length).toBeGreaterThan(1);
    },
  );
});
