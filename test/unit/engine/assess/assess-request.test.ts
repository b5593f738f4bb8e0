import { describe, expect, it } from 'vitest';
import { VehiError } from '../../../../src/lib/errors.ts';
import { assessed } from '../../../helpers/pricing/assessments.ts';

interface Refusal {
  readonly code: string;
  readonly field: string | undefined;
  readonly hint: string | undefined;
  readonly all: readonly string[];
}

function refused(request: Record<string, unknown>): Refusal {
  try {
    assessed(request);
  } catch (error) {
    if (!(error instanceof VehiError)) throw error;
    const errors = (error.details?.errors ?? []) as { code: string; field: string }[];
    expect(error.kind).toBe('input');
    return {
      code: error.code,
      field: error.field,
      hint: error.hint,
      all: errors.map((one) => `${one.code} ${one.field}`),
    };
  }
  throw new Error('the request was accepted');
}

const dent = { damage_id: 'd', type: 'dent', location: 'hood' };

describe('a wrong field of an assessment request', () => {
  it.each<[string, Record<string, unknown>, string, string]>([
    ['no damages', {}, 'INVALID_DAMAGE_DATA', 'damages'],
    ['an empty list', { damages: [] }, 'INVALID_DAMAGE_DATA', 'damages'],
    ['no list', { damages: 'hood' }, 'INVALID_DAMAGE_DATA', 'damages'],
    [
      '101 damages',
      { damages: Array.from({ length: 101 }, (_, i) => ({ ...dent, damage_id: `d${i}` })) },
      'INVALID_DAMAGE_DATA',
      'damages',
    ],
    ['a damage that is no object', { damages: [dent, null] }, 'INVALID_DAMAGE_DATA', 'damages[1]'],
    [
      'an unknown part',
      { damages: [{ ...dent, location: 'hod' }] },
      'INVALID_DAMAGE_DATA',
      'damages[0].location',
    ],
    [
      'a property name as part',
      { damages: [{ ...dent, location: 'constructor' }] },
      'INVALID_DAMAGE_DATA',
      'damages[0].location',
    ],
    [
      'an unknown part in an object',
      { damages: [{ ...dent, location: { part: 'door' } }] },
      'INVALID_DAMAGE_DATA',
      'damages[0].location',
    ],
    [
      'no part',
      { damages: [{ damage_id: 'd', type: 'dent' }] },
      'INVALID_DAMAGE_DATA',
      'damages[0].location',
    ],
    ['an unknown type', { damages: [{ ...dent, type: 'dnt' }] }, 'INVALID_DAMAGE_DATA', 'damages[0].type'],
    [
      'no type',
      { damages: [{ damage_id: 'd', location: 'hood' }] },
      'INVALID_DAMAGE_DATA',
      'damages[0].type',
    ],
    [
      'an unknown severity',
      { damages: [{ ...dent, severity: 'huge' }] },
      'INVALID_DAMAGE_DATA',
      'damages[0].severity',
    ],
    [
      'a score above 10',
      { damages: [{ ...dent, severity_score: 11 }] },
      'INVALID_DAMAGE_DATA',
      'damages[0].severity_score',
    ],
    [
      'no id',
      { damages: [{ type: 'dent', location: 'hood' }] },
      'INVALID_DAMAGE_DATA',
      'damages[0].damage_id',
    ],
    ['an id twice', { damages: [dent, { ...dent }] }, 'INVALID_DAMAGE_DATA', 'damages[1].damage_id'],
    [
      'two edits of one line',
      {
        damages: [dent],
        line_edits: [
          { line: 1, hours: 2 },
          { line: 1, hours: 3 },
        ],
      },
      'INVALID_REQUEST',
      'line_edits[1]',
    ],
    [
      'two prices of one part',
      {
        damages: [dent],
        line_edits: [
          { part: 'hood', price: 2 },
          { part: 'hood', price: 3 },
        ],
      },
      'INVALID_REQUEST',
      'line_edits[1]',
    ],
    [
      'a price of a part that is not repaired',
      { damages: [dent], line_edits: [{ part: 'roof', price: 2 }] },
      'INVALID_REQUEST',
      'line_edits[0]',
    ],
    ['half a dent', { damages: [{ ...dent, count: 0.5 }] }, 'INVALID_DAMAGE_DATA', 'damages[0].count'],
    [
      'a negative length',
      { damages: [{ ...dent, measurements: { length: -1 } }] },
      'INVALID_DAMAGE_DATA',
      'damages[0].measurements.length',
    ],
    [
      'inches',
      { damages: [{ ...dent, measurements: { length: 1, unit: 'in' } }] },
      'INVALID_DAMAGE_DATA',
      'damages[0].measurements.unit',
    ],
    [
      'an unknown region',
      { damages: [dent], assessment_options: { labor_rate_region: 'MARS' } },
      'INVALID_REGION',
      'assessment_options.labor_rate_region',
    ],
    [
      'an unknown currency',
      { damages: [dent], assessment_options: { currency: 'XXX' } },
      'INVALID_CURRENCY',
      'assessment_options.currency',
    ],
    [
      'a flag that is no flag',
      { damages: [dent], assessment_options: { include_part_prices: 'no' } },
      'INVALID_REQUEST',
      'assessment_options.include_part_prices',
    ],
    [
      'options that are no object',
      { damages: [dent], assessment_options: [] },
      'INVALID_REQUEST',
      'assessment_options',
    ],
    [
      'a vehicle id too long',
      { damages: [dent], vehicle_id: 'v'.repeat(129) },
      'INVALID_REQUEST',
      'vehicle_id',
    ],
    ['no vehicle id', { damages: [dent], vehicle_id: null }, 'INVALID_REQUEST', 'vehicle_id'],
    [
      'a worthless vehicle',
      { damages: [dent], vehicle: { market_value: 0 } },
      'INVALID_REQUEST',
      'vehicle.market_value',
    ],
    [
      'a value in a currency without a rate',
      { damages: [dent], vehicle: { market_value: 5, currency: 'XXX' } },
      'INVALID_CURRENCY',
      'vehicle.currency',
    ],
    [
      'an override of nothing',
      { damages: [dent], overrides: [{ damage_id: 'x' }] },
      'INVALID_REQUEST',
      'overrides[0].damage_id',
    ],
    [
      'an override of an unknown field',
      { damages: [dent], overrides: [{ damage_id: 'd', cost: 5 }] },
      'INVALID_REQUEST',
      'overrides[0].cost',
    ],
    [
      'an option that is not offered',
      { damages: [dent], overrides: [{ damage_id: 'd', option: 'polish' }] },
      'INVALID_REQUEST',
      'overrides[0].option',
    ],
  ])('%s', (_, request, code, field) => {
    expect(refused(request)).toMatchObject({ code, field });
  });

  it('all of them are named at once, in order', () => {
    const { all } = refused({
      vehicle_id: '',
      damages: [
        { ...dent, location: 'hod', severity: 'huge' },
        { damage_id: 'd', type: 'dnt' },
      ],
      assessment_options: { labor_rate_region: 'MARS', currency: 'XXX' },
    });
    expect(all).toEqual([
      'INVALID_REQUEST vehicle_id',
      'INVALID_DAMAGE_DATA damages[0].location',
      'INVALID_DAMAGE_DATA damages[0].severity',
      'INVALID_DAMAGE_DATA damages[1].type',
      'INVALID_DAMAGE_DATA damages[1].location',
      'INVALID_REGION assessment_options.labor_rate_region',
      'INVALID_CURRENCY assessment_options.currency',
    ]);
  });

  it.each([
    [{ damages: [{ ...dent, location: 'Front Bumper' }] }, 'Did you mean front_bumper?'],
    [{ damages: [{ ...dent, type: 'sctratch' }] }, 'Did you mean scratch?'],
    [
      { damages: [dent], assessment_options: { labor_rate_region: 'us_midwset' } },
      'Did you mean US_MIDWEST?',
    ],
  ])('the nearest known name is offered', (request, hint) => {
    expect(refused(request).hint).toBe(hint);
  });
});
