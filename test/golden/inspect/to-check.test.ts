import { beforeAll, describe, expect, test } from 'vitest';
import { openBuilt } from '../../helpers/cli/run-inside.ts';
import { writeDrawnCar } from '../../helpers/photos/drawn-car.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';

const { at, run, write } = openBuilt('to-check');
const SAID = 'No photo shows the outside of a vehicle.';
const certain = exampleInspection({ damages: 3, photos: 4 });
const withChecks = exampleInspection({ damages: 3, photos: 4, toCheck: 2 });
const failure = { code: 'NO_VEHICLE', message: SAID } as const;
const nothing = { ...certain, data: { ...certain.data, status: 'failed', results: null, failure } };
for (const [name, envelope] of Object.entries({ certain, withChecks, nothing }))
  write(`${name}.json`, envelope);

beforeAll(() => writeDrawnCar(at('front.jpg')));

async function print(name: string, format: string): Promise<string> {
  const { code, stdout, stderr } = await run(`report ${name}.json --format ${format}`);
  expect(code, stderr).toBe(0);
  return stdout;
}

const id = withChecks.data.results?.to_check[0]?.damage_id ?? '';
const failed = /<testcase name="chk_[^"]+"[^>]*><failure type="vehi.to_check" message="not reviewed yet">/;

describe('places to check', () => {
  test.each([
    ['table', /To check \(\d+\): damage or reflection\? .*\n.*\n4\? [^\n$]*\n5\? [^\n$]*\n/, SAID],
    ['json', new RegExp(`"damage_id": "${id}"`), '"code": "NO_VEHICLE"'],
    ['csv', new RegExp(`to_check,4,${id}`), `NO_VEHICLE: ${SAID}`],
    [
      'junit',
      new RegExp(
        `<testcase name="${id}" classname="vehi.to_check"[^>]*><skipped message="To check, no\\. 4: critical `,
      ),
      '<error type="NO_VEHICLE"',
    ],
    [
      'github',
      /::notice file=[^:]*title=vehi \/ to check%3A [\s\S]*To check, no\. 4: critical scratch/,
      `::error title=vehi / NO_VEHICLE::${SAID}`,
    ],
    ['markdown', /### To check \(\d+\): damage or reflection/, SAID],
    ['html', /class="card to_check"/, SAID],
  ])('are in %s, none where nothing is to check, and none without a vehicle', async (format, said, cause) => {
    expect(await print('withChecks', format)).toMatch(said);
    expect(await print('certain', format)).not.toMatch(said);
    // The page states the rate of labor, which is no price of a vehicle.
    const text = (await print('nothing', format)).replace(/Labor rate<.*? per hour|<script>[\s\S]*/g, '');
    expect(text).toContain(SAID);
    expect(text).toContain(cause);
    expect(text).not.toMatch(/excellent|10(\.0)?\/10|no damage found|\$\d/i);
  });

  test.each([
    ['csv', /,parts_seen,parts,cost_scope,vehicle\r\n[\s\S]*,\d+,23,"Without tax\. .*",\r\n/],
    ['markdown', /\d+ of 23 parts seen/],
    ['junit', /<property name="parts_seen" value="\d+"\/>\n<property name="parts" value="23"\/>/],
  ])('stand next to what was seen in %s', async (format, said) => {
    expect(await print('withChecks', format)).toMatch(said);
  });

  test.each([
    ['none', 0, /<testcase name="chk_[^"]+" classname="vehi.to_check"[^>]*><skipped message="To check, no/],
    ['unchecked', 1, failed],
  ])('inspect --fail-on %s exits %i, and JUnit agrees', async (conditions, code, place) => {
    // What the tiny models see is less sure than that.
    const env = { VEHI_CERTAIN_FROM: '0.8', VEHI_TO_CHECK_FROM: '0.5' };
    const ran = await run(`inspect front.jpg --fail-on ${conditions} --format junit`, env);
    expect(ran.code, ran.stderr).toBe(code);
    expect(ran.stdout).toMatch(place);
    expect(ran.stdout.includes('<failure')).toBe(code === 1);
  });
});
