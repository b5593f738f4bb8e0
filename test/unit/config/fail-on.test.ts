import { expect, test } from 'vitest';
import { type FailConditions, type FailingCommand, parseFailOn } from '../../../src/config/fail-on.ts';

test.each<[string, FailConditions]>([
  ['none', { failOn: 'none' }],
  [
    'severe,cost>5000,score<6,unchecked',
    { failOn: 'severe', failOnCost: 5000, minScore: 6, failOnUnchecked: true },
  ],
  ['score<10.0,cost>1e3', { failOn: 'none', failOnCost: 1000, minScore: 10 }],
  ['score<.5', { failOn: 'none', minScore: 0.5 }],
  [' cost > 99.5 , score < 10', { failOn: 'none', failOnCost: 99.5, minScore: 10 }],
])('%j is read', (text, conditions) => {
  expect(parseFailOn(text)).toEqual(conditions);
});

test.each<[string, RegExp, string | undefined]>([
  [
    'sever',
    /^--fail-on: "sever" is not a condition; allowed: a severity .+; cost>5000 .+; score<6 \(0 to 10\); unchecked\.$/,
    'Did you mean severe?',
  ],
  ['severe,', /"" is not a condition/, undefined],
  ['cost', /"cost" is not a condition/, 'Quote it, because the shell interprets > and <.'],
  ['severity', /"severity" is not a condition/, undefined],
  ['cost>-1', /"cost>-1" is not a condition/, undefined],
  ['score<11', /"score<11" is not a condition/, undefined],
  ['minor,cost>5,000', /"cost>5,000" is not a condition; .+ \(without separators of thousands\)/, undefined],
  ['new', /"new" is not a condition/, 'It is a condition of vehi compare.'],
  ['minor,severe', /"severe" is a second condition of severity/, 'Give one of them.'],
])('%j is refused', (text, message, hint) => {
  expect(() => parseFailOn(text)).toThrow(
    expect.objectContaining({
      kind: 'usage',
      message: expect.stringMatching(message),
      hint,
    }),
  );
});

test('a command refuses the conditions that mean nothing there', () => {
  const parse = (text: string, command: FailingCommand) => parseFailOn(text, '--fail-on', command);
  expect(parse('changed', 'compare')).toEqual({ failOn: 'none', failOnChange: 'changed' });
  expect(() => parse('new,changed', 'compare')).toThrow(/"changed" is a second condition of change/);
  const meant = expect.objectContaining({ hint: 'Did you mean changed?' });
  expect(() => parse('change', 'compare')).toThrow(meant);
  const hint = 'It is a condition of vehi inspect, capture, report.';
  expect(() => parse('unchecked', 'assess')).toThrow(expect.objectContaining({ hint }));
  expect(() => parse('score<6', 'assess')).toThrow(
    /"score<6" is not a condition; allowed: a severity .+ or none; cost>5000 \(without .+\)\.$/,
  );
});
