import { describe, expect, test } from 'vitest';
import type { Result } from '../../../src/contract/result.ts';
import { type FactRead, listReadWarnings } from '../../../src/domain/vehicle/read-facts.ts';
import { listClaimFacts, listClaimWarnings, listReadFacts } from '../../../src/report/facts.ts';
import { writeIn } from '../../../src/report/languages.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';

const makeReads = (reads: Partial<Record<FactRead['fact'], string>>) =>
  Object.entries(reads).map(([fact, value]) => {
    return { fact: fact as FactRead['fact'], value, box: [0, 0, 9, 9], confidence: 0.9 } as const;
  });
const READS = makeReads({ plate: 'AB123', vin: '1M8GDM9AXKP042788', odometer: '48210 km' });
const OTHERS = makeReads({ plate: 'CD456', vin: '1HGCP2F89BA123456', odometer: '90000 km' });

/** A report of an inspection made at noon of 1 October, UTC. */
function filedUnder(claim: object): Result {
  const inspection = exampleInspection({ damages: 1 });
  const data = { ...inspection.data, created_at: '2026-10-01T12:00:00.000Z', claim };
  return { inspection: { ...inspection, data }, assessment: null };
}

test.each([
  // It is the second already, 14 hours east of Greenwich.
  ['2026-10-02', '2026-10-02, hail'],
  ['2026-10-03', '2026-10-03, hail (after the date of this result; check it)'],
])('the day of a loss: %s', (day, words) => {
  const input = filedUnder({ loss_date: day, loss_kind: 'hail' });
  expect(listClaimFacts(input)).toContainEqual(['Loss', words]);
  const warned = words.includes('after') ? [`Loss of ${day}: after the date of this result; check it`] : [];
  expect(listClaimWarnings(input)).toEqual(warned);
});

test.each([
  [
    '1M8GDM9AXKP042789',
    'wrong',
    ['VIN 1M8GDM9AXKP042789: the check digit does not fit: compare with the vehicle'],
  ],
  ['1M8GDM9AXKP042788', 'right', []],
] as const)('the VIN %s, whose check digit is %s, warns %j', (vin, vin_check_digit, warned) => {
  const { inspection } = filedUnder({});
  const data = { ...inspection?.data, vehicle: { vin, vin_check_digit } };
  expect(listClaimWarnings({ inspection: { ...inspection, data } as never, assessment: null })).toEqual(
    warned,
  );
});

describe('facts read in photos', () => {
  const VIN = '1M8GDM9AXKP042788';
  const box = [10, 10, 100, 20];
  const { data, ...rest } = exampleInspection({ damages: 1, photos: 2 });
  const [first, second] = data.images;
  const images = [
    { ...first, url: 'a/vin.jpg', read: [{ fact: 'vin', value: VIN, box, confidence: 0.98 }] },
    { ...second, url: 'a/front.jpg', read: [{ fact: 'plate', value: 'AB123', box, confidence: 0.9 }] },
  ];
  const makeResult = (vehicle: object, warnings: object[] = []) => {
    const inspection = { ...rest, data: { ...data, images, vehicle, warnings } };
    return { inspection, assessment: null } as unknown as Result;
  };

  test('are named with the photo, in the language of the report', () => {
    const input = makeResult({ vin: VIN, plate: 'AB123', year: 1989, read: ['vin', 'plate', 'year'] });
    const facts = [
      ['Vehicle', '1989'],
      ['VIN', `${VIN} (read in vin.jpg)`],
      ['Plate', 'AB123 (read in front.jpg)'],
    ];
    expect(listClaimFacts(input)).toEqual(facts);
    expect(listReadFacts(input)).toEqual(facts);
    const german = listClaimFacts(input, writeIn('de'));
    expect(german).toContainEqual(['FIN', `${VIN} (gelesen auf vin.jpg)`]);
  });

  test('that were stated stand as they were given', () => {
    const input = makeResult({ vin: VIN, plate: 'AB 123' });
    expect(listClaimFacts(input)).toEqual([
      ['VIN', VIN],
      ['Plate', 'AB 123'],
    ]);
    expect(listReadFacts(input)).toEqual([]);
  });

  test('that differ from those stated are among the warnings', () => {
    const input = makeResult({ vin: VIN }, [{ code: 'read_differs', message: 'the odometer differs' }]);
    expect(listClaimWarnings(input)).toEqual(['The odometer differs']);
  });

  const one = { url: 'a.jpg', read: READS };
  const stated = { plate: 'X1', vin: '1'.repeat(17), odometer: { value: 1, unit: 'km' } } as const;
  test.each([
    ...listReadWarnings([one, { url: 'b.jpg', read: OTHERS }], {}),
    ...listReadWarnings([one], stated),
  ])('warn in German and French: $message', ({ message }) => {
    for (const language of ['de', 'fr'] as const) {
      const said = writeIn(language).stored(message);
      expect(said).not.toBe(message);
      expect(said).toContain('a.jpg');
    }
  });
});
