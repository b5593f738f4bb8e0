import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { InspectionEnvelope } from '../../../src/contract/inspection.ts';
import { ROOT } from '../../helpers/cli/run-cli.ts';
import { runInside } from '../../helpers/cli/run-inside.ts';
import { TINY_MODELS, writeDrawnCar } from '../../helpers/photos/drawn-car.ts';
import { makeCarFolder } from './demo-photos.ts';
import { HAS_EXPECT, runOnTerminal, type Step } from './pseudo-terminal.ts';

const NOW = ['--now', '2026-01-31T12:00:00Z'];
/** What is read, written and refused is the same whatever the models see. */
const TINY = { VEHI_MODEL_DIR: TINY_MODELS };
let dir: string;

beforeAll(async () => {
  dir = makeCarFolder('refused');
  mkdirSync(join(dir, 'drawn'));
  await writeDrawnCar(join(dir, 'drawn/front.jpg'));
});

function parse(stdout: string): InspectionEnvelope {
  return JSON.parse(stdout) as InspectionEnvelope;
}

describe('what is refused', () => {
  test('each bad photo is a line of its own; the rest is analyzed', async () => {
    const bad = join(dir, 'bad');
    mkdirSync(bad);
    copyFileSync(join(dir, 'drawn/front.jpg'), join(bad, 'good.jpg'));
    const jpeg = readFileSync(join(dir, 'drawn/front.jpg'));
    writeFileSync(join(bad, 'cut.jpg'), jpeg.subarray(0, jpeg.length / 2));
    writeFileSync(join(bad, 'empty.jpg'), '');
    writeFileSync(join(bad, 'note.jpg'), 'this is a text');
    writeFileSync(join(bad, 'huge.jpg'), Buffer.concat([jpeg, Buffer.alloc(11 * 1024 * 1024)]));
    symlinkSync(bad, join(bad, 'loop'));
    const run = await runInside(['inspect', bad, '--recursive', '--json', ...NOW], { env: TINY });
    expect(run.code).toBe(0);
    const { data } = parse(run.stdout);
    expect(data.images.map((image) => image.url)).toEqual([join(bad, 'good.jpg')]);
    const codes = Object.fromEntries(
      data.rejected_images.map((image) => [image.url.split('/').at(-1), image.code]),
    );
    expect(codes).toEqual({
      'cut.jpg': 'IMAGE_UNREADABLE',
      'empty.jpg': 'IMAGE_UNREADABLE',
      'huge.jpg': 'IMAGE_TOO_LARGE',
      'note.jpg': 'UNSUPPORTED_IMAGE_FORMAT',
    });
    for (const name of Object.keys(codes)) expect(run.stderr).toContain(name);
    expect((await runInside(['inspect', bad, '--strict', '--json', ...NOW], { env: TINY })).code).toBe(3);
  });

  test.each([
    ['no argument', ['inspect'], 2, 'photos'],
    ['an unknown region', ['inspect', 'fixtures/vehicle', '--region', 'US_TEXS'], 2, 'US_TEXAS'],
    ['an unknown currency', ['inspect', 'fixtures/vehicle', '--currency', 'usx'], 2, 'USD'],
    ['an invalid time', ['inspect', '.', '--now', 'soon'], 2, 'ISO 8601'],
    ['an unknown format', ['inspect', '.', '--format', 'xml'], 2, 'json'],
    [
      'two formats',
      ['inspect', '.', '--json', '--format', 'csv'],
      2,
      "'--json' cannot be used with option '--format",
    ],
    [
      'a model folder that is not there',
      ['inspect', 'fixtures/vehicle', '--models', '/nowhere'],
      4,
      '/nowhere',
    ],
  ])('%s', async (_, args, code, words) => {
    const run = await runInside(args);
    expect(run.stdout).toBe('');
    expect(run.stderr).toContain(words);
    expect(run.stderr).not.toContain('    at ');
    expect(run.code).toBe(code);
  });

  test.each([
    ['a path that is not there', '/nowhere/at-all'],
    ['no photos at all', 'test'],
  ])('%s is a failed inspection: named, no grade, exit 3', async (_, path) => {
    const run = await runInside(['inspect', path]);
    expect(run.stdout).toContain('No grade.');
    expect(run.stderr).toContain(path);
    expect(run.code).toBe(3);
  });

  test('a changed model stops with exit 4 and says what to do', async () => {
    const models = join(dir, 'models');
    mkdirSync(models);
    for (const name of readdirSync(join(ROOT, 'models')).filter((file) => /\.(onnx|json)$/.test(file))) {
      copyFileSync(join(ROOT, 'models', name), join(models, name));
    }
    writeFileSync(join(models, 'damage-fp32.onnx'), 'not a model');
    const run = await runInside(['inspect', 'car', '--json', ...NOW], {
      cwd: dir,
      env: { VEHI_MODEL_DIR: models },
    });
    expect(run.code).toBe(4);
    expect(run.stderr).toContain('damage-fp32.onnx');
  });

  test('a folder that cannot be written to loses nothing silently', async () => {
    const closed = join(dir, 'closed');
    writeFileSync(closed, 'a file where a folder is needed');
    const run = await runInside(['inspect', 'drawn', '-o', join(closed, 'result.json'), ...NOW], {
      cwd: dir,
      env: TINY,
    });
    expect(run.code).toBe(2);
    expect(run.stderr).toContain(`cannot write ${join(closed, 'result.json')}`);
    expect(run.stdout).toMatch(/parts seen/);
    // What to do next names the file only if it was written.
    expect(run.stdout).not.toMatch(/vehi (review|report)/);
    const again = await runInside(['inspect', 'drawn', '-o', 'result.json', ...NOW], { cwd: dir, env: TINY });
    expect(again.stdout).toMatch(/vehi (review|report) result\.json/);
    chmodSync(closed, 0o600);
  });
});

describe('settings', () => {
  test('flag over environment over vehi.config.json', async () => {
    const own = join(dir, 'project');
    mkdirSync(own);
    writeFileSync(join(own, 'vehi.config.json'), JSON.stringify({ region: 'EU_FRANCE', currency: 'EUR' }));
    const inspectIn = async (args: string[], env = {}) =>
      parse(
        (
          await runInside(['inspect', join(dir, 'drawn/front.jpg'), '--json', ...NOW, ...args], {
            cwd: own,
            env: { ...TINY, ...env },
          })
        ).stdout,
      ).meta;
    expect(await inspectIn([])).toMatchObject({ region: 'EU_FRANCE', currency: 'EUR' });
    expect(await inspectIn([], { VEHI_REGION: 'EU_UK' })).toMatchObject({ region: 'EU_UK', currency: 'EUR' });
    expect(await inspectIn(['--region', 'US_TEXAS'], { VEHI_REGION: 'EU_UK' })).toMatchObject({
      region: 'US_TEXAS',
    });
  });
});

/** As many photos as an inspection takes, which take far longer together than a signal does to arrive. */
const MANY = 50;

describe('pipes and signals', () => {
  test('a reader that leaves after one line is no error', () => {
    const script = `"${process.execPath}" "${resolve(ROOT, 'bin/vehi.js')}" inspect drawn --json --models "${TINY_MODELS}" | head -n 1; echo "\${PIPESTATUS[0]}"`;
    const run = spawnSync('bash', ['-c', script], { cwd: dir, encoding: 'utf8' });
    expect(run.stdout).toBe('{\n0\n');
    expect(run.stderr).toBe('');
  });

  // timeout(1) and npm hand on a Ctrl-C that the terminal has sent already
  test.skipIf(!HAS_EXPECT).each([
    ['SIGINT', 130, 1],
    ['SIGTERM', 143, 1],
    ['SIGINT', 130, 2],
  ] as const)(
    '%s finishes the photos being inspected and exits %d, arriving %d times',
    (signal, code, times) => {
      const own = join(dir, `stopped-${signal}-${times}`);
      mkdirSync(join(own, 'many'), { recursive: true });
      for (let i = 0; i < MANY; i++)
        linkSync(join(dir, 'drawn/front.jpg'), join(own, 'many', `photo_${i}.jpg`));
      const words = ['inspect', 'many', '-o', 'result.json', '--models', TINY_MODELS];
      const steps: Step[] = [
        [` of ${MANY}`, { signal, times }],
        ['stopping after the photos being inspected'],
      ];
      const run = runOnTerminal(own, words, steps, { VEHI_THREADS: '1' });
      expect(run.code, run.shown).toBe(code);
      const { data } = parse(readFileSync(join(own, 'result.json'), 'utf8'));
      expect(data.partial).toBe(true);
      expect(data.images.length).toBeLessThan(MANY);
    },
    240_000,
  );
});
