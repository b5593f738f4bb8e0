import { describe, expect, test } from 'vitest';
import { FAIL_ON_KINDS, type FailConditions, parseFailOn } from '../../../src/config/fail-on.ts';

describe('conditions of --fail-on', () => {
  test.each<[string, FailConditions]>([
    ['none', { failOn: 'none' }],
    ['severe', { failOn: 'severe' }],
    ['unchecked', { failOn: 'none', failOnUnchecked: true }],
    [
      'severe,cost>5000,score<6,unchecked',
      { failOn: 'severe', failOnCost: 5000, minScore: 6, failOnUnchecked: true },
    ],
    ['score<10.0,cost>1e3', { failOn: 'none', failOnCost: 1000, minScore: 10 }],
    ['score<.5', { failOn: 'none', minScore: 0.5 }],
    [' cost > 99.5 , score < 10', { failOn: 'none', failOnCost: 99.5, minScore: 10 }],
  ])('%j', (text, conditions) => {
    expect(parseFailOn(text)).toEqual(conditions);
  });

  test.each<[string, RegExp, RegExp]>([
    [
      'sever',
      /^--fail-on: "sever" is not a condition; allowed: a severity .+; cost>AMOUNT; score</,
      /severe\?/,
    ],
    ['severe,', /"" is not a condition/, /Words: minor/],
    ['cost', /"cost" is not a condition/, /Quote it.+--fail-on "cost>5000"/],
    ['score', /"score" is not a condition/, /Quote it.+--fail-on "score<6"/],
    ['cost>-1', /"cost>-1" is not a condition/, /^For example cost>5000$/],
    ['cost=5', /"cost=5" is not a condition/, /^For example cost>5000$/],
    ['score<11', /"score<11" is not a condition; .*0 to 10/, /^For example score<6$/],
    ['cost>5,000', /"000" is not a condition/, /^An amount has no separator of thousands/],
    ['new', /"new" is not a condition/, /vehi compare BEFORE\.json AFTER\.json --fail-on new/],
    ['minor,severe', /"severe" is the second condition of its kind/, /commas/],
  ])('%j is refused', (text, message, hint) => {
    expect(() => parseFailOn(text)).toThrow(
      expect.objectContaining({
        kind: 'usage',
        message: expect.stringMatching(message),
        hint: expect.stringMatching(hint),
      }),
    );
  });

  test('a command refuses the conditions that mean nothing there', () => {
    const changes = FAIL_ON_KINDS.compare;
    expect(parseFailOn('changed', '--fail-on', changes)).toEqual({ failOn: 'none', failOnChange: 'changed' });
    expect(() => parseFailOn('new,changed', '--fail-on', changes)).toThrow(
      /"changed" is the second condition/,
    );
    for (const [text, where, kinds, hint] of [
      ['cost', 'vehi.config.json: fail_on', undefined, 'For example cost>5000'],
      ['cost', '--fail-on', FAIL_ON_KINDS.report, 'A cost is a condition of vehi inspect and assess.'],
      ['cost>5000', '--fail-on', FAIL_ON_KINDS.report, 'A cost is a condition of vehi inspect and assess.'],
      ['score<6', '--fail-on', FAIL_ON_KINDS.assess, 'A score is a condition of vehi inspect.'],
    ] as const)
      expect(() => parseFailOn(text, where, kinds)).toThrow(expect.objectContaining({ hint }));
    expect(() => parseFailOn('score<6', '--fail-on', ['severity', 'cost'])).toThrow(
      /"score<6" is not a condition; allowed: a severity .+ or none; cost>AMOUNT\.$/,
    );
  });
});
