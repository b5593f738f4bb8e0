import { describe, expect, it } from 'vitest';
import type { InspectionEnvelope } from '../../../src/contract/inspection.ts';
import type { Result } from '../../../src/contract/result.ts';
import { OPERATIONS } from '../../../src/domain/repair.ts';
import { listReasonWords } from '../../../src/engine/assess/present-option.ts';
import { describeCoverage } from '../../../src/report/content/coverage.ts';
import capture from '../../../src/report/data/capture-translations.json' with { type: 'json' };
import translations from '../../../src/report/data/translations.json' with { type: 'json' };
import { renderHtml } from '../../../src/report/html/html-report.ts';
import { chooseLanguage, writeIn } from '../../../src/report/languages.ts';
import { NO_PICTURES } from '../../../src/report/pictures.ts';
import { listPartLines } from '../../../src/report/repair-lines.ts';
import { listNames } from '../../../src/report/translator.ts';
import { assessed, TABLES } from '../../helpers/pricing/assessments.ts';
import { generatedAt, print, readPdf } from '../../helpers/reports/read-pdf.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';
import { ONE, review } from '../../helpers/results/reviewed-result.ts';
import { divide } from '../../helpers/results/two-vehicles.ts';

const REGIONS = { EU_GERMANY: 'Germany', EU_FRANCE: 'France' } as const;
type Region = keyof typeof REGIONS;
const COLUMN = { EU_GERMANY: 0, EU_FRANCE: 1 } as const;

/** Returns an inspection and its assessment in a region. */
function resultIn(code: Region): Result {
  const inspection = exampleInspection({ damages: 4, photos: 3, toCheck: 2, currency: 'EUR', rich: false });
  Object.assign(inspection.data.region ?? {}, { code, name: REGIONS[code] });
  const damages = inspection.data.results?.damages.map(({ damage_id, severity, type, subtype, location }) => {
    return { damage_id, severity, type: subtype ?? type, location: location.part };
  });
  const assessment_options = { labor_rate_region: code, currency: 'EUR' };
  return { inspection, assessment: assessed({ damages, assessment_options }) };
}

/** Lists the lower-case words of a text; file names, ids and codes with figures are no words. */
const listWords = (text: string) =>
  text
    .split(/\s+/)
    .filter((token) => !/[\d_@]|\.\w/.test(token))
    .flatMap((token) => token.toLowerCase().match(/\p{L}{2,}/gu) ?? []);

/** English words of the table without those that the language also has, codes, and names of models and tables. */
function listEnglishWords(region: Region): ReadonlySet<string> {
  const { parts } = translations;
  const terms = { ...translations.texts, ...capture.texts, ...translations.stored };
  const own = [...Object.values(terms), ...Object.values(parts)].map((row) => row[COLUMN[region]] ?? '');
  const kept = new Set([...own, ...OPERATIONS, ...NAMES].flatMap(listWords));
  return new Set(
    Object.keys(terms)
      .flatMap(listWords)
      .filter((word) => !kept.has(word)),
  );
}

const NAMES = ['vehi-damage (damage) vehi-parts (parts) vehi-vehicle (vehicle)', 'regions refinish parts'];
const TABLE_NAMES = 'exchange-rates operations value associated spreads pdr';

/** Words that make up English sentences and are none of German and French. */
const ENGLISH: ReadonlySet<string> = new Set(
  listWords(
    'the of and with is are from by for this that it which were has have only each found left right rear door seen without no be',
  ),
);

const some = exampleInspection({ damages: 6, photos: 4, toCheck: 3, rich: false });
const reviewed = structuredClone(review([{ decision: 'accept', damage_id: ONE }]));
Object.assign(reviewed.data, { ...some.data, ...reviewed.data });
const failure = { code: 'NO_USABLE_PHOTOS', message: 'None of the photos can be used.' };

const RESULTS: readonly (readonly [string, InspectionEnvelope])[] = [
  ['damages and places to check', some],
  ['places to check only', exampleInspection({ damages: 0, photos: 4, toCheck: 3, rich: false })],
  ['several vehicles', divide(some)],
  ['a reviewed result', reviewed],
  ['a failed inspection', { ...some, data: { ...some.data, results: null, status: 'failed', failure } }],
];

/** Returns the visible text of an HTML report and of its labels. */
const readHtml = (html: string) =>
  html
    .replace(/<(style|script)>.*?<\/\1>/gs, '')
    .replace(/ (?:alt|aria-label|placeholder|title)="([^"]*)"/g, '>$1<')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&#39;', "'");

describe.each(Object.keys(REGIONS) as Region[])('a report of %s', (region) => {
  const input = resultIn(region);
  const english = new Set([...listEnglishWords(region)].filter((word) => !TABLE_NAMES.includes(word)));
  const { code, stored, word } = chooseLanguage(input);

  it('has no English word, a value on the line of its unit, and in French double marks set apart', async () => {
    const html = renderHtml(input, NO_PICTURES, { generatedAt });
    const pdf = await readPdf(await print(input));
    const text = `${readHtml(html)} ${pdf.text}`;
    expect([...new Set(listWords(text))].filter((word) => english.has(word))).toEqual([]);
    expect(html).toContain(`<html lang="${code}">`);
    expect(readHtml(html)).not.toMatch(code === 'fr' ? /\d %|\p{L}[:;] /u : /\d %/);
  }, 60_000);

  it.each(RESULTS)('has no word of an English sentence for %s', (_, inspection) => {
    const result = { inspection, assessment: null };
    const words = listWords(readHtml(renderHtml(result, NO_PICTURES, { generatedAt, language: code })));
    expect(words.filter((word) => ENGLISH.has(word))).toEqual([]);
  });

  it('has the reasons against each repair option', () => {
    const { operations } = TABLES;
    const rule = { ...operations.replace_rule, near_share: 0.8 };
    const reasons = Object.values(listReasonWords({ ...operations, replace_rule: rule }));
    expect(reasons.filter((reason) => stored(reason) === reason)).toEqual([]);
    expect(reasons.map(stored).filter((reason) => /\b80\s%/.test(reason))).toHaveLength(1);
  });

  it('has the colors of vehicles', () => {
    const colors = ['white or silver', 'gray', 'dark', 'green', 'blue', 'yellow', 'brown', 'red', 'purple'];
    expect(colors.filter((color) => word(color) === color)).toEqual([]);
  });
});

it.each(['front left side window', 'left front door', 'hood'])(
  'knows a part within a finished text: %s',
  (part) => {
    expect(writeIn('de').stored(part)).not.toBe(part);
  },
);

it('begins what a repair row includes in lower case in French', () => {
  const input = resultIn('EU_GERMANY');
  const result = { inspection: null, assessment: input.assessment };
  const rows = listPartLines(result, chooseLanguage(input, 'fr')).filter(({ kind }) => kind !== 'part');
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.filter(({ words }) => /^\p{Lu}/u.test(words))).toEqual([]);
});

it('writes titles and sides of the vehicle as their language does within a line', () => {
  const french = renderHtml(resultIn('EU_FRANCE'), NO_PICTURES, { generatedAt });
  expect(french).toMatch(/<title>[^<]+\u00A0: [^<]+<\/title>/);
  const { inspection } = structuredClone(resultIn('EU_GERMANY'));
  Object.assign(inspection?.data.results?.grade_basis ?? {}, { sides_missing: ['rear', 'left'] });
  const coverage = describeCoverage({ inspection, assessment: null }, writeIn('de'));
  const vehicle = { make: 'Volkswagen', model: 'Golf', year: 2019 };
  Object.assign(inspection?.data ?? {}, { vehicle });
  const german = renderHtml({ inspection, assessment: null }, NO_PICTURES, { generatedAt });
  expect(german).toContain('<h1>Volkswagen Golf 2019</h1>');
  expect(coverage).toMatch(/\(nicht: hinten und linke Seite\)$/);
});

it.each([
  ['de', 2, 'IMG_1.5.jpg, IMG_2.jpg und 1 weitere'],
  ['fr', 1, 'IMG_1.5.jpg et 2 autres'],
  ['fr', 2, 'IMG_1.5.jpg, IMG_2.jpg et 1 autre'],
] as const)('counts the photos that a sentence does not name: %s, %i', (code, most, words) => {
  expect(listNames(['IMG_1.5.jpg', 'IMG_2.jpg', 'IMG_3.jpg'], most, writeIn(code))).toBe(words);
});

it.each([
  ['$1,234.56', '1.234,56\u00A0$', '1\u00A0234,56\u00A0$'],
  ['−€1,708 to −€768', '−1.708\u00A0€ bis −768\u00A0€', '−1\u00A0708\u00A0€ à −768\u00A0€'],
  ['€1,448–13,219', '1.448–13.219\u00A0€', '1\u00A0448–13\u00A0219\u00A0€'],
  ['4, 5, 14', '4, 5, 14', '4, 5, 14'],
  ['2026-06-01 12:00 UTC', '01.06.2026 12:00 UTC', '01/06/2026 12:00 UTC'],
  ['~31.5 × 2 ±9 cm', '~31,5 × 2 ±9\u00A0cm', '~31,5 × 2 ±9\u00A0cm'],
])('the figure %s', (english, german, french) => {
  expect(writeIn('de').figure(english)).toBe(german);
  expect(writeIn('fr').figure(english)).toBe(french);
});
