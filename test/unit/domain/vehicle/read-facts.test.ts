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
  const RIGHT = 'right' as const;
  const STATED = { vin: OTHER, vin_check_digit: RIGHT, plate: 'ZZ 9' };
  const FROM_VIN = { vin: VIN, vin_check_digit: RIGHT, year: 1989 };
  const LOOK_ALIKES = [[plate('AO123', 100, 0.7)], [plate('A0123')]];
  const EARLIER = { plate: 'AB123', make: 'Kia', read: ['plate' as const] };
  const EARLIER_VIN = { vin: VIN, vin_check_digit: RIGHT, read: ['vin' as const] };
  it.each([
    ['a single reading is taken', [[plate('AB123')]], {}, AB],
    ['most photos win', [[plate('AB123')], [plate('A8123')], [plate('AB123')]], {}, AB],
    ['of a tie none is taken', [[plate('AB123')], [plate('A8123')]], {}, {}],
    ['the surer of O and 0 on a plate counts', LOOK_ALIKES, {}, { plate: 'A0123', read: ['plate'] }],
    ['of several plates in a photo the largest counts', [[plate('XY9', 40), plate('AB123', 200)]], {}, AB],
    ['an odometer has value and unit', [[odometer('48210 km')]], {}, { ...KM, read: ['odometer'] }],
    ['a VIN tells its year and has a verdict', [[vin()]], {}, { ...FROM_VIN, read: ['vin', 'year'] }],
    ['a stated fact wins', [[vin(), plate('AB123')]], STATED, STATED],
    ['a VIN that is not taken tells nothing', [[vin()]], { vin: OTHER }, { vin: OTHER }],
    ['the VIN that was stated too tells', [[vin()]], { vin: VIN }, { ...FROM_VIN, read: ['year'] }],
    ['what an earlier run added is found again', [], EARLIER, { make: 'Kia' }],
    ['the verdict on a VIN goes with it', [], EARLIER_VIN, {}],
  ])('%s', (_, reads, stated, facts) => {
    expect(addReadFacts(photos(...reads), stated, 2027)).toEqual(facts);
  });
});

describe('warnings about facts in photos', () => {
  const TWO_VINS = [[vin()], [vin(OTHER)]];
  const TWO_PLATES = [[plate('AB123')], [plate('CD4')]];
  it.each([
    ['a stated VIN that no photo shows', [[vin()]], { vin: OTHER }, /VIN .* stated 1{17}: 1M8\S+ \(1\.jpg\)/],
    ['an odometer far off', [[odometer('49000 km')]], KM, /odometer .* stated 48210 km: 49000 km \(1\.jpg\)/],
    ['photos that disagree', TWO_VINS, {}, /VIN, so none is taken: 1M8\S+ \(1\.jpg\); 1{17} \(2\.jpg\)/],
    ['plates, which are not quoted', [[plate('AB123')]], { plate: 'ZZ 9' }, /from the stated one: 1\.jpg$/],
    ['plates that disagree, neither', TWO_PLATES, {}, /number plate, so none is taken: 1\.jpg; 2\.jpg$/],
  ])('name %s', (_, reads, vehicle, message) => {
    expect(listReadWarnings(photos(...reads), vehicle).map((one) => one.message)).toEqual([
      expect.stringMatching(message),
    ]);
  });

  it.each([
    ['a plate with blanks and hyphens', [[plate('AB123')]], { plate: 'ab-1 23' }],
    ['an odometer of a few days later', [[odometer('48400 km')]], KM],
    ['the same distance in miles', [[odometer('29957 mi')]], KM],
    ['a stated VIN that one of two photos shows', TWO_VINS, { vin: VIN }],
    ['two odometers a kilometer apart', [[odometer('84120 km')], [odometer('84121 km')]], {}],
    ['a fact that was read', [[vin()]], { vin: VIN, read: ['vin' as const] }],
  ])('keep silent about %s', (_, reads, vehicle) => {
    expect(listReadWarnings(photos(...reads), vehicle)).toEqual([]);
  });
});
