// @module-tag slow: PDFs are set and read

import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, it } from 'vitest';
import type { InspectionEnvelope } from '../../../src/contract/inspection.ts';
import { DAMAGE_SUBTYPES, DAMAGE_TYPES } from '../../../src/domain/damage.ts';
import { nameDamage } from '../../../src/domain/damage-words.ts';
import { formatRoundMoney, formatWholeMoney } from '../../../src/report/figures.ts';
import { formatCsv } from '../../../src/report/formats/csv.ts';
import { formatMarkdown } from '../../../src/report/formats/markdown.ts';
import { renderHtml } from '../../../src/report/html/html-report.ts';
import { NO_PICTURES } from '../../../src/report/pictures.ts';
import { printAnswer } from '../../helpers/reports/print-answer.ts';
import { generatedAt, print, readPdf } from '../../helpers/reports/read-pdf.ts';
import { RESULTS } from '../../helpers/results/eight-results.ts';

const missing = structuredClone(RESULTS[0]?.[1]) as InspectionEnvelope;
for (const damage of [...(missing.data.results?.damages ?? []), ...(missing.data.results?.to_check ?? [])])
  Object.assign(damage, { type: 'panel_damage', subtype: 'missing_part', severity: 'severe' });

/** What a person reads, without the markup. */
async function renderAll(inspection: InspectionEnvelope): Promise<Readonly<Record<string, string>>> {
  const html = renderHtml({ inspection, assessment: null }, NO_PICTURES, { generatedAt });
  const pdf = await readPdf(await print({ inspection, assessment: null }));
  return {
    terminal: printAnswer({ inspection }, { columns: 120 }),
    markdown: formatMarkdown({ inspection, assessment: null }, { failOn: 'none' }).replaceAll('\\', ''),
    html: html.replace(/<(style|script)[\s\S]*?<\/\1>/g, '').replace(/<[^>]+>/g, ' '),
    pdf: pdf.text,
  };
}

/** Every value of a pattern's first group, once. */
const findAll = (text: string, pattern: RegExp) => [
  ...new Set([...text.matchAll(pattern)].map(([, value]) => value)),
];

const CODES = [...DAMAGE_TYPES, ...DAMAGE_SUBTYPES].filter((code) => code.includes('_'));

/** Surfaces that a customer is given: without flags of a command line, and with who confirmed what. */
const FOR_CUSTOMERS: ReadonlySet<string> = new Set(['html', 'pdf']);

const countFindings = (results: InspectionEnvelope['data']['results']) =>
  (results?.damages.length ?? 0) + (results?.to_check.length ?? 0);

describe.each([...RESULTS, ['parts that are missing', missing] as const])(
  '%s: the surfaces agree',
  (_name, inspection) => {
    const { results } = inspection.data;
    const { review: decided } = inspection as {
      readonly review?: { readonly decisions: readonly { readonly damage_id: string }[] };
    };
    const confirmed = new Set(decided?.decisions.map((one) => one.damage_id));
    let surfaces: readonly [name: string, text: string][];
    beforeAll(async () => {
      surfaces = Object.entries(await renderAll(inspection));
    });

    it('on price, grade and number of places to check', () => {
      for (const pattern of [
        /about ([$€£¥][\d,]*\d)/g,
        /grade ([\d.]+) of 10/gi,
        /(\d+) places? to check/g,
      ]) {
        const said = surfaces.map(
          ([surface, text]) => [surface, findAll(text.replace(/\s+/g, ' '), pattern)] as const,
        );
        const values = new Set(said.flatMap(([, found]) => found));
        expect([String(pattern), Object.fromEntries(said), [...values].length <= 1]).toEqual([
          String(pattern),
          expect.anything(),
          true,
        ]);
      }
    });

    it('on the figures of the JSON: price, upper end, each part, grade, places to check', () => {
      const cost = results?.repair_cost;
      const isMixed = (results?.grade_basis.vehicles ?? 1) > 1;
      const isPriced = cost !== undefined && cost.items > 0 && !isMixed;
      const isGraded = results && !isMixed && results.grade_basis.code !== 'too_little_seen';
      const parts = (isPriced ? (results?.repair_lines ?? []) : []).filter(({ kind }) => kind === 'part');
      const wanted = [
        ...(isPriced
          ? [
              `about ${formatRoundMoney(cost.estimated, cost.currency)}`,
              `up to ${formatRoundMoney(cost.max, cost.currency)}`,
            ]
          : []),
        ...parts.map((line) => formatWholeMoney(line.cost, line.currency)),
        ...(isGraded ? [`grade ${results.condition_score}`] : []),
      ];
      for (const [surface, text] of surfaces) {
        const plain = text.replace(/[\s\u2060]+/g, ' ').replaceAll('*', '');
        expect([surface, wanted.filter((figure) => !plain.includes(figure))]).toEqual([surface, []]);
        expect([surface, / about [$€£¥]/.test(plain)]).toEqual([surface, isPriced]);
        const check = results?.to_check.length ?? 0;
        if (check > 0 && !isMixed) {
          const counted = plain.match(/\b(\d+) places?\b/)?.[1] ?? plain.match(/To check \((\d+)\)/)?.[1];
          expect([surface, counted]).toEqual([surface, String(check)]);
        }
      }
    });

    it('on the words for each damage, without codes and ids', () => {
      for (const [surface, text] of surfaces) {
        const plain = text.replace(/\s+/g, ' ').toLowerCase();
        const names = (results?.damages ?? []).map((one) => nameDamage({ ...one, part: one.location.part }));
        const stems = names.map((name) => name.replace(/(es|s)$/, ''));
        expect([surface, stems.filter((name) => !plain.includes(name))]).toEqual([surface, []]);
        expect([surface, CODES.filter((code) => plain.includes(code))]).toEqual([surface, []]);
        expect([surface, plain.match(/\b(dmg|chk)_\w+/g) ?? []]).toEqual([surface, []]);
        const degrees = text
          .match(/(minor|moderate|severe|critical)\)? missing part/gi)
          ?.filter((one) => !/M/.test(one));
        expect([surface, degrees ?? []]).toEqual([surface, []]);
        if (FOR_CUSTOMERS.has(surface))
          expect([surface, plain.match(/ --[a-z]+/g) ?? []]).toEqual([surface, []]);
      }
    });

    it('on who confirmed a damage, in place of how sure its photos are', () => {
      for (const [surface, text] of surfaces) {
        const certain = (results?.damages ?? []).filter((one) => confirmed.has(one.damage_id)).length;
        if (certain > 0)
          expect([surface, /confirmed/.test(text)]).toEqual([surface, FOR_CUSTOMERS.has(surface)]);
        expect([
          surface,
          (text.match(/\d+ % sure/g) ?? []).length <= countFindings(results) - certain,
        ]).toEqual([surface, true]);
      }
    });

    it('on the damages of the CSV', () => {
      const rows = parse(formatCsv({ inspection, assessment: null }, { failOn: 'none' }), {
        columns: true,
        bom: true,
      }) as object[];
      // A result without findings is one row all the same.
      expect(rows).toHaveLength(Math.max(1, countFindings(results)));
    });
  },
);
