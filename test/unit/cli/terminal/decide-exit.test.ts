import { expect, test } from 'vitest';
import { decideChanges, decideInspection, type ExitRules } from '../../../../src/cli/terminal/decide-exit.ts';
import { defined } from '../../../../src/lib/objects.ts';
import { exampleInspection } from '../../../helpers/results/example-inspection.ts';

const clean = exampleInspection({ damages: 0, toCheck: 2, rich: false }).data;
const damaged = exampleInspection({ damages: 3, rich: false }).data;
const ungraded = withoutGrade(clean);
const cost = damaged.results?.repair_cost.estimated ?? 0;

function withoutGrade(data: typeof clean): typeof clean {
  if (!data.results) return data;
  const basis = { ...data.results.grade_basis, code: 'too_little_seen' as const };
  return { ...data, results: { ...data.results, grade_basis: basis } };
}

test.each<[string, typeof clean, ExitRules, number, RegExp | undefined]>([
  ['nothing found', clean, {}, 0, undefined],
  ['places to check are no damage', clean, { failOn: 'minor', failOnCost: 0, minScore: 0 }, 0, undefined],
  ['places to check, where none may pass', clean, { failOnUnchecked: true }, 1, /2 places are to check/],
  ['nothing to check', damaged, { failOnUnchecked: true }, 0, undefined],
  ['the cost itself passes', damaged, { failOnCost: cost }, 0, undefined],
  ['a cent more fails', damaged, { failOnCost: cost - 0.01 }, 1, /--fail-on cost>\d.* at \$[\d,]+\.\d\d\.$/],
  ['no grade, where one is asked for', ungraded, { minScore: 1 }, 1, /too little of the vehicle was seen/],
  ['a severity', damaged, { failOn: 'minor' }, 1, /--fail-on minor/],
  [
    'every threshold that was hit',
    {
      ...damaged,
      results: damaged.results && { ...damaged.results, to_check: clean.results?.to_check ?? [] },
    },
    { failOn: 'minor', failOnCost: 0, minScore: 10, failOnUnchecked: true },
    1,
    /^--fail-on minor was hit: 3 of 3 damages are minor or worse: no\. 1, 2, 3\. --fail-on cost>0 .+ --fail-on score<10 .+ --fail-on unchecked was hit: 2 places are to check\.$/,
  ],
  ['one photo', { ...clean, images: clean.images.slice(0, 1) }, { strict: true }, 3, /^--strict: 1 photo;/],
  ['a stop outranks a threshold', damaged, { failOn: 'minor', stopped: 'SIGINT' }, 130, undefined],
  [
    'no vehicle',
    { ...clean, results: null, failure: { code: 'NO_VEHICLE', message: 'No photo shows one.' } },
    { failOn: 'minor' },
    3,
    /No photo shows one/,
  ],
])('%s', (_, inspection, rules, code, message) => {
  const verdict = decideInspection(inspection, rules);
  expect(verdict.code).toBe(code);
  if (message) expect(verdict.message).toMatch(message);
  else expect(verdict.message).toBeUndefined();
});

test('a new damage hits new and changed; without a condition it may be', () => {
  const comparison = { counts: { new: 1, changed: 0 } as never };
  const codes = (['new', 'changed', undefined] as const).map(
    (failOnChange) => decideChanges(comparison, defined({ failOnChange })).code,
  );
  expect(codes).toEqual([1, 1, 0]);
});
