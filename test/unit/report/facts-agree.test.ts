// @module-tag slow: PDFs are set and read

import { beforeAll, describe, expect, it } from 'vitest';
import type { InspectionEnvelope } from '../../../src/contract/inspection.ts';
import type { RepairLine } from '../../../src/contract/repair.ts';
import { DAMAGE_SUBTYPES, DAMAGE_TYPES } from '../../../src/domain/damage.ts';
import { nameDamage } from '../../../src/domain/damage-words.ts';
import { writeIndexPage } from '../../../src/evidence/index-page.ts';
import { formatMoney, formatRoundMoney, formatWholeMoney } from '../../../src/report/figures.ts';
import { readReview } from '../../../src/report/stored-review.ts';
import { describePart } from '../../../src/report/words.ts';
import { assessed } from '../../helpers/pricing/assessments.ts';
import { printAnswer } from '../../helpers/reports/print-answer.ts';
import { type Page, print, readPdf } from '../../helpers/reports/read-pdf.ts';
import { listSaidTwice, readOutputs, stripMarkup, withPixels } from '../../helpers/reports/said-twice.ts';
import { exampleAssessment } from '../../helpers/results/example-assessment.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';
import { RESULTS } from '../../helpers/results/seven-results.ts';

const missing = structuredClone(RESULTS[0]?.[1]) as InspectionEnvelope;
for (const damage of [...(missing.data.results?.damages ?? []), ...(missing.data.results?.to_check ?? [])])
  Object.assign(damage, { type: 'panel_damage', subtype: 'missing_part', severity: 'severe' });

/** Finds whose close-ups leave the side open, as a scrape on a bumper does. */
const open = exampleInspection({ damages: 6, photos: 6, toCheck: 1 });
for (const damage of open.data.results?.damages.slice(0, 2) ?? []) {
  damage.detail = 'side uncertain: the close-up could be of the left or the right';
  damage.location.uncertain = 'side';
}

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

/** The page of an evidence file, which names the damages and no price. */
const renderEvidence = (inspection: InspectionEnvelope) =>
  stripMarkup(writeIndexPage({ inspected_at: '', packed_at: '', models: [] } as never, [], inspection));

/** Every value of a pattern's first group, once. */
const findAll = (text: string, pattern: RegExp) => [
  ...new Set([...text.matchAll(pattern)].map(([, value]) => value)),
];

const CODES = [...DAMAGE_TYPES, ...DAMAGE_SUBTYPES].filter((code) => code.includes('_'));

/** Surfaces that a customer is given: without flags of a command line, and with who confirmed what. */
const FOR_CUSTOMERS: ReadonlySet<string> = new Set(['html', 'pdf']);

const countFindings = (results: InspectionEnvelope['data']['results']) =>
  (results?.damages.length ?? 0) + (results?.to_check.length ?? 0);

const ALL = [...RESULTS, ['parts that are missing', missing], ['finds whose part is open', open]] as const;

describe.each(ALL)('%s: the surfaces agree', (_name, inspection) => {
  const { results } = inspection.data;
  const confirmed = new Set(readReview(inspection)?.decisions.map(({ corrected }) => corrected?.damage_id));
  let surfaces: readonly [name: string, text: string][];
  let verbose: string;
  /** Lines of each page of the PDF. */
  let pages: readonly (readonly string[])[];
  const parts = listParts(results?.repair_lines);
  const costs = parts.map((one) => one.cost).sort();
  beforeAll(async () => {
    const input = { inspection, assessment: null };
    const pdf = await readPdf(await print(input, 'A4', withPixels(input)));
    const { verbose: more, ...read } = await readOutputs(input, pdf.text);
    [verbose, surfaces] = [more, Object.entries(read)];
    pages = pdf.pages.map(listLines);
  });

  it('on the figures of the JSON, and on no other: price, upper end, each part, grade, places to check', () => {
    const cost = results?.repair_cost;
    const price = cost && cost.items > 0 ? formatRoundMoney(cost.estimated, cost.currency) : undefined;
    const isGraded = results && results.grade_basis.code !== 'too_little_seen';
    const check = String(results?.to_check.length ?? 0);
    const wanted = [
      ...(cost && price ? [`up to ${formatRoundMoney(cost.max, cost.currency)}`, ...costs] : []),
      ...(isGraded ? [`grade ${results.condition_score}`] : []),
    ];
    for (const [surface, text] of surfaces) {
      const plain = text.replace(/[\s\u2060]+/g, ' ').replaceAll('*', '');
      const others = [
        ...findAll(plain, /grade ([\d.]+) of 10/gi).filter((one) => one !== String(results?.condition_score)),
        ...findAll(plain, /(\d+) places? to check/g).filter((one) => one !== check),
      ];
      const missing = wanted.filter((figure) => !plain.includes(figure));
      const prices = findAll(plain, / about ([$€£¥][\d,]*\d)/g);
      expect({ surface, missing, prices, others }).toEqual({
        surface,
        missing: [],
        prices: price ? [price] : [],
        others: [],
      });
      const counted = plain.match(/\b(\d+) places?\b/)?.[1] ?? plain.match(/To check \((\d+)\)/)?.[1];
      if (check !== '0') expect([surface, counted]).toEqual([surface, check]);
    }
  });

  it('on saying no sentence twice', () => {
    for (const [surface, text] of [...surfaces, ['verbose', verbose] as const])
      expect([surface, ...listSaidTwice(text)]).toEqual([surface]);
  });

  it('on the words for each damage, without codes and ids', () => {
    for (const [surface, text] of [...surfaces, ['evidence', renderEvidence(inspection)] as const]) {
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
    const certain = (results?.damages ?? []).filter((one) => confirmed.has(one.damage_id)).length;
    for (const [surface, text] of surfaces) {
      if (certain > 0)
        expect([surface, text.includes('confirmed')]).toEqual([surface, FOR_CUSTOMERS.has(surface)]);
      const { length: sure } = text.match(/\d+ % sure/g) ?? [];
      expect(sure, surface).toBeLessThanOrEqual(countFindings(results) - certain);
    }
  });

  it('on the price of a part on every page of the PDF, and no other', () => {
    const [first = [], ...others] = pages;
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
    const repairs = (results?.repair_lines ?? []).map(({ action, cost, currency }) =>
      `${action} ${formatWholeMoney(cost, currency)}`.toLowerCase(),
    );
    const cards = others.flat().filter((line) => /^(Replace|Repair|Polish|Push|Touch)\D* \$/.test(line));
    expect(cards.filter((line) => !repairs.includes(line.toLowerCase()))).toEqual([]);
  });

  it('on the price of a part on the terminal, where a place to check has none', () => {
    const lines = printAnswer({ inspection }, { columns: 120 }).split('\n');
    const priced = lines.filter((line) => /^\d[\d ]* /.test(line));
    expect(priced.flatMap(listAmounts).sort()).toEqual(costs);
    const toCheck = lines.filter((line) => /^\d+\? /.test(line));
    expect(toCheck).toHaveLength(Math.min(5, results?.to_check.length ?? 0));
    expect(toCheck.flatMap(listAmounts)).toEqual([]);
  });
});

describe.each(RESULTS.filter(([name]) => /^(damages|another)/.test(name)))(
  '%s, assessed: the surfaces agree',
  (_name, inspection) => {
    const assessment = exampleAssessment(inspection);
    const { first_bill: bill, after_teardown: after = bill } = assessment.data.summary.repair_cost_summary;
    const price = formatRoundMoney(bill.estimated, bill.currency);
    const figures = [
      `up to ${formatRoundMoney(after.max, bill.currency)}`,
      formatWholeMoney(bill.estimated, bill.currency),
    ];

    it.each([
      ['with the inspection', { inspection, assessment }],
      ['alone', { inspection: null, assessment }],
    ])('on price, upper end, total and each part, %s', async (_with, input) => {
      const { verbose: _, ...surfaces } = await readOutputs(input);
      const rows = surfaces.terminal.split('\n').filter((line) => /^\d+ .*[$€£¥]\d/.test(line));
      const parts = rows.flatMap((row) => row.match(/[$€£¥][\d,]+/g) ?? []);
      expect(parts.length).toBeGreaterThan(0);
      for (const [surface, text] of Object.entries(surfaces)) {
        const plain = text.replace(/[\s\u2060]+/g, ' ').replaceAll('*', '');
        const missing = [...figures, ...parts].filter((figure) => !plain.includes(figure));
        const prices = findAll(plain, / about ([$€£¥][\d,]*\d)/g);
        expect({ surface, missing, prices }).toEqual({ surface, missing: [], prices: [price] });
      }
    });
  },
);

const HIT = [
  ['hood', 'scratch', 'moderate', 8],
  ['hood', 'dent', 'severe', 18],
  ['front_bumper', 'crack', 'severe'],
  ['headlight_left', 'headlight_damage', 'severe'],
  ['rear_bumper', 'scratch', 'minor', 6],
] as const;

it('every page of the PDF of an estimate says the price of a part of its JSON, and no other, in yen', async () => {
  const options = { labor_rate_region: 'ASIA_JAPAN', currency: 'JPY' };
  const damages = HIT.map(([location, type, severity, length], i) => {
    const size = length && { measurements: { length, unit: 'cm' } };
    return { damage_id: `d${i}`, location, type, severity, ...size };
  });
  const assessment = assessed({ damages, assessment_options: options });
  const parts = listParts(assessment.data.estimate.repair_lines);
  const { pages } = await readPdf(await print({ inspection: null, assessment }));
  const lines = pages.flatMap(listLines);
  expect(parts).toHaveLength(4);
  for (const { name, cost } of parts) {
    const rows = lines.filter((line) => new RegExp(`(^| )\\d[\\d ]* ${name} `).test(line));
    // On page one, where the plan may stand on the same height, and in the table of damages.
    expect([name, ...rows.flatMap(listAmounts)]).toEqual([name, cost, cost]);
  }
  const chosen = lines.filter((line) => line.startsWith('✓')).map((line) => listAmounts(line)[2]);
  const wanted = damages.map(
    ({ damage_id: id }) => parts.find(({ damageIds }) => damageIds.includes(id))?.cost,
  );
  expect(chosen).toEqual(wanted);
});

it('an estimate says no sentence twice', async () => {
  const assessment = assessed({ damages: [{ damage_id: 'd', type: 'dent', location: 'hood' }] });
  const outputs = Object.entries(await readOutputs({ inspection: null, assessment }));
  expect(outputs.filter(([, text]) => listSaidTwice(text).length > 0)).toEqual([]);
});
