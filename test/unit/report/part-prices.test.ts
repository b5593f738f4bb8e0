// @module-tag slow: PDFs are set and read

import { describe, expect, it } from 'vitest';
import type { InspectionEnvelope } from '../../../src/contract/inspection.ts';
import { formatMoney } from '../../../src/report/figures.ts';
import { describePart } from '../../../src/report/words.ts';
import { printAnswer } from '../../helpers/reports/print-answer.ts';
import { type Page, print, readPdf } from '../../helpers/reports/read-pdf.ts';
import { RESULTS } from '../../helpers/results/eight-results.ts';

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
function listParts({ data: { results } }: InspectionEnvelope) {
  return (results?.repair_lines ?? [])
    .filter((row) => row.kind === 'part')
    .map(({ part, cost, currency }) => ({
      name: describePart(part ?? ''),
      cost: formatMoney(Math.round(cost), currency).replace(/\.00$/, ''),
    }));
}

// Photos of several vehicles have no price anywhere.
describe.each(RESULTS.filter(([name]) => name !== 'several vehicles'))('%s', (_name, inspection) => {
  const parts = listParts(inspection);
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
