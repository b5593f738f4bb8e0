import { expect, it } from 'vitest';
import { AssessmentRequestSchema } from '../../../src/contract/assessment/request.ts';
import { VisualRequestSchema } from '../../../src/contract/requests.ts';
import { findUnknownFields } from '../../../src/lib/unknown-fields.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';

const DAMAGE = { damage_id: 'd1', type: 'dent', location: 'hood' };
/** A damage of a visual inspection, which may be passed on as it is. */
const SEEN = exampleInspection({ damages: 1, photos: 1 }).data.results?.damages[0];

it.each<[string, object, unknown, ...string[]]>([
  ['nothing unknown', VisualRequestSchema, { vehicle_id: 'v', options: { detailed_analysis: true } }],
  ['a seen damage', AssessmentRequestSchema, { damages: [SEEN, DAMAGE] }],
  ['no object', VisualRequestSchema, [1]],
  [
    'an option',
    VisualRequestSchema,
    { options: { detailed_analisys: true } },
    'options.detailed_analisys: "detailed_analisys" is not a known field of options and was ignored. Did you mean detailed_analysis?',
  ],
  [
    'in a list, and far from every name',
    VisualRequestSchema,
    { images: [{ url: 'u' }, { color: 'red' }], zzz: 1 },
    'images[1].color: "color" is not a known field of images[1] and was ignored.',
    'zzz: "zzz" is not a known field and was ignored.',
  ],
  [
    'a slip in a damage, which may have more fields',
    AssessmentRequestSchema,
    { damages: [{ ...DAMAGE, sevrity: 'severe', color: 'red' }] },
    'damages[0].sevrity: "sevrity" is not a known field of damages[0] and was ignored. Did you mean severity?',
  ],
])('%s', (_name, schema, value, ...wanted) => {
  expect(findUnknownFields(schema, value).map(({ field, message }) => `${field}: ${message}`)).toEqual(
    wanted,
  );
});

it('lists twenty at most, however many there are, and cuts long names', () => {
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`${'x'.repeat(100)}${i}`, 1]));
  const unknown = findUnknownFields(VisualRequestSchema, many);
  expect(unknown).toHaveLength(20);
  expect(unknown[0]?.message.length).toBeLessThan(120);
});
