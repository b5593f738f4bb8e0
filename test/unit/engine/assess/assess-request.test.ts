import { describe, expect, it } from 'vitest';
import { VehiError } from '../../../../src/lib/errors.ts';
import { assessed } from '../../../helpers/pricing/assessments.ts';

/** The error with which a request is refused. */
function refused(request: Record<string, unknown>): VehiError {
  try {
    assessed(request);
  } catch (error) {
    if (error instanceof VehiError) return error;
    throw error;
  }
  throw new Error('the request was accepted');
}

const dent = { damage_id: 'd', type: 'dent', location: 'hood' };

/** A request of one damage with another field, or of a good one with more. */
const damage = (change: object) => ({ damages: [{ ...dent, ...change }] });
const request = (more: object) => ({ damages: [dent], ...more });
const options = (more: object) => request({ assessment_options: more });
const override = (...overrides: object[]) => request({ overrides });
const twoRepairs = {
  ...override(
    { damage_id: 'd', option: 'panel_replacement' },
    { damage_id: 'e', option: 'conventional_repair' },
  ),
  damages: [dent, { ...dent, damage_id: 'e' }],
};
const many = Array.from({ length: 101 }, (_, i) => ({ ...dent, damage_id: `d${i}` }));
const edits = (key: 'line' | 'part', value: 1 | 'hood') =>
  request({ line_edits: [2, 3].map((price) => ({ [key]: value, price })) });
const bothNames = [
  { line: 1, action: 'remove' },
  { line: 'hood/rpr', hours: 5 },
];
const repeated = { ...damage({ severity: 'severe' }), line_edits: bothNames };

describe('a wrong field of an assessment request', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['no damages', {}, 'damages'],
    ['an empty list', { damages: [] }, 'damages'],
    ['no list', { damages: 'hood' }, 'damages'],
    ['101 damages', { damages: many }, 'damages'],
    ['a damage that is no object', { damages: [dent, null] }, 'damages[1]'],
    ['an unknown part', damage({ location: 'hod' }), 'damages[0].location'],
    ['a property name as part', damage({ location: 'constructor' }), 'damages[0].location'],
    ['an unknown part in an object', damage({ location: { part: 'door' } }), 'damages[0].location'],
    ['no part', damage({ location: undefined }), 'damages[0].location'],
    ['an unknown type', damage({ type: 'dnt' }), 'damages[0].type'],
    ['a subtype with an alias', damage({ type: 'hail', subtype: 'many' }), 'damages[0].subtype'],
    ['no type', damage({ type: undefined }), 'damages[0].type'],
    ['an unknown severity', damage({ severity: 'huge' }), 'damages[0].severity'],
    ['a score above 10', damage({ severity_score: 11 }), 'damages[0].severity_score'],
    ['no id', damage({ damage_id: undefined }), 'damages[0].damage_id'],
    ['an id twice', { damages: [dent, { ...dent }] }, 'damages[1].damage_id'],
    ['half a dent', damage({ count: 0.5 }), 'damages[0].count'],
    ['a negative length', damage({ measurements: { length: -1 } }), 'damages[0].measurements.length'],
    ['inches', damage({ measurements: { length: 1, unit: 'in' } }), 'damages[0].measurements.unit'],
  ])('of a damage: %s', (_, asked, field) => {
    expect(refused(asked)).toMatchObject({ kind: 'input', code: 'INVALID_DAMAGE_DATA', field });
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['two edits of one line', edits('line', 1), 'line_edits[1]'],
    ['one line edited by number and by id', repeated, 'line_edits[1]'],
    ['two prices of one part', edits('part', 'hood'), 'line_edits[1]'],
    ['a part without repair', request({ line_edits: [{ part: 'roof', price: 2 }] }), 'line_edits[0]'],
    ['a flag that is none', options({ include_part_prices: 'no' }), 'assessment_options.include_part_prices'],
    ['options that are no object', options([]), 'assessment_options'],
    ['a vehicle id too long', request({ vehicle_id: 'v'.repeat(129) }), 'vehicle_id'],
    ['no vehicle id', request({ vehicle_id: null }), 'vehicle_id'],
    ['a blank vehicle id', request({ vehicle_id: '  ' }), 'vehicle_id'],
    ['a worthless vehicle', request({ vehicle: { market_value: 0 } }), 'vehicle.market_value'],
    ['an override of nothing', override({ damage_id: 'x' }), 'overrides[0].damage_id'],
    ['an override that changes nothing', override({ damage_id: 'd' }), 'overrides[0]'],
    ['an unknown override', override({ damage_id: 'd', cost: 5 }), 'overrides[0].cost'],
    ['no offered option', override({ damage_id: 'd', option: 'polish' }), 'overrides[0].option'],
    ['two repairs of one panel', twoRepairs, 'overrides'],
  ])('of the request: %s', (_, asked, field) => {
    expect(refused(asked)).toMatchObject({ code: 'INVALID_REQUEST', field });
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['INVALID_REGION', options({ labor_rate_region: 'MARS' }), 'assessment_options.labor_rate_region'],
    ['INVALID_CURRENCY', options({ currency: 'XXX' }), 'assessment_options.currency'],
    ['INVALID_CURRENCY', request({ vehicle: { market_value: 5, currency: 'XXX' } }), 'vehicle.currency'],
  ])('%s: %j', (code, asked, field) => {
    expect(refused(asked)).toMatchObject({ code, field });
  });

  it('all of them are named at once, in order', () => {
    const { details } = refused({
      vehicle_id: '',
      damages: [
        { ...dent, location: 'hod', severity: 'huge' },
        { damage_id: 'd', type: 'dnt' },
      ],
      assessment_options: { labor_rate_region: 'MARS', currency: 'XXX' },
    });
    const errors = details?.errors as readonly { code: string; field: string }[];
    expect(errors.map(({ code, field }) => `${code} ${field}`)).toEqual([
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
    [damage({ location: 'Front Bumper' }), 'Did you mean front_bumper?'],
    [damage({ type: 'sctratch' }), 'Did you mean scratch?'],
    [options({ labor_rate_region: 'us_midwset' }), 'Did you mean US_MIDWEST?'],
  ])('the nearest known name is offered', (asked, hint) => {
    expect(refused(asked).hint).toBe(hint);
  });

  it('a location without a part is said to have none', () => {
    expect(refused(damage({ location: { prt: 'hood' } })).message).toBe('damages[0].location has no part.');
  });
});
