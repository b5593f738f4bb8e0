import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { runAssess } from '../../../../src/cli/assess/assess.run.ts';
import { parseDamageFlag, readAssessmentRequest } from '../../../../src/cli/assess/assess-input.ts';
import { askForDamages, askMarketValue } from '../../../../src/cli/assess/assess-interview.ts';
import type { Asker } from '../../../../src/cli/terminal/asker.ts';
import { formatCommand } from '../../../../src/cli/terminal/shell-words.ts';
import { MAX_DAMAGES } from '../../../../src/contract/assessment/request.ts';
import { answering } from '../../../helpers/cli/answering.ts';
import { fakeTerminal } from '../../../helpers/cli/fake-terminal.ts';

const TWO = [
  'front_bumper',
  'scratch',
  'minor',
  '12',
  true,
  'headlight_left',
  'headlight_damage',
  '',
  '',
  false,
];

const terminal = (cwd: string) => fakeTerminal({ cwd, interactive: true });

test('an interview ends with the damages as flags take them', async () => {
  expect(await askForDamages(answering(TWO))).toEqual([
    'front_bumper:scratch:minor:12',
    'headlight_left:headlight_damage',
  ]);
});

test('a size without a severity keeps its place; a decimal comma is taken', async () => {
  expect(await askForDamages(answering(['hood', 'dent', '', '4,5', false]))).toEqual(['hood:dent::4.5']);
  expect(parseDamageFlag('hood:dent::4.5')).toEqual({
    location: 'hood',
    type: 'dent',
    measurements: { length: 4.5, unit: 'cm' },
  });
});

test('a mirror is a place of its own, and needs no kind of damage', async () => {
  const answers = answering(['front_door_left:mirror_damage', 'severe', '', false]);
  expect(await askForDamages(answers)).toEqual(['front_door_left:mirror_damage:severe']);
});

test.each(['Mirror', 'Wheel', 'Sill', 'Molding', 'trim'])(
  'the search finds "%s" as the review does',
  async (word) => {
    const found: string[] = [];
    const asker = answering(['severe', '', false]);
    const search: Asker['search'] = async (_, groups) => {
      const hits = groups.flatMap(({ choices }) => choices).filter(({ name }) => name.includes(word));
      found.push(...hits.map(({ name }) => name));
      return hits[0]?.value as never;
    };
    await askForDamages({ ...asker, search });
    expect(found).not.toEqual([]);
  },
);

test('the market value is asked for once where the total loss needs it, and may be unknown', async () => {
  for (const [typed, said] of [
    ['100', 'TOTAL LOSS  yes'],
    ['', 'TOTAL LOSS  give the value'],
  ] as const) {
    const screen = terminal(tmpdir());
    const flags = { damage: ['hood:dent:severe'] };
    await runAssess(undefined, flags, screen.ctx, async () => answering([typed]));
    expect(screen.stdout()).toContain(said);
  }
});

test('the interview ends at the most damages that one assessment takes', async () => {
  const answers = Array.from({ length: MAX_DAMAGES }, () => ['hood', 'dent', '', '', true]).flat();
  expect(await askForDamages(answering(answers))).toHaveLength(MAX_DAMAGES);
});

test('a length or value that cannot be priced is refused where it is typed', async () => {
  const check = async (typed: string) => {
    const said: unknown[] = [];
    const asker = answering(['hood', 'dent', '', '', false, '']);
    const input: Asker['input'] = async (_, validate) => {
      said.push(validate?.(typed));
      return '';
    };
    await askForDamages({ ...asker, input });
    await askMarketValue({ ...asker, input }, 'USD');
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

test('a value that is given, --quiet and JSON are not asked about', async () => {
  for (const flags of [{ marketValue: '15000' }, { quiet: true }, { json: true }]) {
    const screen = terminal(tmpdir());
    await runAssess(undefined, { damage: ['hood:dent:severe'], ...flags }, screen.ctx, async () =>
      expect.fail('no question'),
    );
    expect(screen.code).toBe(0);
  }
});

test('an unknown region is refused before the questions, one that is set is said with its currency', async () => {
  const screen = terminal(tmpdir());
  await expect(
    runAssess(undefined, { region: 'EU_ATLANTIS' }, screen.ctx, async () => expect.fail('no question')),
  ).rejects.toMatchObject({ code: 'INVALID_REGION' });
  const flags = { region: 'EU_GERMANY', currency: 'EUR', json: true };
  await runAssess(undefined, flags, screen.ctx, async () => answering(TWO));
  expect(screen.stderr()).toContain('Prices are in EUR at the rates of Germany.');
});

test('the equivalent command has all flags, and quotes what a shell would break', () => {
  const flags = { vehicleId: "Ann's car", output: ['a.pdf', 'b.json'], quiet: true };
  expect(formatCommand(['assess'], { damage: ['hood:dent'], ...flags })).toBe(
    "vehi assess --damage hood:dent --vehicle-id 'Ann'\\''s car' --output a.pdf --output b.json --quiet",
  );
});

test('on a terminal without input the interview is held, priced, and the command printed', async () => {
  const screen = terminal(tmpdir());
  await runAssess(undefined, { json: true }, screen.ctx, async () => answering(TWO));
  expect(screen.code).toBe(0);
  expect(JSON.parse(screen.stdout()).data.assessed_damages).toMatchObject([
    { damage_id: 'dmg_front_bumper_001', type: 'scratch', severity: 'minor', size_cm: 12 },
    { damage_id: 'dmg_headlight_left_001', subtype: 'headlight_damage' },
  ]);
  expect(screen.stderr()).toMatch(/^Prices are in USD at the rates of US Midwest\. Others: --region CODE /);
  expect(screen.stderr()).toContain(
    'vehi assess --damage front_bumper:scratch:minor:12 --damage headlight_left:headlight_damage',
  );
});

test.each(['hood', 'hood:', ':dent', 'hood:dent:minor:x', 'hood:dent:minor:1:2', 'hood:dent:minor:-1'])(
  '--damage %s is a usage error',
  (value) => {
    expect(() => parseDamageFlag(value)).toThrow(/part:type\[:severity\[:cm\]\] is needed/);
  },
);

test('a damage without an id gets one that no other damage has', () => {
  const hood = { location: 'hood', type: 'dent' };
  expect(readAssessmentRequest([hood, { damage_id: 'dmg_hood_001', ...hood }, hood]).damages).toMatchObject([
    { damage_id: 'dmg_hood_002' },
    { damage_id: 'dmg_hood_001' },
    { damage_id: 'dmg_hood_003' },
  ]);
});
