import { describe, expect, it } from 'vitest';
import { addReadFacts, type FactRead, listReadWarnings } from '../../../../src/domain/vehicle/read-facts.ts';

const VIN = '1M8GDM9AXKP042788';
const OTHER = '11111111111111111';
const read = (fact: FactRead['fact'], value: string, width = 100, confidence = 0.9): FactRead => ({
  fact,
  value,
  box: [10, 10, width, 20],
  confidence,
});
const plate = (value: string, width?: number, confidence?: number) => read('plate', value, width, confidence);
const vin = (value = VIN) => read('vin', value);
const odometer = (value: string) => read('odometer', value);
const KM = { odometer: { value: 48210, unit: 'km' as const } };
/** A photo for each list of readings. */
const photos = (...reads: readonly (readonly FactRead[])[]) =>
  reads.map((list, at) => ({ url: `dir/${at + 1}.jpg`, read: list }));

describe('facts from photos', () => {
  const AB = { plate: 'AB123', read: ['plate'] };
  it.each([
    ['a single reading is taken', [[plate('AB123')]], {}, AB],
    ['most photos win', [[plate('AB123')], [plate('A8123')], [plate('AB123')]], {}, AB],
    ['of a tie none is taken', [[plate('AB123')], [plate('A8123')]], {}, {}],
    [
      'O and 0 are one character of a plate, written as the surer photo has it',
      [[plate('AO123', 100, 0.7)], [plate('A0123')]],
      {},
      { plate: 'A0123', read: ['plate'] },
    ],
    ['of several plates in a photo the largest counts', [[plate('XY9', 40), plate('AB123', 200)]], {}, AB],
    ['an odometer has value and unit', [[odometer('48210 km')]], {}, { ...KM, read: ['odometer'] }],
    [
      'a VIN tells its year and has a verdict',
      [[vin()]],
      {},
      { vin: VIN, vin_check_digit: 'right', year: 1989, read: ['vin', 'year'] },
    ],
    [
      'a stated fact wins',
      [[vin(), plate('AB123')]],
      { vin: OTHER, vin_check_digit: 'right', plate: 'ZZ 9' } as const,
      { vin: OTHER, vin_check_digit: 'right', plate: 'ZZ 9' },
    ],
    ['a VIN that is not taken tells nothing', [[vin()]], { vin: OTHER }, { vin: OTHER }],
    [
      'the VIN that was stated too tells',
      [[vin()]],
      { vin: VIN },
      { vin: VIN, vin_check_digit: 'right', year: 1989, read: ['year'] },
    ],
    [
      'what an earlier run added is found again',
      [],
      { plate: 'AB123', make: 'Kia', read: ['plate' as const] },
      { make: 'Kia' },
    ],
    [
      'the verdict on a VIN that is no longer read goes with it',
      [],
      { vin: VIN, vin_check_digit: 'right' as const, read: ['vin' as const] },
      {},
    ],
  ])('%s', (_, reads, stated, facts) => {
    expect(addReadFacts(photos(...reads), stated, 2027)).toEqual(facts);
  });
});

describe('warnings about facts in photos', () => {
  it.each([
    ['a stated VIN that no photo shows', [[vin()]], { vin: OTHER }, /VIN .* stated 1{17}: 1M8\S+ \(1\.jpg\)/],
    ['an odometer far off', [[odometer('49000 km')]], KM, /odometer .* stated 48210 km: 49000 km \(1\.jpg\)/],
    [
      'photos that disagree',
      [[vin()], [vin(OTHER)]],
      {},
      /disagree on the VIN, so none is taken: 1M8\S+ \(1\.jpg\); 1{17} \(2\.jpg\)/,
    ],
    [
      'plates, which are not quoted',
      [[plate('AB123')]],
      { plate: 'ZZ 9' },
      /^the number plate in the photos differs from the stated one: 1\.jpg$/,
    ],
    [
      'plates that disagree, neither',
      [[plate('AB123')], [plate('CD4')]],
      {},
      /number plate, so none is taken: 1\.jpg; 2\.jpg$/,
    ],
  ])('name %s', (_, reads, vehicle, message) => {
    expect(listReadWarnings(photos(...reads), vehicle).map((one) => one.message)).toEqual([
      expect.stringMatching(message),
    ]);
  });

  it.each([
    ['a plate with blanks and hyphens', [[plate('AB123')]], { plate: 'ab-1 23' }],
    ['an odometer of a few days later', [[odometer('48400 km')]], KM],
    ['the same distance in miles', [[odometer('29957 mi')]], KM],
    ['a stated VIN that one of two photos shows', [[vin()], [vin(OTHER)]], { vin: VIN }],
    [
      'odometers of two photos a kilometer apart',
      [[odometer('84120 km')], [odometer('84121 km')]],
      { odometer: { value: 84121, unit: 'km' as const }, read: ['odometer' as const] },
    ],
    ['a fact that was read', [[vin()]], { vin: VIN, read: ['vin' as const] }],
  ])('keep silent about %s', (_, reads, vehicle) => {
    expect(listReadWarnings(photos(...reads), vehicle)).toEqual([]);
  });
});
