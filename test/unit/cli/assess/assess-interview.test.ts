import { describe, expect, test } from 'vitest';
import { runAssess } from '../../../../src/cli/assess/assess.run.ts';
import { parseDamageFlag, readAssessmentRequest } from '../../../../src/cli/assess/assess-input.ts';
import { askForDamages, askMarketValue } from '../../../../src/cli/assess/assess-interview.ts';
import type { Asker } from '../../../../src/cli/terminal/asker.ts';
import { MAX_DAMAGES } from '../../../../src/contract/assessment/request.ts';
import { answering } from '../../../helpers/cli/answering.ts';
import { fakeTerminal } from '../../../helpers/cli/fake-terminal.ts';

const BUMPER = ['front_bumper', 'scratch', 'minor', '12'];
const HEADLIGHT = ['headlight_left', 'headlight_damage', '', ''];
const TWO = [...BUMPER, true, ...HEADLIGHT, false];

describe('the interview', () => {
  test.each<[what: string, answers: (string | boolean)[], damages: string[]]>([
    ['takes a comma, and a size without a severity', ['hood', 'dent', '', '4,5', false], ['hood:dent::4.5']],
    [
      'asks for no kind of damage to a mirror, which is a place of its own',
      ['front_door_left:mirror_damage', 'severe', '', false],
      ['front_door_left:mirror_damage:severe'],
    ],
    [
      'ends at the most damages that one assessment takes',
      Array.from({ length: MAX_DAMAGES }, () => ['hood', 'dent', '', '', true]).flat(),
      Array.from({ length: MAX_DAMAGES }, () => 'hood:dent'),
    ],
  ])('%s', async (_, answers, damages) => {
    expect(await askForDamages(answering(answers))).toEqual(damages);
  });

  test.each(['Mirror', 'trim'])('finds "%s" as the review does', async (word) => {
    const search: Asker['search'] = async (_, groups) =>
      groups.flatMap(({ choices }) => choices).find(({ name }) => name.includes(word))?.value as never;
    const [damage] = await askForDamages({ ...answering(['severe', '', false]), search });
    expect(damage).toMatch(/^\w+:\w+:severe$/);
  });

  test('refuses a length or value that cannot be priced where it is typed', async () => {
    const check = async (typed: string) => {
      const said: unknown[] = [];
      const input: Asker['input'] = async (_, validate) => {
        said.push(validate?.(typed));
        return '';
      };
      const asker = { ...answering(['hood', 'dent', '', false]), input };
      await askForDamages(asker);
      await askMarketValue(asker, 'USD');
      return said;
    };
    const length = 'A length in cm above 0 and up to 1000, or nothing.';
    const amount = 'An amount above 0 such as 15000, or nothing.';
    expect(await check('0')).toEqual([length, amount]);
    expect(await check('Infinity')).toEqual([length, amount]);
    // 15 or fifteen thousand.
    expect(await check('15.000')).toEqual([length, amount]);
    expect(await check('1000')).toEqual([true, true]);
  });
});

describe('vehi assess on a terminal', () => {
  const HOOD = { damage: ['hood:dent:severe'] };
  async function assess(flags: object, answers: (string | boolean)[] | null) {
    const screen = fakeTerminal({ cwd: '/', interactive: true });
    const ask = () => (answers === null ? expect.fail('no question') : answering(answers));
    await runAssess(undefined, flags, screen.ctx, async () => ask());
    return screen;
  }

  test.each([
    ['100', 'TOTAL LOSS  yes'],
    ['', 'TOTAL LOSS  give the value'],
  ])('asks once for the market value where the total loss needs it: %s', async (typed, said) => {
    expect((await assess(HOOD, [typed])).stdout()).toContain(said);
  });

  test.each([{ marketValue: '15000' }, { quiet: true }, { json: true }])(
    'asks no value with %j',
    async (flags) => {
      expect((await assess({ ...HOOD, ...flags }, null)).code).toBe(0);
    },
  );

  test('refuses an unknown region before the questions, and states that of the settings with its currency', async () => {
    await expect(assess({ region: 'EU_ATLANTIS' }, null)).rejects.toMatchObject({ code: 'INVALID_REGION' });
    const { stderr } = await assess({ region: 'EU_GERMANY', currency: 'EUR', json: true }, TWO);
    expect(stderr()).toContain('Prices are in EUR at the rates of Germany.');
  });

  test('without input holds the interview, prices the damages and prints the command', async () => {
    const { code, stdout, stderr } = await assess({ json: true }, TWO);
    expect(code).toBe(0);
    expect(JSON.parse(stdout()).data.assessed_damages).toMatchObject([
      { damage_id: 'dmg_front_bumper_001', type: 'scratch', severity: 'minor', size_cm: 12 },
      { damage_id: 'dmg_headlight_left_001', subtype: 'headlight_damage' },
    ]);
    expect(stderr()).toMatch(/^Prices are in USD at the rates of US Midwest\. Others: --region CODE /);
    expect(stderr()).toContain(
      'vehi assess --damage front_bumper:scratch:minor:12 --damage headlight_left:headlight_damage',
    );
  });
});

test('a flag of a damage is read, with a size without a severity', () => {
  expect(parseDamageFlag('hood:dent::4.5')).toEqual({
    location: 'hood',
    type: 'dent',
    measurements: { length: 4.5, unit: 'cm' },
  });
});

test.each(['hood', ':dent', 'hood:dent:minor:1:2', 'hood:dent:minor:-1'])(
  '--damage %s is a usage error',
  (value) => {
    expect(() => parseDamageFlag(value)).toThrow(/part:type\[:severity\[:cm\]\] is needed/);
  },
);

test('a damage without an id gets one that no other damage has', () => {
  const hood = { location: 'hood', type: 'dent' };
  const { damages } = readAssessmentRequest([hood, { damage_id: 'dmg_hood_001', ...hood }, hood]);
  expect(damages).toMatchObject([2, 1, 3].map((number) => ({ damage_id: `dmg_hood_00${number}` })));
});
