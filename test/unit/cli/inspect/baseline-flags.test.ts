import { expect, test } from 'vitest';
import { checkBaseline, type InspectFlags } from '../../../../src/cli/inspect/flags.ts';

const check = (flags: Partial<InspectFlags>) => () => checkBaseline(flags as InspectFlags);

test.each([
  ['one vehicle', { baseline: 'a.json' }],
  ['one that a service inspects', { baseline: 'a.json', remote: true }],
  ['what is chargeable by a standard', { baseline: 'a.json', standard: 'bvrla-cars', failOn: 'chargeable' }],
] as const)('%s is compared', (_, flags) => {
  expect(check(flags)).not.toThrow();
});

test.each<[string, Partial<InspectFlags>, string]>([
  ['many vehicles', { baseline: 'a.json', many: 'fleet' }, 'one vehicle'],
  ['a decision on nothing', { decide: ['1=new'] }, 'rows of a comparison'],
  ['a change since nothing', { failOn: 'new' }, 'needs an earlier inspection'],
  ['what is chargeable by nothing', { failOn: 'chargeable' }, 'needs a standard'],
])('%s is refused', (_, flags, said) => {
  expect(check(flags)).toThrow(said);
});
