import { spawnSync } from 'node:child_process';
import { cpSync, linkSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { InspectionEnvelope } from '../../../src/contract/inspection.ts';
import { ROOT } from '../../helpers/cli/run-cli.ts';
import { openBuilt } from '../../helpers/cli/run-inside.ts';
import { TINY_MODELS, writeDrawnCar } from '../../helpers/photos/drawn-car.ts';
import { HAS_EXPECT, runOnTerminal, type Step } from './pseudo-terminal.ts';

const { folder: dir, at, readJson, run, write } = openBuilt('refused');
const parse = (text: string) => JSON.parse(text) as InspectionEnvelope;

beforeAll(async () => {
  mkdirSync(at('drawn'));
  mkdirSync(at('empty'));
  await writeDrawnCar(at('drawn/front.jpg'));
  cpSync(TINY_MODELS, at('changed'), { recursive: true });
  write('changed/damage-fp32.onnx', 'not a model');
});

describe('what is refused', () => {
  test('each bad photo is a line of its own, and --strict ends with 3; the rest is analyzed', async () => {
    const jpeg = readFileSync(at('drawn/front.jpg'));
    write('bad/good.jpg', jpeg);
    write('bad/cut.jpg', jpeg.subarray(0, jpeg.length / 2));
    write('bad/note.jpg', 'this is a text');
    symlinkSync(at('bad'), at('bad/loop'));
    const { code, stdout, stderr } = await run('inspect bad --recursive --strict --json');
    expect(code).toBe(3);
    const { data } = parse(stdout);
    expect(data.images.map((image) => image.url)).toEqual(['bad/good.jpg']);
    const codes = Object.fromEntries(data.rejected_images.map((image) => [image.url, image.code]));
    expect(codes).toEqual({ 'bad/cut.jpg': 'IMAGE_UNREADABLE', 'bad/note.jpg': 'UNSUPPORTED_IMAGE_FORMAT' });
    for (const name of Object.keys(codes)) expect(stderr).toContain(name);
  });

  test.each([
    ['inspect', 2, 'photos'],
    ['inspect drawn --models changed', 4, 'damage-fp32.onnx'],
    ['inspect empty --models /nowhere', 4, 'empty: found a folder without photos'],
  ])('%s ends with %i', async (line, code, said) => {
    const ran = await run(line);
    expect(ran).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(said) });
    expect(ran.stderr).not.toContain('    at ');
  });

  test('no photo is a failed inspection: named, no grade, exit 3', async () => {
    for (const path of ['/nowhere/at-all', 'empty']) {
      const ran = await run(`inspect ${path}`);
      expect(ran).toMatchObject({ code: 3, stdout: expect.stringContaining('No grade.') });
      expect(ran.stderr).toContain(path);
    }
  });
});

test('settings: flag over environment over vehi.config.json', async () => {
  write('vehi.config.json', { region: 'EU_FRANCE', currency: 'EUR' });
  const inspect = async (flags: string, env = {}) =>
    parse((await run(`inspect empty --json${flags}`, env)).stdout).meta;
  expect(await inspect('')).toMatchObject({ region: 'EU_FRANCE', currency: 'EUR' });
  const env = { VEHI_REGION: 'EU_UK' };
  expect(await inspect('', env)).toMatchObject({ region: 'EU_UK', currency: 'EUR' });
  expect(await inspect(' --region US_TEXAS', env)).toMatchObject({ region: 'US_TEXAS' });
});

/** As many photos as an inspection takes, which take far longer together than a signal does to arrive. */
const MANY = 50;

describe('pipes and signals', () => {
  test('a reader that leaves after one line is no error', () => {
    const script = `"${process.execPath}" "${resolve(ROOT, 'bin/vehi.js')}" inspect drawn --json --models "${TINY_MODELS}" | head -n 1; echo "\${PIPESTATUS[0]}"`;
    const ran = spawnSync('bash', ['-c', script], { cwd: dir, encoding: 'utf8' });
    expect([ran.stdout, ran.stderr]).toEqual(['{\n0\n', '']);
  });

  // timeout(1) and npm hand on a Ctrl-C that the terminal has sent already
  test.skipIf(!HAS_EXPECT).each([
    ['SIGTERM', 143, 1],
    ['SIGINT', 130, 2],
  ] as const)(
    '%s finishes the photos being inspected and exits %d, arriving %d times',
    (signal, code, times) => {
      const own = at(`stopped-${signal}`);
      mkdirSync(join(own, 'many'), { recursive: true });
      for (let i = 0; i < MANY; i++) linkSync(at('drawn/front.jpg'), join(own, 'many', `photo_${i}.jpg`));
      const words = ['inspect', 'many', '-o', 'result.json', '--models', TINY_MODELS];
      const steps: Step[] = [
        [` of ${MANY}`, { signal, times }],
        ['stopping after the photos being inspected'],
      ];
      const ran = runOnTerminal(own, words, steps, { VEHI_THREADS: '1' });
      expect(ran.code, ran.shown).toBe(code);
      const { data } = readJson(`stopped-${signal}/result.json`);
      expect(data.partial).toBe(true);
      expect(data.images.length).toBeLessThan(MANY);
    },
    240_000,
  );
});
