import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Check } from 'typebox/value';
import { beforeAll, describe, expect, test } from 'vitest';
import { type InspectionEnvelope, InspectionEnvelopeSchema } from '../../../src/contract/inspection.ts';
import { FIXTURES } from '../../helpers/cli/run-cli.ts';
import { runInside } from '../../helpers/cli/run-inside.ts';
import { TINY_MODELS, writeDrawnCar } from '../../helpers/photos/drawn-car.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';
import { VIEWS } from './demo-photos.ts';

const NOW = ['--now', '2026-01-31T12:00:00Z'];
let dir: string;

beforeAll(async () => {
  dir = makeOwnFolder('golden');
  for (const folder of ['car', 'drawn']) mkdirSync(join(dir, folder));
  copyFileSync(join(FIXTURES, 'vehicle/front_right.jpg'), join(dir, 'car/front_right.jpg'));
  for (const [shade, view] of VIEWS.entries()) await writeDrawnCar(join(dir, 'drawn', view), shade);
});

/** What flags, files and streams do is asked of drawn photos and the tiny models. */
const inspectDrawn = (args: readonly string[], stdin = '') =>
  runInside(['inspect', ...args, ...NOW], { cwd: dir, stdin, env: { VEHI_MODEL_DIR: TINY_MODELS } });

function parse(stdout: string): InspectionEnvelope {
  return JSON.parse(stdout) as InspectionEnvelope;
}

describe('vehi inspect', () => {
  test('--json is one document of the contract, and the same on every run', async () => {
    const args = ['drawn', '--json', '--detailed', '--hidden-damage'];
    const first = await inspectDrawn(args);
    const second = await inspectDrawn(args);
    expect(first.code).toBe(0);
    expect(first.stderr).toBe('');
    expect(second.stdout).toBe(first.stdout);
    const envelope = parse(first.stdout);
    expect(Check(InspectionEnvelopeSchema, envelope)).toBe(true);
    const { data, meta } = envelope;
    expect(data).toMatchObject({
      vehicle_id: 'drawn',
      status: 'completed',
      created_at: '2026-01-31T12:00:00.000Z',
      partial: false,
    });
    expect(data.images.map((image) => image.url)).toEqual(VIEWS.map((view) => `drawn/${view}`));
    // Drawn from one side; what the parts show counts, not the names of the files.
    expect(data.images.map((image) => image.angle)).toEqual(['front', 'front', 'front', 'front']);
    expect(new Set(data.images.map((image) => image.angle_source))).toEqual(new Set(['parts_seen']));
    expect(data.missing_views).toEqual(['rear', 'left', 'right']);
    expect(meta).toMatchObject({
      images_processed: 4,
      region: 'US_MIDWEST',
      currency: 'USD',
      labor_rate_used: 115,
    });
  });

  test('the sums of the contract hold', async () => {
    const { stdout } = await inspectDrawn(['drawn', '--json', '--sensitivity', 'high']);
    const { results } = parse(stdout).data;
    const { damages, damage_summary: sums, parts_affected: parts } = results ?? expect.fail('no results');
    const cents = (pick: (damage: (typeof damages)[number]) => number) =>
      damages.reduce((all, damage) => all + Math.round(pick(damage) * 100), 0) / 100;
    expect(damages.length).toBeGreaterThan(0);
    expect(sums.total_damages).toBe(damages.length);
    expect(sums.total_estimated_repair.min).toBe(cents((damage) => damage.estimated_repair.min));
    expect(sums.total_estimated_repair.max).toBe(cents((damage) => damage.estimated_repair.max));
    expect(Object.values(sums.by_severity).reduce((a, b) => a + b)).toBe(damages.length);
    expect(Object.values(sums.by_type).reduce((a, b) => a + b)).toBe(damages.length);
    expect(parts.reduce((all, part) => all + part.damage_count, 0)).toBe(damages.length);
    expect(new Set(damages.map((damage) => damage.damage_id)).size).toBe(damages.length);
  });

  test('files given by -o are whole, stdout keeps the table', async () => {
    const out = join(dir, 'deep/er/result.json');
    const run = await inspectDrawn(['drawn', '-o', out, '--output', `csv=${join(dir, 'd.csv')}`]);
    expect(run.code).toBe(0);
    expect(run.stdout).toMatch(
      /^drawn · \d+ photos? · [\s\S]*\nDAMAGE {2}\d.*\nCHECK .*\s+vehi report \S+result\.json\n/,
    );
    expect(Check(InspectionEnvelopeSchema, parse(readFileSync(out, 'utf8')))).toBe(true);
    expect(readFileSync(join(dir, 'd.csv'), 'utf8').split('\n').length).toBeGreaterThan(1);
    expect(readdirSync(join(dir, 'deep/er'))).toEqual(['result.json']);
  });

  test('a list on stdin, and a single photo with a coverage warning', async () => {
    const run = await inspectDrawn(['-', '--json'], 'drawn/front.jpg\n');
    expect(run.code).toBe(0);
    expect(parse(run.stdout).data.warnings.map((warning) => warning.code)).toEqual(['coverage']);
    const strict = await inspectDrawn(['drawn/front.jpg', '--strict', '--json']);
    expect(strict.code).toBe(3);
    expect(strict.stderr).toContain('1 photo; at least 4 are needed');
  });

  test('a folder whose vehi.json names vehicle and angles', async () => {
    const own = join(dir, 'described');
    mkdirSync(own);
    copyFileSync(join(dir, 'drawn/front.jpg'), join(own, 'a.jpg'));
    copyFileSync(join(dir, 'drawn/rear_right.jpg'), join(own, 'b.jpg'));
    writeFileSync(
      join(own, 'vehi.json'),
      JSON.stringify({
        vehicle_id: 'veh_7',
        photos: { 'a.jpg': { angle: 'front' }, 'b.jpg': { angle: 'engine' } },
      }),
    );
    const { data } = parse((await inspectDrawn([own, '--json'])).stdout);
    expect(data.vehicle_id).toBe('veh_7');
    expect(
      data.images.map(({ angle, angle_source, type, analyzed }) => [angle, angle_source, type, analyzed]),
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
      ['--annotated', 'drawn/front.jpg/x'],
      /^vehi: cannot write drawn\/front.jpg\/x\/.+\n {2}Choose another/m,
    ],
    [
      'one of several files',
      ['-o', 'csv=drawn/front.jpg/x.csv'],
      /^vehi: cannot write drawn\/front.jpg\/x.csv: /m,
    ],
  ])('%s that cannot be written cost nothing else', async (_, flags, message) => {
    const out = join(dir, 'all-the-same.json');
    const run = await inspectDrawn(['drawn', ...flags, '-o', out]);
    expect(run.code).toBe(2);
    expect(run.stdout).toMatch(/^drawn · \d+ photos? · [\s\S]*\nDAMAGE {2}\d/);
    expect(run.stderr).toMatch(message);
    expect(Check(InspectionEnvelopeSchema, parse(readFileSync(out, 'utf8')))).toBe(true);
    rmSync(out);
  });

  test('assessment, PDF, HTML and annotated photos; a report and a comparison of the JSON', async () => {
    const own = join(dir, 'claim');
    mkdirSync(own);
    const env = { VEHI_PAGE_SIZE: 'Letter' };
    const later = { cwd: own, env: { ...env, VEHI_MODEL_DIR: TINY_MODELS } };
    const args = ['inspect', '../car', '--sensitivity', 'high', '--assess', '--json', ...NOW];
    const outputs = ['-o', 'r.pdf', '-o', 'r.html', '--annotated', 'marked'];
    const run = await runInside([...args, ...outputs], { cwd: own, env });
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
    expect(readdirSync(join(own, 'marked'))).toEqual(['front_right.jpg']);
    const { damages = [] } = result.data.results ?? {};
    expect(damages.length).toBeGreaterThan(0);
    for (const damage of damages) expect(damage.annotated_url).toMatch(/^marked\//);
    const { stdout } = await runInside([...args, '--annotated', 'marked'], { cwd: own, env });
    expect(stdout, 'the shipped models see the same on every run').toBe(run.stdout);
    writeFileSync(join(own, 'r.json'), run.stdout);
    const again = await runInside(['report', 'r.json', '-o', 'again.html', ...NOW.slice(0, 2)], later);
    expect(again.code).toBe(0);
    const compared = await runInside(['compare', 'r.json', 'r.json', '--json'], later);
    expect(compared.code).toBe(0);
  });

  test('--fail-on exits 1 and says of every condition that it was hit', async () => {
    const conditions = ['minor', 'cost>1', 'score<9.9'];
    const failing = ['--quiet', '--fail-on', conditions.join()];
    const run = await inspectDrawn(['drawn', '--sensitivity', 'high', ...failing]);
    expect(run.code).toBe(1);
    for (const one of conditions) expect(run.stderr).toContain(`--fail-on ${one} was hit`);
    expect(run.stdout).toContain('drawn');
  });

  test('--redact on never writes a picture that only looks redacted', async () => {
    // These models find no plates.
    const run = await inspectDrawn(['drawn', '--redact', 'on', '--annotated', 'redacted']);
    expect(run.code).toBe(4);
    expect(readdirSync(dir)).not.toContain('redacted');
  });
});
