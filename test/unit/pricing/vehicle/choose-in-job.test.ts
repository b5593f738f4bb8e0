import { describe, expect, it } from 'vitest';
import { assessed } from '../../../helpers/pricing/assessments.ts';
import { firstBillOf, graded } from '../../../helpers/pricing/random-claims.ts';

/** One damage that worsens by steps; if each panel took what is cheapest alone, the job of all would cost less in the end. */
interface Worsening {
  readonly name: string;
  readonly region: string;
  readonly vehicle: object;
  readonly others: readonly object[];
  readonly steps: readonly object[];
}

const dent = (location: string, score: number, more: object = {}) => other('dent', location, score, more);
const other = (type: string, location: string, score: number, more: object = {}) =>
  graded({ type, location, ...more }, score * 10);
const cm = (length: number) => ({ measurements: { length, unit: 'cm' } });
const range = (from: number, to: number, step: number) =>
  Array.from({ length: Math.round((to - from) / step) + 1 }, (_, i) => from + i * step);

const WORSENING: readonly Worsening[] = [
  {
    name: 'a mirror is polished, then painted with its door',
    region: 'US_TEXAS',
    vehicle: { class: 'luxury' },
    others: [other('panel_damage', 'rear_door_left', 5.6, cm(23.9))],
    steps: range(0, 9, 0.5).map((score) =>
      other('scratch', 'rear_door_left', score, { subtype: 'mirror_damage', ...cm(16.1) }),
    ),
  },
  {
    name: 'a cover is repaired, then replaced, next to hail on a lid that is painted only with others',
    region: 'US_NORTHEAST',
    vehicle: { class: 'standard', paint: 'metallic' },
    others: [
      other('crack', 'front_bumper', 4, cm(6)),
      dent('front_door_right', 1.4, { count: 8, ...cm(8.9) }),
      other('rust', 'windshield', 0.7, cm(37.5)),
      dent('trunk_lid', 1.2, { count: 37, ...cm(8.5) }),
    ],
    steps: range(2, 8, 1).map((count) => dent('rear_bumper', 3.2, { count, ...cm(1.9) })),
  },
];

const price = (damages: readonly object[], region: string, vehicle: object, associated = 'off') =>
  assessed({
    damages: damages.map((damage, i) => ({ damage_id: `d${i}`, ...damage })),
    vehicle,
    assessment_options: { labor_rate_region: region, currency: 'USD', associated_operations: associated },
  });

describe('each panel is repaired as costs least in the job', { timeout: 60_000 }, () => {
  it.each(WORSENING)('$name, and the job never costs less', ({ region, vehicle, others, steps }) => {
    const jobs = steps.map((one) => price([one, ...others], region, vehicle));
    const costs = jobs.map(firstBillOf);
    expect(costs).toEqual(costs.toSorted((a, b) => a - b));
    // Its table says why a way that costs less alone is not taken.
    const reasons = jobs.flatMap(({ data }) =>
      data.assessed_damages.flatMap(({ repair_options }) =>
        repair_options.map(({ not_recommended_reason: reason }) => reason?.code),
      ),
    );
    expect(reasons).toContain('dearer_in_the_job');
  });

  it('hail is pushed out on every panel, where painting brings more than it costs itself', () => {
    const hail = [
      dent('roof', 0.1, { count: 3, ...cm(6.1) }),
      dent('roof', 0.1, { count: 2, ...cm(9.1) }),
      dent('hood', 0.1, { count: 5, ...cm(6.1) }),
    ];
    const jobs = [hail, [...hail, dent('hood', 0.1, { count: 4, ...cm(0.5) })]].map((damages) =>
      price(damages, 'EU_GERMANY', {}, 'all'),
    );
    for (const { data } of jobs)
      expect(data.assessed_damages.map((one) => one.recommended_repair.option)).toEqual(
        data.assessed_damages.map(() => 'pdr'),
      );
    expect(jobs.map(firstBillOf)).toEqual([225003, 238643]);
  });

  it('a way that costs more alone is not taken for one panel', () => {
    const [first] = WORSENING;
    const alone = price([first?.steps[0] ?? {}], first?.region ?? '', first?.vehicle ?? {});
    expect(alone.data.assessed_damages.map((one) => one.recommended_repair.option)).toEqual(['polish']);
  });
});
