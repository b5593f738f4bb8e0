import { describe, expect, it } from 'vitest';
import type { AssessmentRequest } from '../../../../src/contract/assessment/request.ts';
import { readRequestClaim } from '../../../../src/engine/assess/read.ts';
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
const override = (...overrides: object[]) => request({ overrides });
const replaced = { damage_id: 'd', option: 'panel_replacement' };
const repaired = { damage_id: 'e', option: 'conventional_repair' };
const twoRepairs = { ...override(replaced, repaired), damages: [dent, { ...dent, damage_id: 'e' }] };
const edits = (key: 'line' | 'part', value: 1 | 'hood') =>
  request({ line_edits: [2, 3].map((price) => ({ [key]: value, price })) });
const removed = { line: 1, action: 'remove' };
const repeated = { ...damage({ severity: 'severe' }), line_edits: [removed, { line: 'hood/rpr', hours: 5 }] };

describe('a wrong field of an assessment request', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['no damages', {}, 'damages'],
    ['a property name as part', damage({ location: 'constructor' }), 'damages[0].location'],
    ['an unknown part in an object', damage({ location: { part: 'door' } }), 'damages[0].location'],
    ['no part', damage({ location: undefined }), 'damages[0].location'],
    ['a subtype with an alias', damage({ type: 'hail', subtype: 'many' }), 'damages[0].subtype'],
    ['an id twice', { damages: [dent, { ...dent }] }, 'damages[1].damage_id'],
  ])('of a damage: %s', (_, asked, field) => {
    expect(refused(asked)).toMatchObject({ kind: 'input', code: 'INVALID_DAMAGE_DATA', field });
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['two edits of one line', edits('line', 1), 'line_edits[1]'],
    ['one line edited by number and by id', repeated, 'line_edits[1]'],
    ['two prices of one part', edits('part', 'hood'), 'line_edits[1]'],
    ['a part without repair', request({ line_edits: [{ part: 'roof', price: 2 }] }), 'line_edits[0]'],
    ['no vehicle id', request({ vehicle_id: null }), 'vehicle_id'],
    ['a blank vehicle id', request({ vehicle_id: '  ' }), 'vehicle_id'],
    ['an override of nothing', override({ damage_id: 'x' }), 'overrides[0].damage_id'],
    ['an override that changes nothing', override({ damage_id: 'd' }), 'overrides[0]'],
    ['no offered option', override({ damage_id: 'd', option: 'polish' }), 'overrides[0].option'],
    ['two repairs of one panel', twoRepairs, 'overrides'],
  ])('of the request: %s', (_, asked, field) => {
    expect(refused(asked)).toMatchObject({ code: 'INVALID_REQUEST', field });
  });

  it('all of them are named at once, in order', () => {
    const { details } = refused({
      vehicle_id: '',
      damages: [
        { ...dent, location: 'hod', severity: 'huge' },
        { damage_id: 'd', type: 'dnt' },
      ],
      assessment_options: { labor_rate_region: 'MARS', currency: 'XXX' },
      vehicle: { currency: 'XXX' },
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
      'INVALID_CURRENCY vehicle.currency',
    ]);
  });

  it('the nearest part is offered, and a location without a part is said to have none', () => {
    expect(refused(damage({ location: 'Front Bumper' })).hint).toBe('Did you mean front_bumper?');
    expect(refused(damage({ location: { prt: 'hood' } })).message).toBe('damages[0].location has no part.');
  });
});

const VIN = '1HGCM82633A004352';
const NUMBERS = { plate: 'AB-1', paint_code: 'LC9Z', odometer: { value: 48_210, unit: 'km' } };
it.each([
  ['only what prices follow from', { vehicle: { make: 'VW', class: 'suv' } }, {}],
  ['a claim', { claim: { claim_number: 'C-1' } }, { claim: { claim_number: 'C-1' } }],
  ['an empty claim', { claim: {} }, {}],
  ['a VIN, which is checked', { vehicle: { vin: VIN } }, { vehicle: { vin: VIN, vin_check_digit: 'right' } }],
  ['plate, paint code and odometer', { vehicle: NUMBERS }, { vehicle: NUMBERS }],
])('a request is filed under %s', (_, given, wanted) => {
  expect(readRequestClaim(request(given) as unknown as AssessmentRequest)).toStrictEqual(wanted);
});
