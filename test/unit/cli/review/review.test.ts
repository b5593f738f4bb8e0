import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import sharp from 'sharp';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { readAssessmentRequest } from '../../../../src/cli/assess/assess-input.ts';
import { main } from '../../../../src/cli/main.ts';
import { runReview } from '../../../../src/cli/review/review.run.ts';
import { loadTablesWith } from '../../../../src/config/regions-file.ts';
import type { Damage } from '../../../../src/contract/inspection.ts';
import { createResults } from '../../../../src/engine/inspect/results.ts';
import { createPricer } from '../../../../src/engine/pricer.ts';
import { createEngine } from '../../../../src/index.ts';
import { fakeTerminal } from '../../../helpers/cli/fake-terminal.ts';
import { FIXTURES } from '../../../helpers/cli/run-cli.ts';
import { runMain } from '../../../helpers/cli/run-inside.ts';
import { exampleGrounds } from '../../../helpers/results/example-grounds.ts';
import { exampleInspection } from '../../../helpers/results/example-inspection.ts';
import { makeOwnFolder } from '../../../helpers/temporary-folder.ts';

const dir = makeOwnFolder('review');
const NOW = '2026-01-31T12:00:00Z';

function damage(n: number, part: Damage['location']['part']): Damage {
  const coordinates = { x: 10, y: 10, width: 50, height: 50, image_width: 1920, image_height: 1080 };
  return {
    damage_id: `dmg_${part}_001`,
    number: n,
    type: 'dent',
    severity: 'severe',
    severity_score: 5.5,
    location: { part, side: 'front', coordinates },
    confidence: 0.8,
    image_url: 'front.jpg',
    annotated_url: null,
    estimated_repair: { min: 500, max: 700, estimated: 600, currency: 'USD', repair_type: 'panel_repair' },
    evidence: [{ image_index: 0, image_url: 'front.jpg', coordinates, confidence: 0.8 }],
    explain: [{ rule: 'severity.dent', inputs: { long_side_cm: 12 } }],
  };
}
const damages = [damage(1, 'hood'), damage(2, 'front_bumper'), damage(3, 'roof')];

beforeAll(async () => {
  const { status, data, meta } = exampleInspection({ damages: 0, photos: 1, rich: false });
  const url = join(FIXTURES, 'vehicle/front.jpg');
  const bytes = readFileSync(url);
  const { width, height } = await sharp(bytes).metadata();
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const images = data.images.map((photo) => ({ ...photo, url, sha256, width, height }));
  const results = createResults(damages, [], exampleGrounds([]));
  writeFileSync(
    join(dir, 'result.json'),
    JSON.stringify({ status, data: { ...data, images, results }, meta }),
  );
});

beforeEach(() => rmSync(join(dir, 'result.review.json'), { force: true }));

const terminal = () => fakeTerminal({ cwd: dir, now: () => new Date(NOW) }).ctx;

const written = (name: string) => JSON.parse(readFileSync(join(dir, name), 'utf8'));

/** Reviews by a list of decisions. */
async function decide(decisions: readonly object[], output: string, source = 'result.json') {
  writeFileSync(join(dir, 'list.json'), JSON.stringify(decisions));
  await runReview(source, { decisions: 'list.json', output }, terminal());
}

const accept = (damage_id: string) => ({ damage_id, decision: 'accept' });
const reject = (damage_id: string) => ({ damage_id, decision: 'reject' });

test('the output may say that it is JSON, and is nothing else', async () => {
  await decide([accept('dmg_hood_001')], 'json=named.json');
  expect(written('named.json').review.decisions).toHaveLength(1);
  await expect(decide([accept('dmg_hood_001')], 'pdf=named.pdf')).rejects.toThrow(
    '--output pdf=named.pdf: review cannot write pdf (a report with photos, for the claim file).',
  );
  await expect(decide([accept('dmg_hood_001')], 'json=')).rejects.toThrow('the name of the file is missing');
});

test('an output that the user did not name is called by its name, not by the flag', async () => {
  writeFileSync(join(dir, 'taken.json'), JSON.stringify(written('result.json')));
  mkdirSync(join(dir, 'taken.reviewed.json'));
  writeFileSync(join(dir, 'list.json'), '[]');
  const unnamed = runReview('taken.json', { decisions: 'list.json' }, terminal());
  await expect(unnamed).rejects.toThrow(/^taken\.reviewed\.json would overwrite a folder\.$/);
  const named = decide([], 'taken.reviewed.json', 'taken.json');
  await expect(named).rejects.toThrow(/^--output taken\.reviewed\.json would overwrite a folder\.$/);
});

test('decisions that are not JSON are refused with the form of decisions', async () => {
  writeFileSync(join(dir, 'list.json'), 'accept all');
  const run = runReview('result.json', { decisions: 'list.json', output: 'never.json' }, terminal());
  await expect(run).rejects.toMatchObject({
    code: 'INVALID_JSON',
    hint: '--decisions needs a JSON list of {"damage_id", "decision": "accept", "reject" or "change"}.',
  });
});

test.each([
  {},
  { make: 'Nobody', model: 'Knows', year: 2019 },
  { class: 'standard' },
  { class: 'luxury', lamps: 'led' },
] as const)(
  'a review that decides nothing leaves the price and its ends as they were: %j',
  async (vehicle) => {
    const result = JSON.parse(readFileSync(join(dir, 'result.json'), 'utf8'));
    const pricer = createPricer(await loadTablesWith(undefined), 'US_MIDWEST', 'USD', vehicle);
    const results = createResults(damages, [], { ...exampleGrounds([]), pricer });
    const priced = { ...result, data: { ...result.data, vehicle, results } };
    writeFileSync(join(dir, 'priced.json'), JSON.stringify(priced));
    await decide([], 'priced.reviewed.json', 'priced.json');
    expect(written('priced.reviewed.json').data.results.repair_cost).toEqual(results.repair_cost);
  },
);

test('the estimate that a result holds is made again of what is left, on the same terms', async () => {
  const result = written('result.json');
  const engine = await createEngine({ models: 'when-needed' });
  const options = { associated_operations: 'off', labor_rate_region: 'EU_GERMANY', currency: 'EUR' };
  const request = { ...readAssessmentRequest(result), assessment_options: options };
  const text = JSON.stringify({ ...result, assessment: engine.assess(request) });
  await engine.close();
  writeFileSync(join(dir, 'estimated.json'), text);
  await decide([reject('dmg_hood_001')], 'again.json', 'estimated.json');
  const { data, meta } = written('again.json').assessment;
  const { assessed_damages, estimate } = data;
  expect(assessed_damages.map((one: Damage) => one.damage_id)).toEqual([
    'dmg_front_bumper_001',
    'dmg_roof_001',
  ]);
  expect([meta.region, meta.currency, estimate.associated_operations]).toEqual(['EU_GERMANY', 'EUR', 'off']);
});

test('decisions from a file, on the command line', async () => {
  const decisions = [{ damage_id: 'dmg_hood_001', decision: 'change', severity: 'critical' }];
  writeFileSync(join(dir, 'decisions.json'), JSON.stringify(decisions));
  const args = ['review', 'result.json', '--decisions', 'decisions.json', '-o', 'out.json'];
  const where = { cwd: dir, env: { XDG_CONFIG_HOME: '/nonexistent' }, stdin: Readable.from([]) };
  const run = await runMain(main, args, where);
  expect(run.stderr).toContain('1 changed, 2 not reviewed');
  expect(run.code).toBe(0);
  const result = written('out.json').data.results;
  expect(result.damages[0]).toMatchObject({ severity: 'critical', severity_score: 7.5 });
  expect(result.damage_summary.by_severity).toMatchObject({ critical: 1, severe: 2 });
  const narrow = fakeTerminal({ ...where, columns: 50, isTTY: true, stdin: '' });
  await main(['node', 'vehi', ...args], narrow.ctx);
  expect(narrow.stdout()).toMatch(/^ {2}1 {2}changed .*Critical/m);
  expect(
    Math.max(
      ...narrow
        .stdout()
        .split('\n')
        .map((line) => line.length),
    ),
  ).toBeLessThanOrEqual(50);
  // A corrected result is a result again.
  expect((await runMain(main, ['report', 'out.json', '-o', 'out.html'], where)).code).toBe(0);
});

test('without a terminal the flag is named', async () => {
  await expect(runReview('result.json', {}, terminal())).rejects.toMatchObject({
    kind: 'usage',
    hint: expect.stringContaining('--decisions FILE'),
  });
});
