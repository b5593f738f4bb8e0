// @module-tag slow: laws over hundreds of claims
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assessed, minor, request } from '../../../helpers/pricing/random-claims.ts';

const MODES = ['off', 'likely', 'all'] as const;
type Wire = ReturnType<typeof assessed>;
const linesOf = ({ data }: Wire) => data.estimate.lines ?? [];
const counted = (result: Wire) => linesOf(result).filter((line) => line.counted_in === 'total');
const sumOf = (result: Wire) =>
  counted(result).reduce((sum, line) => sum + minor(line.amount, result.meta.currency), 0);
const netOf = ({ data, meta }: Wire) =>
  minor(data.summary.repair_cost_summary.adjusted_total.estimated, meta.currency);

/** What must hold of the lines of any estimate. */
function holdsTogether(result: Wire): void {
  const { meta, data } = result;
  const costs = data.summary.repair_cost_summary;
  const cents = (amount: number) => minor(amount, meta.currency);
  const lines = linesOf(result);
  expect(sumOf(result)).toBe(netOf(result));
  expect(new Set(lines.map((line) => line.line_id)).size).toBe(lines.length);
  expect(new Set(lines.map((line) => line.number)).size).toBe(lines.length);
  for (const line of lines) {
    expect(
      cents(line.labor) +
        (line.price === null && line.operation !== 'Adj' ? 0 : cents(line.price ?? line.amount)),
    ).toBe(cents(line.amount));
    expect(line.source.length).toBeGreaterThan(0);
  }
  // Half a minor unit a line at most: more would hide a line that is in no department.
  const rounding = lines.filter((line) => line.operation === 'Adj');
  for (const line of rounding) expect(Math.abs(cents(line.amount))).toBeLessThanOrEqual(lines.length / 2);
  expect(costs.departments.reduce((sum, row) => sum + cents(row.total), 0)).toBe(netOf(result));
  const hours = (department: string) =>
    counted(result).reduce((sum, line) => (line.department === department ? sum + line.hours : sum), 0);
  for (const row of costs.departments)
    if (row.department !== 'materials' && row.department !== 'parts')
      expect(hours(row.department)).toBeCloseTo(row.hours, 6);
  for (const end of ['min', 'estimated', 'max'] as const)
    expect(
      cents(costs.recommended_repairs_total[end]) +
        costs.adjustments.reduce((sum, line) => sum + cents(line[end]), 0),
    ).toBe(cents(costs.adjusted_total[end]));
  expect(costs.adjusted_total.min).toBeLessThanOrEqual(costs.adjusted_total.estimated);
  expect(costs.adjusted_total.estimated).toBeLessThanOrEqual(costs.adjusted_total.max);
  const { tax } = costs;
  if (tax === undefined) {
    expect(costs.gross_total).toBe(costs.net_total);
    return;
  }
  expect(lines.reduce((sum, line) => sum + cents(line.taxable), 0)).toBe(cents(tax.taxable));
  expect(costs.net_total).toBe(tax.net_total);
  expect(costs.gross_total).toBe(tax.gross_total);
}

describe('an estimate as lines', { timeout: 120_000 }, () => {
  it.each(MODES)('associated %s: lines add up to the price, tax base and departments exactly', (mode) => {
    fc.assert(
      fc.property(request, (asked) => {
        const options = { ...asked.assessment_options, associated_operations: mode };
        holdsTogether(assessed({ ...asked, assessment_options: options }));
      }),
      { numRuns: 150 },
    );
  });

  it('whatever a person sets, removes, accepts or adds, they still add up', () => {
    const change = fc.record({
      at: fc.nat(),
      hours: fc.option(
        fc.integer({ min: 0, max: 200 }).map((tenths) => tenths / 10),
        { nil: undefined },
      ),
      price: fc.option(
        fc.integer({ min: 0, max: 100_000 }).map((cents) => cents / 100),
        { nil: undefined },
      ),
      action: fc.constantFrom('remove', 'accept', undefined),
    });
    const added = fc.record({
      operation: fc.constantFrom('R&R', 'R&I', 'Rpr', 'Refn', 'Subl', 'Add', 'O/H'),
      part: fc.constantFrom('wheel_alignment', 'hood', 'something_new'),
      hours: fc.integer({ min: 1, max: 90 }).map((tenths) => tenths / 10),
      price: fc.integer({ min: 0, max: 90_000 }).map((cents) => cents / 100),
    });
    fc.assert(
      fc.property(
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
            const fixed = line.hours > 0 && line.rate_per_hour === null;
            const expected = line.group === 'expected';
            if (action === 'remove') return [[line.line_id, { line: line.line_id, action }]];
            const edit = {
              line: line.number,
              ...(hours === undefined || fixed || line.group === 'materials' ? {} : { hours }),
              ...(price === undefined || line.price === null ? {} : { price }),
              ...(action === 'accept' && expected ? { action } : {}),
            };
            return Object.keys(edit).length > 1 ? [[line.line_id, edit]] : [];
          });
          const line_edits = [...new Map(edits).values(), ...adds.map((add) => ({ add }))];
          holdsTogether(assessed({ ...asked, line_edits }));
        },
      ),
      { numRuns: 200 },
    );
  });
});
