import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Result } from '../../../../src/contract/result.ts';
import { writeRepair } from '../../../../src/report/content/repair.ts';
import { assessed, request } from '../../../helpers/pricing/random-claims.ts';
import { exampleAssessment } from '../../../helpers/results/example-assessment.ts';
import { exampleInspection } from '../../../helpers/results/example-inspection.ts';

/** Returns the amount that a printed cell says, in whole units of its currency. */
const readAmount = (cell: unknown) => Number(`${cell}`.replaceAll('−', '-').replaceAll(/[^\d-]/g, ''));

/** Returns the printed costs of the rows, and the printed total below them. */
function readCosts(input: Result): { readonly rows: readonly number[]; readonly total: number } {
  const table = writeRepair(input)?.blocks.find((block) => block.kind === 'table');
  const at = table?.columns.findIndex(({ title }) => title === 'Cost') ?? -1;
  const costs = table?.rows.map(({ cells }) => readAmount(cells[at])) ?? [];
  return { rows: costs.slice(0, -1), total: costs.at(-1) ?? Number.NaN };
}

const sum = (amounts: readonly number[]) => amounts.reduce((all, one) => all + one, 0);

test('the printed rows of random lists of damage add up to the printed total', {
  timeout: 120_000,
  tags: ['slow'],
}, () => {
  fc.assert(
    fc.property(request, (asked) => {
      const assessment = assessed(asked);
      const { rows, total } = readCosts({ inspection: null, assessment });
      expect(sum(rows)).toBe(total);
      const { estimated } = assessment.data.summary.repair_cost_summary.first_bill;
      // Rows are rounded for people, each by five of a thousand at most.
      expect(Math.abs(total - estimated)).toBeLessThanOrEqual(Math.max(5, 0.01 * estimated));
    }),
    { numRuns: 20 },
  );
});

test.each([1, 12])('so do those of an inspection of %i damages, alone and with its estimate', (damages) => {
  const inspection = exampleInspection({ damages, photos: 6 });
  for (const assessment of [null, exampleAssessment(inspection)]) {
    const { rows, total } = readCosts({ inspection, assessment });
    expect(rows.length).toBeGreaterThan(0);
    expect(sum(rows)).toBe(total);
  }
});
