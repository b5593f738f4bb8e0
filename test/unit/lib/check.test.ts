import { expect, it } from 'vitest';
import { findFaults } from '../../../src/lib/check.ts';
import type { Schema } from '../../../src/lib/check-value.ts';

const SCHEMA: Schema = {
  type: 'object',
  required: ['name', 'sizes', 'kind'],
  additionalProperties: false,
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 4 },
    code: { type: 'string', minLength: 3, maxLength: 3 },
    kind: { type: 'string', enum: ['solid', 'metallic'] },
    count: { type: 'integer', minimum: 1, maximum: 9 },
    worth: { type: 'number', exclusiveMinimum: 0, maximum: 10 },
    share: { type: 'number', maximum: 10 },
    rows: { type: 'array', minItems: 1, items: { type: 'number' } },
    unit: { type: 'string', const: 'cm' },
    on: { type: 'boolean' },
    sizes: { type: 'array', minItems: 1, maxItems: 2, items: { type: 'number', minimum: 0 } },
    edits: {
      type: 'array',
      maxItems: 3,
      items: {
        anyOf: [
          { type: 'object', required: ['line'], properties: { line: { type: 'string', maxLength: 2 } } },
          {
            type: 'object',
            required: ['add'],
            properties: { add: { type: 'object' }, note: { type: 'string' } },
          },
        ],
      },
    },
    part: { type: 'string' },
    days: { anyOf: [{ type: 'integer', minimum: 1, maximum: 9 }, { type: 'null' }] },
    day: { type: 'string', pattern: '^\\d{4}-\\d{2}$', examples: ['2026-01', '2026-02'] },
    free: { type: 'string' },
  },
};
const RULES = {
  chooseCode: (field: string) => (field === 'part' ? 'PART' : 'REQUEST'),
  validators: { part: (value: unknown) => (value === 'hood' ? undefined : { problem: 'is no part.' }) },
};
const RIGHT = { name: 'a', kind: 'solid', sizes: [1] };
const faults = (more: object, nullIsAbsent = true) =>
  findFaults(SCHEMA, { ...RIGHT, ...more }, { ...RULES, nullIsAbsent }).map(({ code, message, hint }) =>
    [code, message, ...(hint === undefined ? [] : [hint])].join(' '),
  );

it.each<[object, ...string[]]>([
  [{}],
  [{ code: null, count: null, part: null }],
  [{ edits: [{ line: 'ab' }, { add: {} }], unit: 'cm', on: false, part: 'hood', worth: 10, count: 9 }],
  [
    { name: null, sizes: null },
    'REQUEST name is missing.',
    'REQUEST sizes is missing; a list of 1 to 2 sizes is needed.',
  ],
  [{ kind: undefined }, 'REQUEST kind is missing. One of solid, metallic.'],
  [{ kind: 'metalic' }, 'REQUEST kind is "metalic", which is not known. Did you mean metallic?'],
  [
    { ['n'.repeat(501)]: 1 },
    `REQUEST ${'n'.repeat(500)}… is not a field. One of name, code, kind, count, worth, share, rows, unit, on, sizes, edits, part, days, day, free.`,
  ],
  [{ naem: 1 }, 'REQUEST naem is not a field. Did you mean name?'],
  [
    { name: 'abcde', code: 'a' },
    'REQUEST name has 5 characters; text of 1 to 4 characters is needed.',
    'REQUEST code has 1 character; text of 3 characters is needed.',
  ],
  [{ share: 11 }, 'REQUEST share is 11; a number of at most 10 is needed.'],
  [{ rows: [] }, 'REQUEST rows has 0 entries; a list of at least 1 entry is needed.'],
  [{ count: 1.5 }, 'REQUEST count is 1.5; a whole number from 1 to 9 is needed.'],
  [{ worth: 0 }, 'REQUEST worth is 0; a number above 0, at most 10 is needed.'],
  [{ worth: Number.NaN }, 'REQUEST worth is NaN; a number above 0, at most 10 is needed.'],
  [{ unit: 'in' }, 'REQUEST unit is "in"; cm is needed.'],
  [{ on: 'no' }, 'REQUEST on is "no"; true or false is needed.'],
  [{ sizes: [1, -1] }, 'REQUEST sizes[1] is -1; a number of at least 0 is needed.'],
  [{ sizes: [1, 2, 3] }, 'REQUEST sizes has 3 entries; a list of 1 to 2 sizes is needed.'],
  [{ edits: [5] }, 'REQUEST edits[0] is 5; an object is needed.'],
  [{ edits: 'x' }, 'REQUEST edits is "x"; a list of at most 3 is needed.'],
  [
    { edits: [{ note: 'x' }, { add: 1 }, {}] },
    'REQUEST edits[0].add is missing.',
    'REQUEST edits[1].add is 1; an object is needed.',
    'REQUEST edits[2].line is missing.',
  ],
  [{ part: 'wing' }, 'PART part is no part.'],
  [{ name: '🚗🚗🚗🚗', day: '2026-12', days: 9, free: '' }],
  [{ day: 'May' }, 'REQUEST day is "May"; text such as 2026-01, 2026-02 is needed.'],
  [{ days: 'x' }, 'REQUEST days is "x"; a whole number from 1 to 9 is needed.'],
  [{ free: 1 }, 'REQUEST free is 1; text is needed.'],
])('%j', (more, ...expected) => {
  expect(faults(more)).toEqual(expected);
});

it('null is a value where it says more than that nothing is known', () => {
  expect(faults({ days: null, count: null }, false)).toEqual([
    'REQUEST count is null; a whole number from 1 to 9 is needed.',
  ]);
});

it('names 200 faults of a thousand', () => {
  const fields = Object.fromEntries(Array.from({ length: 1_000 }, (_one, i) => [`k${i}`, 0]));
  expect(faults(fields)).toHaveLength(200);
});

it.each([
  // A non-joiner within a word, and a joiner at its end.
  ['می\u200cخواهم', undefined],
  ['അവന\u0d4d\u200d', undefined],
  ...['\u200d', 'a\u202eb', 'a\u200bb', ' \u200c'].map((text) => [
    text,
    /text without control characters is needed/,
  ]),
] as [string, RegExp | undefined][])('where texts are printed, %j is taken or refused', (text, refusal) => {
  const [fault] = findFaults({ type: 'string' }, text, { ...RULES, printable: true });
  if (refusal) expect(fault?.message).toMatch(refusal);
  else expect(fault).toBeUndefined();
});
