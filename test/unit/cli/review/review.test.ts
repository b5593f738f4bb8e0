import { copyFileSync, mkdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readAssessmentRequest } from '../../../../src/cli/assess/assess-input.ts';
import { main } from '../../../../src/cli/main.ts';
import { loadTablesWith } from '../../../../src/config/regions-file.ts';
import type { Damage } from '../../../../src/contract/inspection.ts';
import { createResults } from '../../../../src/engine/inspect/results.ts';
import { createPricer } from '../../../../src/engine/pricer.ts';
import { openFolder } from '../../../helpers/cli/claim-folder.ts';
import { fakeTerminal } from '../../../helpers/cli/fake-terminal.ts';
import { assessed } from '../../../helpers/pricing/assessments.ts';
import { exampleGrounds } from '../../../helpers/results/example-grounds.ts';
import { exampleInspection } from '../../../helpers/results/example-inspection.ts';

const { folder, at, readJson, run, write } = openFolder('review');
const result = exampleInspection({ damages: 3, photos: 1, rich: false });
const damages = result.data.results?.damages ?? [];
const explain = [{ rule: 'severity.dent', inputs: { long_side_cm: 12 } }];
for (const damage of damages)
  Object.assign(damage, { type: 'dent', severity: 'severe', severity_score: 5.5, explain });
Object.assign(result.data, { results: createResults(damages, [], exampleGrounds(result.data.images)) });
const [{ damage_id: FIRST }, ...others] = damages as [Damage, ...Damage[]];
write('result.json', result);

/** Reviews a result by a list of decisions. */
function review(decisions: unknown, flags: string, source = 'result.json') {
  write('list.json', typeof decisions === 'string' ? decisions : JSON.stringify(decisions));
  return run(`review ${source} --decisions list.json${flags}`);
}
const ACCEPT = [{ damage_id: FIRST, decision: 'accept' }];

test('the output may say that it is JSON', async () => {
  expect((await review(ACCEPT, ' -o json=named.json')).code).toBe(0);
  expect(readJson('named.json').review.decisions).toHaveLength(1);
});

copyFileSync(at('result.json'), at('taken.json'));
mkdirSync(at('taken.reviewed.json'));
test.each<[unknown, string, number, string, string?]>([
  [ACCEPT, ' -o json=', 2, 'the name of the file is missing'],
  // Only an output that the user named is called by the flag.
  [ACCEPT, '', 2, 'vehi: taken.reviewed.json would overwrite a folder.', 'taken.json'],
  [ACCEPT, ' -o taken.reviewed.json', 2, '--output taken.reviewed.json would overwrite', 'taken.json'],
  ['accept all', '', 3, '--decisions needs a JSON list of {"damage_id", "decision"'],
])('%j with the flags "%s" ends with %i: %s', async (decisions, flags, code, said, source) => {
  const ran = await review(decisions, flags, source);
  expect(ran).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(said) });
});

test.each([
  {},
  { make: 'Nobody', model: 'Knows', year: 2019 },
  { class: 'standard' },
  { class: 'luxury', lamps: 'led' },
] as const)('a review that decides nothing leaves the price and its ends alone: %j', async (vehicle) => {
  const pricer = createPricer(await loadTablesWith(undefined), 'US_MIDWEST', 'USD', vehicle);
  const priced = createResults(damages, [], { ...exampleGrounds(result.data.images), pricer });
  write('priced.json', { ...result, data: { ...result.data, vehicle, results: priced } });
  await review([], '', 'priced.json');
  expect(readJson('priced.reviewed.json').data.results.repair_cost).toEqual(priced.repair_cost);
});

test('the estimate that a result holds is made again of what is left, on the same terms', async () => {
  const options = { associated_operations: 'off', labor_rate_region: 'EU_GERMANY', currency: 'EUR' };
  const request = { ...readAssessmentRequest(result), assessment_options: options };
  write('estimated.json', { ...result, assessment: assessed(request) });
  await review([{ ...ACCEPT[0], decision: 'reject' }], ' -o again.json', 'estimated.json');
  const { assessment } = readJson('again.json');
  const { assessed_damages, estimate } = assessment.data;
  const left = others.map(({ damage_id: id }) => id);
  expect(assessed_damages.map((one: Damage) => one.damage_id).toSorted()).toEqual(left.toSorted());
  const { region, currency } = assessment.meta;
  expect([region, currency, estimate.associated_operations]).toEqual(['EU_GERMANY', 'EUR', 'off']);
});

test('a severity changes the totals, and is shown in the width of the terminal; a corrected result is one again', async () => {
  const ran = await review([{ ...ACCEPT[0], decision: 'change', severity: 'critical' }], ' -o out.json');
  expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining('1 changed, 2 not reviewed')]);
  const changed = readJson('out.json').data.results;
  expect(changed.damages[0]).toMatchObject({ severity: 'critical', severity_score: 7.5 });
  expect(changed.damage_summary.by_severity).toMatchObject({ critical: 1, severe: 2 });
  const narrow = fakeTerminal({ cwd: folder, columns: 50, isTTY: true });
  const words = ['review', 'result.json', '--decisions', 'list.json', '-o', 'out.json'];
  await main(['node', 'vehi', ...words], narrow.ctx);
  expect(narrow.stdout()).toMatch(/^ {2}1 {2}changed .*Critical/m);
  for (const line of narrow.stdout().split('\n')) expect(line.length).toBeLessThanOrEqual(50);
  expect((await run('report out.json -o out.html')).code).toBe(0);
});
