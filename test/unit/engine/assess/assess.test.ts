import { Check } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { AssessmentEnvelopeSchema } from '../../../../src/contract/assessment/assessment.ts';
import { assessed } from '../../../helpers/pricing/assessments.ts';

const dent = { damage_id: 'd', type: 'dent', location: 'hood' };

describe('an assessment', () => {
  const one = (damage: Record<string, unknown>, more: Record<string, unknown> = {}) => {
    const envelope = assessed({ damages: [{ ...dent, ...damage }], ...more });
    expect(Check(AssessmentEnvelopeSchema, envelope)).toBe(true);
    const [first = expect.fail()] = envelope.data.assessed_damages;
    return { ...first, envelope };
  };

  it.each([
    ['oxidation', 'hood', 'paint_damage'],
    ['headlight_damage', 'headlight_left', 'glass_damage'],
    ['trim_damage', 'front_door_left', 'panel_damage'],
  ])('takes %s as an alias and echoes it', (alias, location, type) => {
    expect(one({ type: alias, location, subtype: alias })).toMatchObject({ type, subtype: alias, location });
  });

  it('takes the damage object of an inspection: the part of its location, the size it was judged by', () => {
    const found = {
      damage_id: 'dmg_hood_001',
      severity: 'moderate',
      severity_score: 3.1,
      location: { part: 'hood', side: 'front', coordinates: { x: 1, y: 2, width: 3, height: 4 } },
      confidence: 0.8,
      explain: [{ rule: 'severity.dent', inputs: { long_side_cm: 7.5 } }],
    };
    expect(one(found)).toMatchObject({ location: 'hood', severity_score: 3.1, size_cm: 7.5 });
    expect(one({ ...found, measurements: { diameter: 9, depth: 1, unit: 'cm' } }).size_cm).toBe(9);
  });

  it('raises a severity to what the damage demands and says what was given', () => {
    const raised = one({ type: 'shattered_glass', location: 'windshield', severity: 'minor' });
    expect(raised).toMatchObject({ severity: 'severe', severity_score: 5, severity_given: 'minor' });
    const overridden = { overrides: [{ damage_id: 'd', severity: 'minor' }] };
    expect(one({ severity: 'severe' }, overridden)).not.toHaveProperty('severity_given');
  });

  it('keeps the overall score, rounded, within the tier of the worst damage', () => {
    expect(one({ severity: 'severe', severity_score: 7.496 }).envelope.data.summary).toMatchObject({
      overall_severity: 'severe',
      overall_severity_score: 7.49,
    });
  });

  it('leaves out part prices and days when asked to, and keeps the sums', () => {
    const assessment_options = { include_part_prices: false, include_repair_timeline: false };
    const [without, full] = [
      one({ severity: 'severe' }, { assessment_options }),
      one({ severity: 'severe' }),
    ];
    expect(JSON.stringify(without.repair_options)).not.toMatch(
      /oem_price|aftermarket_price|recycled_price|list_price|estimated_days/,
    );
    expect(without.envelope.data.summary.repair_timeline).toBeUndefined();
    expect(without.repair_options.map((option) => option.total_cost)).toEqual(
      full.repair_options.map((option) => option.total_cost),
    );
  });

  it('an edited line has its former price, unless that is none or prices of parts are left out', () => {
    const linesOf = (more: object) => one({ severity: 'critical' }, { ...more }).envelope.data.estimate.lines;
    const bought = linesOf({}).find(({ part_source }) => part_source !== null);
    const line_edits = [{ line: bought?.number, price: 12 }];
    const edited = (assessment_options: object) =>
      linesOf({ line_edits, assessment_options }).find(({ number }) => number === bought?.number);
    expect(edited({})?.computed?.price).toBe(bought?.price);
    const { price, computed } = edited({ include_part_prices: false }) ?? {};
    expect([price, computed]).toEqual([null, { hours: bought?.hours, counted_in: 'total' }]);
    const lines = linesOf({ line_edits: [{ part: 'hood', price: 900 }] });
    const hourly = lines.flatMap((line) => (line.price === null && line.computed ? [line.computed] : []));
    expect(hourly.length).toBeGreaterThan(0);
    for (const former of hourly) expect(former).not.toHaveProperty('price');
  });

  it('keeps both values of an override, in the option, the sums and the vehicle', () => {
    const change = { option: 'bumper_replacement_aftermarket', reason: 'agreed with the shop' };
    const crack = { type: 'crack', location: 'front_bumper', severity: 'severe' };
    const damage = one(crack, { overrides: [{ damage_id: 'd', ...change }] });
    const { option: value, reason } = change;
    expect(damage.overrides).toEqual([{ field: 'option', computed: 'bumper_replacement', value, reason }]);
    // 2.9 + refinish 3.0 + clear 1.2 = 7.1 h x 115 = 816.50 + 402 + 4.2 x 53.50 = 224.70
    expect(damage.recommended_repair).toMatchObject({ option: value, estimated_cost: 1443.2 });
    expect(damage.envelope.data.summary.repair_cost_summary.adjusted_total.estimated).toBe(1443.2);
    const reasons = damage.repair_options.map((option) => option.not_recommended_reason?.code);
    expect(reasons).toContain('overridden_by_adjuster');
  });

  // As in a review, a score moves to the closest of the tier; without one, the middle of the tier is meant.
  it.each([
    [{ severity: 'severe' }, 'severe', 'minor', 1.25],
    [{ severity_score: 6.1 }, 'severe', 'minor', 2.4],
    [{ severity_score: 3.1 }, 'moderate', 'severe', 5],
    [{ severity_score: 3.1 }, 'moderate', 'moderate', 3.1],
    [{ subtype: 'frame_damage', severity_score: 1 }, 'severe', 'moderate', 2.5],
  ])('an overridden severity stands, even below a floor: %j %s, %s', (stated, computed, value, score) => {
    const overrides = [{ damage_id: 'd', severity: value }];
    expect(one({ type: 'dent', ...stated }, { overrides })).toMatchObject({
      severity: value,
      severity_score: score,
      overrides: [{ field: 'severity', computed, value }],
    });
  });

  it.each(['oxidation', 'dent'])('an overridden type names what was said before, %s', (type) => {
    const overrides = [{ damage_id: 'd', type: 'scratch' }];
    const [change] = one({ type, severity: 'minor' }, { overrides }).overrides ?? [];
    expect(change).toEqual({ field: 'type', computed: type, value: 'scratch' });
  });

  it.each([-1, 100_000])('an impossible size of %d cm that an inspection names is not taken', (size) => {
    const explained = (long_side_cm: number) =>
      one({ severity: 'moderate', explain: [{ rule: 'severity.dent', inputs: { long_side_cm } }] })
        .recommended_repair;
    const { recommended_repair: plain } = one({ severity: 'moderate' });
    expect(explained(size)).toEqual(plain);
    expect(explained(40)).not.toEqual(plain);
  });

  it('values the vehicle by what is stated, in its currency, by the mileage, or by the odometer', () => {
    const findValue = (vehicle: object) =>
      one({}, { vehicle }).envelope.data.summary.impact_on_vehicle_value.estimated_market_value;
    expect(findValue({ market_value: 9200, currency: 'EUR' })).toBe(10820.12);
    const odometer = { value: 150_000, unit: 'mi' };
    expect(findValue({ odometer })).toBe(findValue({ mileage_km: 241_402 }));
    expect(findValue({ odometer, mileage_km: 20_000 })).toBe(findValue({ mileage_km: 20_000 }));
  });

  it('takes the class from the make, unless it is given', () => {
    const classOf = (vehicle: Record<string, unknown>) =>
      one({}, { vehicle }).envelope.data.vehicle.class_used;
    expect(classOf({ make: ' BMW ' })).toBe('premium');
    expect(classOf({ make: 'BMW', class: 'luxury' })).toBe('luxury');
    expect(classOf({ make: 'Horse', class: 'unknown' })).toBe('standard');
  });
});
