// @module-tag slow: PDFs are set and read

import { describe, expect, it } from 'vitest';
import type { RepairLine } from '../../../src/contract/repair.ts';
import { formatMoney } from '../../../src/report/figures.ts';
import { describePart } from '../../../src/report/words.ts';
import { assessed } from '../../helpers/pricing/assessments.ts';
import { printAnswer } from '../../helpers/reports/print-answer.ts';
import { type Page, print, readPdf } from '../../helpers/reports/read-pdf.ts';
import { RESULTS } from '../../helpers/results/seven-results.ts';

const listAmounts = (text: string) => text.match(/[$€£¥][\d,]*\d/g) ?? [];

/** Lines of a page, pieces of one height next to each other. */
function listLines({ pieces }: Page): readonly string[] {
  const lines = new Map<number, string>();
  for (const { bottom, text } of pieces) {
    const at = [...lines.keys()].find((height) => Math.abs(height - bottom) < 3) ?? bottom;
    lines.set(at, `${lines.get(at) ?? ''} ${text}`.trim());
  }
  return [...lines.values()];
}

/** Rows of parts with their name as printed and their cost in whole units, as printed. */
function listParts(rows: readonly RepairLine[] = []) {
  return rows
    .filter((row) => row.kind === 'part')
    .map(({ part, damage_ids, cost, currency }) => ({
      name: describePart(part ?? ''),
      cost: formatMoney(Math.round(cost), currency).replace(/\.00$/, ''),
      damageIds: damage_ids,
    }));
}

describe.each(RESULTS)('%s', (_name, inspection) => {
  const parts = listParts(inspection.data.results?.repair_lines);
  const costs = parts.map((one) => one.cost).sort();

  it('every page of the PDF says the price of a part that the JSON says, and no other', async () => {
    const { pages } = await readPdf(await print({ inspection, assessment: null }));
    const [first = [], ...others] = pages.map(listLines);
    for (const { name, cost } of parts) {
      const amounts = [first, ...others]
        .flat()
        .flatMap((line) => (line.includes(name) ? listAmounts(line) : []));
      expect([name, [...new Set(amounts)]].flat()).toEqual([name, ...(amounts.length === 0 ? [] : [cost])]);
    }
    // Page one has each once; the cards and the table behind it repeat them.
    const rows = first.filter((line) =>
      /^\D*\d.* (replace|polish|repair|push out|touch up|refurbish)/.test(line),
    );
    expect(rows.flatMap(listAmounts).sort()).toEqual(costs);
    for (const line of others.flat().filter((one) => one.startsWith('Cosmetic repair')))
      expect(costs).toEqual(expect.arrayContaining(listAmounts(line)));
  });

  it('so does the terminal, where a place to check has no price of its own', () => {
    const lines = printAnswer({ inspection }, { columns: 120 }).split('\n');
    expect(
      lines
        .filter((line) => /^\d/.test(line) && listAmounts(line).length > 0)
        .flatMap(listAmounts)
        .sort(),
    ).toEqual(costs);
    const toCheck = lines.filter((line) => /^\d+\? /.test(line));
    expect(toCheck.length).toBe(
      Math.min(5, new Set(inspection.data.results?.to_check.map((one) => one.location.part)).size),
    );
    expect(toCheck.flatMap(listAmounts)).toEqual([]);
  });
});

const HIT = [
  ['hood', 'scratch', 'moderate', 8],
  ['hood', 'dent', 'severe', 18],
  ['front_bumper', 'crack', 'severe'],
  ['headlight_left', 'headlight_damage', 'severe'],
  ['rear_bumper', 'scratch', 'minor', 6],
] as const;

describe.each([
  ['the default region', {}],
  ['the United Kingdom and pounds', { labor_rate_region: 'EU_UK', currency: 'GBP' }],
  ['Japan and yen', { labor_rate_region: 'ASIA_JAPAN', currency: 'JPY' }],
])('an estimate in %s', (_name, options) => {
  const assessment = assessed({
    damages: HIT.map(([location, type, severity, length], i) => ({
      damage_id: `d${i}`,
      ...{ location, type, severity },
      ...(length === undefined ? {} : { measurements: { length, unit: 'cm' } }),
    })),
    assessment_options: options,
  });
  const parts = listParts(assessment.data.estimate.repair_lines);

  it('every page of the PDF says the price of a part that the JSON says, and no other', async () => {
    const { pages } = await readPdf(await print({ inspection: null, assessment }));
    const lines = pages.flatMap(listLines);
    expect(parts).toHaveLength(4);
    for (const { name, cost } of parts) {
      const rows = lines.filter((line) => new RegExp(`(^| )\\d[\\d ]* ${name} `).test(line));
      // On page one, where the plan may stand on the same height, and in the table of damages.
      expect([name, ...rows.flatMap(listAmounts)]).toEqual([name, cost, cost]);
    }
    const chosen = lines.filter((line) => line.startsWith('✓')).map((line) => listAmounts(line)[2]);
    expect(chosen).toEqual(
      HIT.map((_, i) => parts.find(({ damageIds }) => damageIds.includes(`d${i}`))?.cost),
    );
  });
});
