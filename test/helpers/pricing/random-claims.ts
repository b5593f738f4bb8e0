import fc from 'fast-check';
import type { AssessmentEnvelope } from '../../../src/contract/assessment/assessment.ts';
import { DAMAGE_SUBTYPES, DAMAGE_TYPES, SEVERITIES } from '../../../src/domain/damage.ts';
import { LOWEST_SCORE } from '../../../src/domain/grading/severity.ts';
import { CURRENCY_CODES, type Currency, toMinor } from '../../../src/domain/money.ts';
import { PART_NAMES } from '../../../src/domain/parts.ts';
import { EQUIPMENT } from '../../../src/domain/vehicle/vehicle.ts';
import { withRegions } from '../../../src/pricing/tables/regions.ts';
import { assessed as assessedWith, TABLES as SHIPPED } from './assessments.ts';

/** A region whose departments all have rates of their own, none of them round. */
const [midwest] = SHIPPED.regions.rows;
if (midwest === undefined) throw new Error('no regions');
const TABLES = withRegions(SHIPPED, {
  ...SHIPPED.regions,
  rows: [
    {
      ...midwest,
      code: 'ODD_RATES',
      rate_per_hour: [61.37, 93.11],
      departments: {
        refinish: [58.03, 71.99],
        mechanical: [101.29, 150.01],
        structural: [80.77, 133.33],
        materials: [31.17, 47.93],
      },
    },
  ],
});
/** An assessment by the shipped tables and that region. */
export const assessed = (request: Record<string, unknown>) => assessedWith(request, TABLES);

/** Claims per law. */
export const RUNS = Number(process.env.LAW_RUNS ?? 40);
export const regionCode = fc.constantFrom(...TABLES.regions.rows.map((row) => row.code));
export const currency = fc.constantFrom(...CURRENCY_CODES);
export const vehicle = fc.record(
  {
    class: fc.constantFrom('economy', 'standard', 'premium', 'luxury', 'unknown'),
    paint: fc.constantFrom('solid', 'metallic', 'three_stage', 'unknown'),
    body: fc.constantFrom(...EQUIPMENT.body),
    headlights: fc.constantFrom(...EQUIPMENT.headlights),
    mirrors: fc.constantFrom(...EQUIPMENT.mirrors),
    windshield: fc.constantFrom(...EQUIPMENT.windshield),
    panels: fc.constantFrom(...EQUIPMENT.panels),
    drive: fc.constantFrom(...EQUIPMENT.drive),
    mileage_km: fc.integer({ min: 0, max: 400_000 }),
    market_value: fc.integer({ min: 1, max: 100_000 }),
  },
  { requiredKeys: [] },
);
/** Parts of one side of the car from front to rear, each next to another. */
export const NEIGHBORS = [
  'hood',
  'front_bumper',
  'front_fender_left',
  'front_door_left',
  'rear_door_left',
  'quarter_panel_left',
] as const;
/** One damage of a claim, without its id. */
export const body = fc.record(
  {
    type: fc.constantFrom(...DAMAGE_TYPES),
    // Half of them on one side of the car, so that panels and their neighbors meet often.
    location: fc.oneof(fc.constantFrom(...PART_NAMES), fc.constantFrom(...NEIGHBORS)),
    severity: fc.constantFrom(...SEVERITIES),
    severity_score: fc.integer({ min: 0, max: 100 }).map((tenths) => tenths / 10),
    subtype: fc.constantFrom(
      ...DAMAGE_SUBTYPES,
      'shattered_glass',
      'something_new',
      'constructor',
      '__proto__',
    ),
    count: fc.integer({ min: 1, max: 60 }),
    measurements: fc.integer({ min: 1, max: 800 }).map((mm) => ({ length: mm / 10, unit: 'cm' })),
  },
  { requiredKeys: ['type', 'location'] },
);
const damages = fc
  .array(body, { minLength: 1, maxLength: 8 })
  .map((all) => all.map((damage, i) => ({ damage_id: `d${i}`, ...damage })));
/** A claim of up to eight damages. */
export const request = fc.record({
  damages,
  vehicle,
  assessment_options: fc.record({ labor_rate_region: regionCode, currency }),
});

/** Minor units of an amount. */
export const minor = (amount: number, code: string) => toMinor(amount, code as Currency);
/** The first bill of the vehicle as one repair, minor units. */
export const firstBillOf = ({ data }: AssessmentEnvelope) => {
  const { adjusted_total, first_bill: bill = adjusted_total } = data.summary.repair_cost_summary;
  return minor(bill.estimated, bill.currency);
};
/** Two whole numbers from 1 to the most, the smaller first. */
export const two = (most: number) =>
  fc
    .tuple(fc.integer({ min: 1, max: most }), fc.integer({ min: 1, max: most }))
    .map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
/** A damage of this score, with the severity that belongs to it. */
export const graded = (damage: object, tenths: number) => ({
  ...damage,
  severity_score: tenths / 10,
  severity: [...SEVERITIES].reverse().find((tier) => tenths / 10 >= LOWEST_SCORE[tier]),
});
