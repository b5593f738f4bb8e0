import { describe, expect, test } from 'vitest';
import { judgeInspection } from '../../../../src/engine/compare/by-standard.ts';
import { presentVerdicts } from '../../../../src/engine/compare/present-comparison.ts';
import { writeVerdicts } from '../../../../src/report/content/verdicts.ts';
import { renderHtml } from '../../../../src/report/html/html-report.ts';
import { NO_PICTURES } from '../../../../src/report/pictures.ts';
import { findStandard } from '../../../../src/standards/standards.ts';
import { exampleInspection } from '../../../helpers/results/example-inspection.ts';

const inspection = exampleInspection({ damages: 3, toCheck: 1, photos: 2 });
const standard = findStandard('bvrla-cars');
if (!standard) throw new Error('the table ships');
const verdicts = judgeInspection(inspection.data, standard);

describe('verdicts of a standard in a result', () => {
  test('name every certain damage with its reason, before the photos', () => {
    const section = writeVerdicts({ inspection, assessment: null, verdicts });
    const [, table] = section?.blocks ?? [];
    const rows = table?.kind === 'table' ? table.rows : [];
    expect(rows.map(({ cells }) => cells[0])).toEqual(['1', '2', '3']);
    for (const { cells } of rows) expect(cells[2]).toMatch(/^(Chargeable|Fair wear|Cannot tell): /);
    const page = renderHtml({ inspection, assessment: null, verdicts }, NO_PICTURES, {
      generatedAt: new Date(0),
    });
    expect(page.indexOf('Fair wear by bvrla-cars')).toBeGreaterThan(0);
    expect(page.indexOf('Fair wear by bvrla-cars')).toBeLessThan(page.indexOf('id="photos"'));
  });

  test('are in JSON as they are in a comparison, with the row and its source', () => {
    const { standard: of, damages } = presentVerdicts(verdicts);
    expect(of).toMatchObject({ name: 'bvrla-cars', version: standard.version });
    expect(damages.map(({ damage_id }) => damage_id)).toEqual(
      inspection.data.results?.damages.map(({ damage_id }) => damage_id),
    );
    for (const { verdict, row, source } of damages) if (row) expect([verdict, source]).not.toContain(null);
  });

  test('are not there where no standard was asked for', () => {
    expect(writeVerdicts({ inspection, assessment: null })).toBeNull();
  });
});
