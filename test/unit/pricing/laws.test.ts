// @module-tag slow: laws over hundreds of claims
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SEVERITIES } from '../../../src/domain/damage.ts';
import { LOWEST_SCORE } from '../../../src/domain/grading/severity.ts';
import { type Currency, findExponent, roundHalfAway } from '../../../src/domain/money.ts';
import { assessed, minor, RUNS, request } from '../../helpers/pricing/random-claims.ts';

const ENDS = ['min', 'estimated', 'max'] as const;
type Wire = ReturnType<typeof assessed>;
const linesOf = ({ data }: Wire) => data.estimate.lines ?? [];
const sum = <T>(list: readonly T[], amount: (one: T) => number) =>
  list.reduce((total, one) => total + amount(one), 0);
const expectRising = (...amounts: readonly number[]) =>
  expect(amounts).toEqual([...amounts].sort((a, b) => a - b));

/** Holds the lines of an estimate to its total, its departments and its tax base, to the minor unit. */
function holdLines(result: Wire): void {
  const { meta, data } = result;
  const costs = data.summary.repair_cost_summary;
  const cents = (amount: number) => minor(amount, meta.currency);
  const lines = linesOf(result);
  const counted = lines.filter((line) => line.counted_in === 'total');
  const net = cents(costs.adjusted_total.estimated);
  expect(sum(counted, (line) => cents(line.amount))).toBe(net);
  expect(new Set(lines.map((line) => line.line_id)).size).toBe(lines.length);
  expect(new Set(lines.map((line) => line.number)).size).toBe(lines.length);
  for (const line of lines) {
    const price = line.price === null && line.operation !== 'Adj' ? 0 : cents(line.price ?? line.amount);
    expect(cents(line.labor) + price).toBe(cents(line.amount));
    expect(line.source.length).toBeGreaterThan(0);
  }
  // Half a minor unit a line at most: more would hide a line that is in no department.
  for (const line of lines.filter(({ operation }) => operation === 'Adj'))
    expect(Math.abs(cents(line.amount))).toBeLessThanOrEqual(lines.length / 2);
  expect(sum(costs.departments, (row) => cents(row.total))).toBe(net);
  for (const { department, hours, rate_per_hour: rate, total } of costs.departments) {
    if (rate !== null) expect(Math.abs(hours * cents(rate) - cents(total))).toBeLessThanOrEqual(0.5 + 1e-6);
    if (department !== 'materials' && department !== 'parts') {
      const own = counted.filter((line) => line.department === department);
      expect(sum(own, (line) => line.hours)).toBeCloseTo(hours, 6);
    }
  }
  for (const end of ENDS)
    expect(
      cents(costs.recommended_repairs_total[end]) + sum(costs.adjustments, (line) => cents(line[end])),
    ).toBe(cents(costs.adjusted_total[end]));
  expectRising(...ENDS.map((end) => costs.adjusted_total[end]));
  const { tax } = costs;
  if (tax === undefined) {
    expect(costs.gross_total).toBe(costs.net_total);
    return;
  }
  expect(sum(lines, (line) => cents(line.taxable))).toBe(cents(tax.taxable));
  expect([cents(costs.net_total), tax.net_total]).toEqual([net, costs.net_total]);
  expect(cents(tax.net_total) + cents(tax.amount)).toBe(cents(tax.gross_total));
  expect(costs.gross_total).toBe(tax.gross_total);
}

/** Holds the options of each damage to their labor and parts, and the summary to the recommended ones. */
function holdOptions({ data, meta }: Wire): void {
  const code = meta.currency as Currency;
  const cents = (amount: number) => minor(amount, code);
  for (const { repair_options: options, recommended_repair: chosen } of data.assessed_damages) {
    for (const option of options) {
      const { hours, rate_per_hour, total } = option.labor;
      expect(Number.isInteger(Math.round(hours * 1e6) / 1e5)).toBe(true);
      expect(roundHalfAway(hours * cents(rate_per_hour))).toBe(cents(total));
      expect(cents(option.total_cost.labor)).toBe(cents(total));
      const parts = sum(option.parts_required, (part) => cents(part.oem_price ?? Number.NaN));
      expect(parts).toBe(cents(option.total_cost.parts));
      expect(parts + cents(total)).toBe(cents(option.total_cost.total));
      expectRising(option.cost_range.min, option.total_cost.total, option.cost_range.max);
      const { not_recommended_reason: reason, total_cost: cost } = option;
      const costsMore = cost.total >= chosen.estimated_cost;
      if (reason?.code === 'cheaper_way_exists') expect([cost, costsMore]).toEqual([cost, true]);
      if (reason?.code === 'oem_part_preferred') expect([cost, costsMore]).toEqual([cost, false]);
    }
    const recommended = options.filter((option) => option.recommended);
    expect(recommended.map((option) => option.option)).toEqual([chosen.option]);
    expect(recommended[0]?.total_cost.total).toBe(chosen.estimated_cost);
    expectRising(chosen.min_cost, chosen.estimated_cost, chosen.max_cost);
  }
  const { repair_cost_summary: costs, impact_on_vehicle_value: value } = data.summary;
  const total = costs.recommended_repairs_total;
  const ofDamages = (name: 'min_cost' | 'estimated_cost' | 'max_cost') =>
    sum(data.assessed_damages, (one) => cents(one.recommended_repair[name]));
  expect(ENDS.map((end) => cents(total[end]))).toEqual([
    ofDamages('min_cost'),
    ofDamages('estimated_cost'),
    ofDamages('max_cost'),
  ]);
  expectRising(costs.all_repairs_range.min, total.estimated, costs.all_repairs_range.max);
  expect(cents(value.estimated_market_value) - cents(value.value_reduction)).toBe(
    cents(value.adjusted_value),
  );
  expect(data.summary.total_value_reduction_percentage).toBeLessThanOrEqual(10);
  if (findExponent(code) === 0) expect(Number.isInteger(total.estimated)).toBe(true);
}

/** Holds the rows per part to the first bill: they add up to it, and name every damage and every part once. */
function holdRows({ data, meta }: Wire): void {
  const rows = data.estimate.repair_lines ?? [];
  const total = data.summary.repair_cost_summary.first_bill?.estimated ?? 0;
  expect(sum(rows, (row) => minor(row.cost, meta.currency))).toBe(minor(total, meta.currency));
  const ofParts = rows.filter((row) => row.kind === 'part');
  expect(ofParts.flatMap((row) => row.damage_ids).sort()).toEqual(
    data.assessed_damages.map((one) => one.damage_id).sort(),
  );
  expect(new Set(ofParts.map((row) => row.part)).size).toBe(ofParts.length);
  for (const row of rows) expect(row.words).not.toBe('');
  // The row of a single damage costs what its chosen way does, but for the rounding of each line.
  const [row, second] = ofParts;
  const [chosen, another] = data.assessed_damages;
  if (row && chosen && !second && !another)
    expect(
      Math.abs(minor(row.cost - chosen.recommended_repair.estimated_cost, meta.currency)),
    ).toBeLessThanOrEqual(data.estimate.lines.length);
}

/** A way chosen for the job, with two cheaper ones. */
const CHEAPER_ALONE = {
  damages: [
    { damage_id: 'd0', type: 'scratch', location: 'hood', severity_score: 0, subtype: 'mirror_damage' },
    { damage_id: 'd1', type: 'scratch', location: 'hood', measurements: { length: 10.1, unit: 'cm' } },
  ],
  vehicle: { paint: 'three_stage' },
  assessment_options: { labor_rate_region: 'US_CALIFORNIA', currency: 'USD' },
} as const;

describe('laws of an assessment', { timeout: 120_000 }, () => {
  it.each(['off', 'likely', 'all'])('every sum holds to the minor unit, expected operations: %s', (mode) => {
    const held = fc.property(request, (asked) => {
      const options = { ...asked.assessment_options, associated_operations: mode };
      const result = assessed({ ...asked, assessment_options: options });
      holdLines(result);
      holdOptions(result);
      holdRows(result);
      for (const [i, damage] of result.data.assessed_damages.entries()) {
        const given = asked.damages[i]?.severity;
        if (given === undefined) continue;
        // Kept or raised, never lowered.
        expect(SEVERITIES.indexOf(damage.severity)).toBeGreaterThanOrEqual(SEVERITIES.indexOf(given));
        expect(damage.severity_score).toBeGreaterThanOrEqual(LOWEST_SCORE[given]);
      }
    });
    fc.assert(held, { numRuns: RUNS, examples: [[structuredClone(CHEAPER_ALONE) as never]] });
  });

  it('whatever a person sets, removes, accepts or adds, the lines still add up', () => {
    const shares = (most: number, of: number) => fc.integer({ min: 0, max: most }).map((n) => n / of);
    const change = fc.record({
      at: fc.nat(),
      hours: fc.option(shares(200, 10), { nil: undefined }),
      price: fc.option(shares(100_000, 100), { nil: undefined }),
      action: fc.constantFrom('remove', 'accept', undefined),
    });
    const added = fc.record({
      operation: fc.constantFrom('R&R', 'R&I', 'Rpr', 'Refn', 'Subl', 'Add', 'O/H'),
      part: fc.constantFrom('wheel_alignment', 'hood', 'something_new'),
      hours: shares(90, 10).map((hours) => Math.max(0.1, hours)),
      price: shares(90_000, 100),
    });
    const held = fc.property(
      request,
      fc.array(change, { maxLength: 4 }),
      fc.array(added, { maxLength: 3 }),
      (asked, changes, adds) => {
        const plain = assessed(asked);
        // One edit of a line is taken; of several drawn the last stands.
        const edits = changes.flatMap(({ at, hours, price, action }): (readonly [string, object])[] => {
          const editable = linesOf(plain).filter((line) => line.group !== 'rounding');
          const line = editable[at % editable.length];
          if (line === undefined) return [];
          const isWork = ['labor', 'parts'].includes(line.tax_class);
          const takesHours = line.hours > 0 ? line.rate_per_hour !== null : isWork;
          const expected = line.group === 'expected';
          if (action === 'remove') return [[line.line_id, { line: line.line_id, action }]];
          const edit = {
            line: line.number,
            ...(hours === undefined || !takesHours ? {} : { hours }),
            ...(price === undefined || line.price === null ? {} : { price }),
            ...(action === 'accept' && expected ? { action } : {}),
          };
          return Object.keys(edit).length > 1 ? [[line.line_id, edit]] : [];
        });
        const line_edits = [...new Map(edits).values(), ...adds.map((add) => ({ add }))];
        holdLines(assessed({ ...asked, line_edits }));
      },
    );
    fc.assert(held, { numRuns: RUNS });
  });

  it('the order of damages changes nothing but the order of the list', () => {
    const held = fc.property(request, fc.integer(), (asked, seed) => {
      const rank = (id: string) => (id.charCodeAt(1) * 31 + seed) % 7;
      const shuffled = [...asked.damages].sort((a, b) => rank(a.damage_id) - rank(b.damage_id));
      const one = assessed(asked);
      const other = assessed({ ...asked, damages: shuffled });
      expect(other.data.summary).toEqual(one.data.summary);
      const { repair_lines: rows, ...estimate } = one.data.estimate;
      const { repair_lines: otherRows, ...otherEstimate } = other.data.estimate;
      expect(otherEstimate).toEqual(estimate);
      // The rows follow the list, and so do the damages within a row.
      const costs = (list: typeof rows = []) =>
        list.map(({ kind, part, cost }) => `${kind} ${part} ${cost}`).sort();
      expect(costs(otherRows)).toEqual(costs(rows));
    });
    fc.assert(held, { numRuns: RUNS });
  });
});
