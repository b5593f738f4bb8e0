import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { InspectionEnvelope } from '../../../src/contract/inspection.ts';
import { runInside } from '../../helpers/cli/run-inside.ts';
import { TINY_MODELS, writeDrawnCar } from '../../helpers/photos/drawn-car.ts';
import { printAnswer } from '../../helpers/reports/print-answer.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';

const dir = makeOwnFolder('to-check');
const certain = exampleInspection({ damages: 3, photos: 4 });
const withChecks = exampleInspection({ damages: 3, photos: 4, toCheck: 2 });
const nothing: InspectionEnvelope = {
  ...certain,
  data: {
    ...certain.data,
    status: 'failed',
    results: null,
    failure: { code: 'NO_VEHICLE', message: 'No photo shows the outside of a vehicle.' },
  },
};

beforeAll(() => {
  for (const [name, envelope] of Object.entries({ certain, withChecks, nothing }))
    writeFileSync(join(dir, `${name}.json`), JSON.stringify(envelope));
  return writeDrawnCar(join(dir, 'front.jpg'));
});

async function print(name: string, format: string, ...flags: string[]): Promise<string> {
  const run = await runInside(['report', `${name}.json`, '--format', format, ...flags], { cwd: dir });
  expect(run.code, run.stderr).toBe(0);
  return run.stdout;
}

const [first] = withChecks.data.results?.to_check ?? [];
const id = first?.damage_id ?? '';

describe('places to check', () => {
  test('fail in the junit of a report where they are asked to', async () => {
    const failures = (xml: string) => xml.split('<failure type="vehi.to_check"').length - 1;
    expect(failures(await print('withChecks', 'junit'))).toBe(0);
    expect(failures(await print('withChecks', 'junit', '--fail-on', 'unchecked'))).toBe(2);
  });

  test.each([
    ['table', /To check \(\d+\): damage or reflection\? Not in the total\.\n.*\n4\? [^\n$]*\n5\? [^\n$]*\n/],
    ['json', new RegExp(`"damage_id": "${id}"`)],
    ['csv', new RegExp(`to_check,4,${id}`)],
    [
      'junit',
      new RegExp(
        `<testcase name="${id}" classname="vehi.to_check"[^>]*><skipped message="To check, no\\. 4: critical `,
      ),
    ],
    ['github', /::notice file=[^:]*title=vehi \/ to check%3A [\s\S]*To check, no\. 4: critical scratch/],
    ['markdown', /### To check \(\d+\): damage or reflection/],
    ['html', /class="card to_check"/],
  ])('are in %s, and are none where nothing is to check', async (format, said) => {
    expect(await print('withChecks', format)).toMatch(said);
    expect(await print('certain', format)).not.toMatch(said);
  });

  test.each([
    ['csv', /,parts_seen,parts,cost_scope,vehicle\r\n[\s\S]*,\d+,23,"Without tax\. .*",\r\n/],
    ['markdown', /\d+ of 23 parts seen/],
    ['junit', /<property name="parts_seen" value="\d+"\/>\n<property name="parts" value="23"\/>/],
  ])('stand next to what was seen in %s', async (format, said) => {
    expect(await print('withChecks', format)).toMatch(said);
  });

  test('change no price, and one figure says what all of them would make', async () => {
    const price = (text: string) => text.match(/about \$[\d,]+/g);
    const table = await print('withChecks', 'table');
    expect(price(table)).toEqual(price(await print('certain', 'table')));
    expect(table).toMatch(/^CHECK +2 places, then \$[\d,]+ +vehi review withChecks\.json$/m);
  });
});

describe('a result without a vehicle says so in every kind', () => {
  const SAID = 'No photo shows the outside of a vehicle.';
  test.each([
    ['table', SAID],
    ['json', '"code": "NO_VEHICLE"'],
    ['csv', `NO_VEHICLE: ${SAID}`],
    ['junit', '<error type="NO_VEHICLE"'],
    ['github', `::error title=vehi / NO_VEHICLE::${SAID}`],
    ['markdown', SAID],
    ['html', SAID],
  ])('%s', async (format, said) => {
    // The page states the rate of labor, which is no price of a vehicle.
    const text = (await print('nothing', format)).replace(/Labor rate<.*? per hour|<script>[\s\S]*/g, '');
    expect(text).toContain(SAID);
    expect(text).toContain(said);
    expect(text).not.toMatch(/excellent|10(\.0)?\/10|no damage found|\$\d/i);
  });
});

test('codes and figures of photos are said only with --verbose; the table fits 80 columns', async () => {
  const table = printAnswer({ inspection: withChecks });
  expect(table).not.toMatch(/Limit$/m);
  expect(printAnswer({ inspection: withChecks }, { verbose: true })).toMatch(/Limit$/m);
  const lines = table.split('\n');
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  for (const { number, image_url } of withChecks.data.results?.damages ?? []) {
    const row = lines.find((line) => line.trimStart().startsWith(`${number}  `));
    expect(row).toContain(image_url.split('/').at(-1)?.replace('.jpg', ''));
  }
});

describe('--fail-on unchecked', () => {
  test.each([
    ['none', 0, /<testcase name="chk_[^"]+" classname="vehi.to_check"[^>]*><skipped message="To check, no/],
    [
      'unchecked',
      1,
      /<testcase name="chk_[^"]+"[^>]*><failure type="vehi.to_check" message="not reviewed yet">/,
    ],
  ])('inspect --fail-on %s exits %i, and JUnit agrees', async (conditions, code, place) => {
    const args = ['inspect', 'front.jpg', '--fail-on', conditions, '--format', 'junit'];
    // What the tiny models see is less sure than that.
    const env = { VEHI_MODEL_DIR: TINY_MODELS, VEHI_CERTAIN_FROM: '0.8', VEHI_TO_CHECK_FROM: '0.5' };
    const run = await runInside(args, { cwd: dir, env });
    expect(run.code, run.stderr).toBe(code);
    expect(run.stdout).toMatch(place);
    expect(run.stdout.includes('<failure')).toBe(code === 1);
  });
});
