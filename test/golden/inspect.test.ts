import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Check } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type InspectionEnvelope, InspectionEnvelopeSchema } from '../../src/contract/inspection.ts';
import { HAS_EXPECT, onTerminal } from '../helpers/pseudo-terminal.ts';
import { FIXTURES, ROOT, runCli } from '../helpers/run-cli.ts';

const NOW = ['--now', '2026-01-31T12:00:00Z', '--threads', '1'];
const VIEWS = ['front_left.jpg', 'front.jpg', 'left_side.jpg', 'rear_right.jpg'];
let dir: string;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'vehi-golden-'));
  mkdirSync(join(dir, 'car'));
  for (const view of VIEWS) copyFileSync(join(FIXTURES, 'vehicle', view), join(dir, 'car', view));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function parse(stdout: string): InspectionEnvelope {
  return JSON.parse(stdout) as InspectionEnvelope;
}

describe('vehi inspect', () => {
  test('--json is one document of the contract, and the same on every run', async () => {
    const args = ['inspect', 'car', '--json', '--detailed', '--hidden-damage', ...NOW];
    const first = await runCli(args, { cwd: dir });
    const second = await runCli(args, { cwd: dir });
    expect(first.code).toBe(0);
    expect(first.stderr).toBe('');
    expect(second.stdout).toBe(first.stdout);
    const envelope = parse(first.stdout);
    expect(Check(InspectionEnvelopeSchema, envelope)).toBe(true);
    const { data, meta } = envelope;
    expect(data).toMatchObject({
      vehicle_id: 'car',
      status: 'completed',
      created_at: '2026-01-31T12:00:00.000Z',
      partial: false,
    });
    expect(data.images.map((image) => image.url)).toEqual(VIEWS.map((view) => `car/${view}`));
    expect(data.images.map((image) => image.angle)).toEqual([
      'front_left',
      'front',
      'left_side',
      'rear_right',
    ]);
    expect(new Set(data.images.map((image) => image.angle_source))).toEqual(new Set(['file_name']));
    expect(data.missing_views).toEqual([]);
    expect(meta).toMatchObject({
      images_processed: 4,
      region: 'US_MIDWEST',
      currency: 'USD',
      labor_rate_used: 115,
    });
  });

  test.each([
    ['a flag', ['--precision', 'int8'], {}],
    ['the environment', [], { VEHI_PRECISION: 'int8' }],
  ])('which file of a model runs is chosen by %s and told in the result', async (_, flags, env) => {
    const tiny = join(FIXTURES, 'models');
    const args = ['inspect', 'car/front.jpg', '--json', '--models', tiny, ...flags, ...NOW];
    const { data } = parse((await runCli(args, { cwd: dir, env })).stdout);
    expect(data.models.map(({ id, precision }) => `${id} ${precision}`)).toEqual([
      'damage int8',
      'parts fp32',
    ]);
  });

  test('the sums of the contract hold', async () => {
    const { stdout } = await runCli(['inspect', 'car', '--json', '--sensitivity', 'high', ...NOW], {
      cwd: dir,
    });
    const { results } = parse(stdout).data;
    const { damages, damage_summary: sums, parts_affected: parts } = results ?? expect.fail('no results');
    const cents = (pick: (damage: (typeof damages)[number]) => number) =>
      damages.reduce((all, damage) => all + Math.round(pick(damage) * 100), 0) / 100;
    expect(sums.total_damages).toBe(damages.length);
    expect(sums.total_estimated_repair.min).toBe(cents((damage) => damage.estimated_repair.min));
    expect(sums.total_estimated_repair.max).toBe(cents((damage) => damage.estimated_repair.max));
    expect(Object.values(sums.by_severity).reduce((a, b) => a + b)).toBe(damages.length);
    expect(Object.values(sums.by_type).reduce((a, b) => a + b)).toBe(damages.length);
    expect(parts.reduce((all, part) => all + part.damage_count, 0)).toBe(damages.length);
    expect(new Set(damages.map((damage) => damage.damage_id)).size).toBe(damages.length);
  });

  test('a region and a currency of their own', async () => {
    const { stdout } = await runCli(
      ['inspect', 'car', '--json', '--region', 'ASIA_JAPAN', '--currency', 'JPY', ...NOW],
      { cwd: dir },
    );
    const { data, meta } = parse(stdout);
    expect(meta).toMatchObject({ region: 'ASIA_JAPAN', currency: 'JPY', labor_rate_used: 10000 });
    const listed = [...(data.results?.damages ?? []), ...(data.results?.to_check ?? [])];
    expect(listed.length).toBeGreaterThan(0);
    for (const damage of listed) expect(Number.isInteger(damage.estimated_repair.min)).toBe(true);
  });

  test('files given by -o are whole, stdout keeps the table', async () => {
    const out = join(dir, 'deep/er/result.json');
    const run = await runCli(['inspect', 'car', '-o', out, '--output', `csv=${join(dir, 'd.csv')}`, ...NOW], {
      cwd: dir,
    });
    expect(run.code).toBe(0);
    expect(run.stdout).toMatch(/^car {2}\w+ \d+\.\d\/10/);
    expect(Check(InspectionEnvelopeSchema, parse(readFileSync(out, 'utf8')))).toBe(true);
    expect(readFileSync(join(dir, 'd.csv'), 'utf8').split('\n').length).toBeGreaterThan(1);
    expect(readdirSync(join(dir, 'deep/er'))).toEqual(['result.json']);
  });

  test('a list on stdin, and a single photo with a coverage warning', async () => {
    const run = await runCli(['inspect', '-', '--json', ...NOW], { cwd: dir, stdin: 'car/front.jpg\n' });
    expect(run.code).toBe(0);
    expect(parse(run.stdout).data.warnings.map((warning) => warning.code)).toEqual(['coverage']);
    const strict = await runCli(['inspect', 'car/front.jpg', '--strict', '--json', ...NOW], { cwd: dir });
    expect(strict.code).toBe(3);
    expect(strict.stderr).toContain('1 photos; at least 4 are needed');
  });

  test('a folder whose vehi.json names vehicle and angles', async () => {
    const own = join(dir, 'described');
    mkdirSync(own);
    copyFileSync(join(dir, 'car/front.jpg'), join(own, 'a.jpg'));
    copyFileSync(join(dir, 'car/rear_right.jpg'), join(own, 'b.jpg'));
    writeFileSync(
      join(own, 'vehi.json'),
      JSON.stringify({
        vehicle_id: 'veh_7',
        photos: { 'a.jpg': { angle: 'front' }, 'b.jpg': { angle: 'engine' } },
      }),
    );
    const { data } = parse((await runCli(['inspect', own, '--json', ...NOW])).stdout);
    expect(data.vehicle_id).toBe('veh_7');
    expect(
      data.images.map(({ angle, angle_source, type, analysed }) => [angle, angle_source, type, analysed]),
    ).toEqual([
      ['front', 'manifest', 'exterior', true],
      ['engine', 'manifest', 'mechanical', false],
    ]);
    expect(data.results?.not_assessed.map((item) => item.code)).toContain('mechanical_photo');
  });
});

describe('what else one run can make', () => {
  // A folder cannot be made below a file, for root neither: what a full disk does to one of several places.
  test.each([
    [
      'annotated photos',
      ['--annotated', 'car/front.jpg/x'],
      /^vehi: cannot write car\/front.jpg\/x\/.+\n {2}Choose another/m,
    ],
    [
      'one of several files',
      ['-o', 'csv=car/front.jpg/x.csv'],
      /^vehi: cannot write car\/front.jpg\/x.csv: /m,
    ],
    [
      'the result in the history',
      ['--save', '--annotated', 'car/front.jpg/x'],
      /^vehi: [^\n]+results: cannot be used for kept results .+\nvehi: cannot write car\/front.jpg\/x\/.+\n/m,
    ],
  ])('%s that cannot be written cost nothing else', async (_, flags, told) => {
    const out = join(dir, 'all-the-same.json');
    const env = { VEHI_DATA_DIR: join(dir, 'car/front.jpg') };
    const run = await runCli(['inspect', 'car', ...flags, '-o', out, ...NOW], { cwd: dir, env });
    expect(run.code).toBe(2);
    expect(run.stdout).toMatch(/^car {2}\w+ \d+\.\d\/10/);
    expect(run.stderr).toMatch(told);
    expect(Check(InspectionEnvelopeSchema, parse(readFileSync(out, 'utf8')))).toBe(true);
    rmSync(out);
  });

  test('assessment, PDF, HTML, annotated photos and a kept result', async () => {
    const own = join(dir, 'claim');
    mkdirSync(own);
    const env = { VEHI_DATA_DIR: join(own, 'data') };
    const args = ['inspect', '../car', '--sensitivity', 'high', '--assess', '--save', '--json', ...NOW];
    const outputs = [
      '-o',
      'r.pdf',
      '--page-size',
      'Letter',
      '-o',
      'r.html',
      '-o',
      'sarif=r.sarif',
      '--annotated',
      'marked',
    ];
    const run = await runCli([...args, ...outputs], { cwd: own, env });
    expect(run.code).toBe(0);
    const result = JSON.parse(run.stdout) as InspectionEnvelope & {
      assessment: { data: { inspection_id: string } };
    };
    expect(result.assessment.data.inspection_id).toBe(result.data.inspection_id);
    const pdf = readFileSync(join(own, 'r.pdf')).toString('latin1');
    expect(pdf).toMatch(/^%PDF-/);
    expect(pdf).toContain('/MediaBox [0 0 612 792]');
    const html = readFileSync(join(own, 'r.html'), 'utf8');
    expect(html).toContain('<!doctype html>');
    // Without --detailed the size that the severity was judged by, as in the table.
    expect(html).toMatch(/~[\d.]+ cm/);
    expect(JSON.parse(readFileSync(join(own, 'r.sarif'), 'utf8'))).toMatchObject({ version: '2.1.0' });
    expect(readdirSync(join(own, 'marked')).sort()).toEqual([...VIEWS].sort());
    const { damages = [] } = result.data.results ?? {};
    expect(damages.length).toBeGreaterThan(0);
    for (const damage of damages) expect(damage.annotated_url).toMatch(/^marked\//);
    const history = await runCli(['history', '--json'], { cwd: own, env });
    expect(history.stdout).toContain(result.data.inspection_id);
    const again = await runCli(['report', result.data.inspection_id, '-o', 'again.pdf', ...NOW.slice(0, 2)], {
      cwd: own,
      env,
    });
    expect(again.code).toBe(0);
    const compared = await runCli(
      ['compare', result.data.inspection_id, result.data.inspection_id, '--json'],
      { cwd: own, env },
    );
    expect(compared.code).toBe(0);
  });

  test.each([
    ['--fail-on', 'minor', '--fail-on minor was hit'],
    ['--fail-on-cost', '1', '--fail-on-cost 1 was hit'],
    ['--min-score', '9.9', '--min-score 9.9 was missed'],
  ])('%s %s exits 1 and says why', async (flag, value, words) => {
    const run = await runCli(['inspect', 'car', '--sensitivity', 'high', '--quiet', flag, value, ...NOW], {
      cwd: dir,
    });
    expect(run.code).toBe(1);
    expect(run.stderr).toContain(words);
    expect(run.stdout).toContain('car');
  });

  test('--redact never writes a picture that only looks redacted', async () => {
    // These models find no plates.
    const models = join(FIXTURES, 'models');
    const args = ['inspect', 'car', '--redact', '--annotated', 'redacted', '--models', models, ...NOW];
    const run = await runCli(args, { cwd: dir });
    expect(run.code).toBe(4);
    expect(readdirSync(dir)).not.toContain('redacted');
  });
});

describe('what is refused', () => {
  test('each bad photo is a line of its own; the rest is analysed', async () => {
    const bad = join(dir, 'bad');
    mkdirSync(bad);
    copyFileSync(join(dir, 'car/front.jpg'), join(bad, 'good.jpg'));
    const jpeg = readFileSync(join(dir, 'car/front.jpg'));
    writeFileSync(join(bad, 'cut.jpg'), jpeg.subarray(0, jpeg.length / 2));
    writeFileSync(join(bad, 'empty.jpg'), '');
    writeFileSync(join(bad, 'note.jpg'), 'this is a text');
    writeFileSync(join(bad, 'huge.jpg'), Buffer.concat([jpeg, Buffer.alloc(11 * 1024 * 1024)]));
    symlinkSync(bad, join(bad, 'loop'));
    const run = await runCli(['inspect', bad, '--recursive', '--json', ...NOW]);
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
    expect((await runCli(['inspect', bad, '--strict', '--json', ...NOW])).code).toBe(3);
  });

  test.each([
    ['no argument', ['inspect'], 2, 'photos'],
    ['an unknown command', ['inspec', '.'], 2, 'Did you mean inspect?'],
    ['an unknown flag', ['inspect', '.', '--jsn'], 2, 'Did you mean --json?'],
    ['an unknown region', ['inspect', 'fixtures/vehicle', '--region', 'US_TEXS'], 2, 'US_TEXAS'],
    ['an unknown currency', ['inspect', 'fixtures/vehicle', '--currency', 'usd'], 2, 'USD'],
    ['a share that is none', ['inspect', '.', '--min-confidence', '7'], 2, '0 to 1'],
    ['a time that is none', ['inspect', '.', '--now', 'soon'], 2, 'ISO 8601'],
    ['a precision that is none', ['inspect', '.', '--precision', 'int4'], 2, 'int8'],
    ['a format that is none', ['inspect', '.', '--format', 'xml'], 2, 'json'],
    [
      'a model folder that is not there',
      ['inspect', 'fixtures/vehicle', '--models', '/nowhere'],
      4,
      '/nowhere',
    ],
  ])('%s', async (_, args, code, words) => {
    const run = await runCli(args);
    expect(run.stdout).toBe('');
    expect(run.stderr).toContain(words);
    expect(run.stderr).not.toContain('    at ');
    expect(run.code).toBe(code);
  });

  test.each([
    ['a path that is not there', '/nowhere/at-all'],
    ['no photos at all', 'test'],
  ])('%s is a failed inspection: named, no grade, exit 3', async (_, path) => {
    const run = await runCli(['inspect', path]);
    expect(run.stdout).toContain('no grade');
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
    const run = await runCli(['inspect', 'car', '--json', ...NOW], {
      cwd: dir,
      env: { VEHI_MODEL_DIR: models },
    });
    expect(run.code).toBe(4);
    expect(run.stderr).toContain('damage-fp32.onnx');
  });

  test('a folder that cannot be written to loses nothing silently', async () => {
    const closed = join(dir, 'closed');
    writeFileSync(closed, 'a file where a folder is needed');
    const run = await runCli(['inspect', 'car', '-o', join(closed, 'result.json'), ...NOW], { cwd: dir });
    expect(run.code).toBe(2);
    expect(run.stderr).toContain(`cannot write ${join(closed, 'result.json')}`);
    expect(run.stdout).toMatch(/found on the parts seen/);
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
        (await runCli(['inspect', join(dir, 'car/front.jpg'), '--json', ...NOW, ...args], { cwd: own, env }))
          .stdout,
      ).meta;
    expect(await inspectIn([])).toMatchObject({ region: 'EU_FRANCE', currency: 'EUR' });
    expect(await inspectIn([], { VEHI_REGION: 'EU_UK' })).toMatchObject({ region: 'EU_UK', currency: 'EUR' });
    expect(await inspectIn(['--region', 'US_TEXAS'], { VEHI_REGION: 'EU_UK' })).toMatchObject({
      region: 'US_TEXAS',
    });
  });

  test('an unknown key is refused with the near one', async () => {
    const own = join(dir, 'typo');
    mkdirSync(own);
    writeFileSync(join(own, 'vehi.config.json'), JSON.stringify({ regoin: 'EU_UK' }));
    const run = await runCli(['inspect', join(dir, 'car')], { cwd: own });
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('Did you mean region?');
  });
});

describe('pipes and signals', () => {
  test('a reader that leaves after one line is no error', () => {
    const script = `"${process.execPath}" "${resolve(ROOT, 'bin/vehi.js')}" inspect car --json --threads 1 | head -n 1; echo "\${PIPESTATUS[0]}"`;
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
    '%s finishes the photos at hand and exits %d, arriving %d times',
    (signal, code, times) => {
      const own = join(dir, `stopped-${signal}-${times}`);
      mkdirSync(join(own, 'many'), { recursive: true });
      for (let i = 0; i < 40; i++)
        copyFileSync(join(dir, 'car', VIEWS[i % 4] ?? ''), join(own, 'many', `photo_${i}.jpg`));
      const words = ['inspect', 'many', '-o', 'result.json', '--threads', '1'];
      const run = onTerminal(own, words, [
        ['photo 2 of 40', { signal, times }],
        ['stopping after the photos being inspected'],
      ]);
      expect(run.code, run.shown).toBe(code);
      const { data } = parse(readFileSync(join(own, 'result.json'), 'utf8'));
      expect(data.partial).toBe(true);
      expect(data.images.length).toBeLessThan(40);
    },
    240_000,
  );
});
