import { expect, it } from 'vitest';
import { writeOptions } from '../../../../src/report/content/options.ts';
import { listDamageRows } from '../../../../src/report/finding-rows.ts';
import { writeIn } from '../../../../src/report/languages.ts';
import { listPartLines } from '../../../../src/report/repair-lines.ts';
import { nameOption } from '../../../../src/report/words.ts';
import { assessed } from '../../../helpers/pricing/assessments.ts';

const dent = { damage_id: 'a', type: 'dent', location: 'front_door_left', severity: 'severe' };

const cm = (length: number) => ({ length, unit: 'cm' });
const judgedBy = (cm: number) => ({ explain: [{ rule: 'severity.dent', inputs: { long_side_cm: cm } }] });

const REPLACED = { option: 'panel_replacement', reason: 'agreed' };
it.each([
  ['en', REPLACED, 'Changed by the adjuster: option panel repair → panel replacement (agreed)'],
  ['de', REPLACED, /: Reparaturweg .*[Ii]nstand.* → .*[Ee]rsetz/],
  ['fr', REPLACED, /: mode .*[Rr]éparation.* → .*[Rr]emplacement/],
  ['de', { severity: 'minor' }, 'Vom Sachverständigen geändert: Schwere schwer → gering'],
  ['de', { type: 'panel_damage' }, 'Vom Sachverständigen geändert: Schaden Delle → verformt oder gerissen'],
] as const)('what an adjuster changed is in words, not codes: %s %j', (code, change, words) => {
  const assessment = assessed({ damages: [dent], overrides: [{ damage_id: 'a', ...change }] });
  const rows = listDamageRows({ inspection: null, assessment });
  const { blocks } = writeOptions(rows, assessment, {}, writeIn(code));
  const texts = blocks.flatMap((block) => (block.kind === 'paragraph' ? [block.text] : []));
  expect(texts).toContainEqual(typeof words === 'string' ? words : expect.stringMatching(words));
  expect(texts.join(' ')).not.toMatch(/panel_|raised by rule|nach Regel erhöht/);
});

it('several light repairs in one are named in the language of the report', () => {
  const named = (['en', 'de', 'fr'] as const).map((code) =>
    ['polish_and_pdr', 'pdr_and_paint'].map((option) => nameOption(option, writeIn(code))),
  );
  expect(named[0]).toEqual(['Polish and PDR', 'PDR and paint']);
  for (const names of named.slice(1)) expect(names.join(' ')).not.toMatch(/ and |Polish|Paint/);
  // An abbreviation keeps its capitals within a sentence.
  expect(named[0]?.map(writeIn('en').inText)).toEqual(['polish and PDR', 'PDR and paint']);
});

it('a label and its text are set as the language does', () => {
  const assessment = assessed({ damages: [dent] });
  const rows = listDamageRows({ inspection: null, assessment });
  const { blocks } = writeOptions(rows, assessment, {}, writeIn('fr'));
  const notes = blocks.flatMap((block) => (block.kind === 'table' ? block.rows.map(({ note }) => note) : []));
  expect(notes.join(' ')).toMatch(/\s: /);
  expect(notes.join(' ')).not.toMatch(/\p{L}:/u);
});

it.each([
  ['measured by its interval', { measurements: { ...cm(65.6), uncertainty_cm: 20 } }, '~65 cm', ' 65 cm'],
  ['stated by a person as it was stated', { measurements: cm(66) }, '66 cm', ' 66 cm'],
  ['that the severity was judged by as an inspection does', judgedBy(165.6), '~170 cm', ' 170 cm'],
])('shows a size %s', (_, size, option, line) => {
  const assessment = assessed({ damages: [{ ...dent, ...size }] });
  const input = { inspection: null, assessment };
  expect(JSON.stringify(writeOptions(listDamageRows(input), assessment))).toContain(`dent, ${option}`);
  expect(listPartLines(input)[0]?.words).toBe(`dent${line}`);
});
