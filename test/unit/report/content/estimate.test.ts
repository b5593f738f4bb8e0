import { describe, expect, it } from 'vitest';
import type { Result } from '../../../../src/contract/result.ts';
import { PART_NAMES } from '../../../../src/domain/parts.ts';
import type { Row, Section, Table } from '../../../../src/report/content/blocks.ts';
import { listReportSections } from '../../../../src/report/content/report.ts';
import { describeLossWarning } from '../../../../src/report/content/value.ts';
import translations from '../../../../src/report/data/translations.json' with { type: 'json' };
import { listFigures } from '../../../../src/report/headline.ts';
import { chooseLanguage, writeIn } from '../../../../src/report/languages.ts';
import { NO_PICTURES } from '../../../../src/report/pictures.ts';
import type { Translator } from '../../../../src/report/translator.ts';
import { assessed, TABLES } from '../../../helpers/pricing/assessments.ts';
import { exampleInspection } from '../../../helpers/results/example-inspection.ts';

const DENT = { damage_id: 'a', type: 'dent', location: 'rear_door_left', severity: 'moderate' };
const measurements = { length: 20, unit: 'cm' };
const HOOD = { damage_id: 'b', type: 'dent', location: 'hood', severity_score: 6, measurements };

/** Returns a section of a report in the language of its region. */
const findSection = (id: string, input: Result) =>
  listReportSections(input, NO_PICTURES, new Date(0), chooseLanguage(input)).find((one) => one.id === id);

/** Returns a section of an estimate without photos. */
const sectionOf = (id: string, request: Record<string, unknown>) =>
  findSection(id, { inspection: null, assessment: assessed(request) });

/** Returns the first table of a section. */
function tableOf(section: Section | undefined): Table {
  const [table] = section?.blocks ?? [];
  if (table?.kind !== 'table') throw new Error('a table is needed');
  return table;
}

const inRegion = (labor_rate_region: string, currency: string) => ({
  assessment_options: { labor_rate_region, currency },
});

/** Returns all texts of a section, cell by cell. */
function textsOf(section: Section | undefined): string[] {
  const rowTexts = ({ cells, note }: Row) => [
    ...cells.map((cell) => (typeof cell === 'string' ? cell : JSON.stringify(cell))),
    ...(note === undefined ? [] : [note]),
  ];
  return (section?.blocks ?? []).flatMap((block) =>
    block.kind === 'table' ? block.rows.flatMap(rowTexts) : 'text' in block ? [block.text] : [],
  );
}

describe('the report of an estimate without photos', () => {
  it('names the repairs of a wheel and of its fender next to their one price', () => {
    const dent = { ...DENT, location: 'front_fender_left', severity: 'severe' };
    const kind = { type: 'paint_damage', subtype: 'wheel_damage', severity: 'minor' };
    const wheel = { ...dent, ...kind, damage_id: 'w' };
    const texts = textsOf(sectionOf('damages', { damages: [wheel, dent] }));
    expect(texts.filter((text) => text.startsWith('Wheel refurb'))).toEqual([
      expect.stringMatching(/^Wheel refurbishment \+ Panel repair, together \$[\d,]+$/),
    ]);
    expect(texts).toContain('Panel repair with no. 1');
  });

  it.each([
    ['US_MIDWEST', 'USD', undefined],
    ['ASIA_JAPAN', 'JPY', 'Warnings'],
  ])('%s: has a section of warnings where there are any', (region, currency, title) => {
    expect(sectionOf('caveats', { damages: [DENT], ...inRegion(region, currency) })?.title).toBe(title);
  });

  it.each([
    ['US_MIDWEST', 'USD', '+$49 / −$170'],
    ['EU_GERMANY', 'EUR', '+50\u00a0€ / −171\u00a0€'],
  ])('%s: an adjustment of the bounds alone is a step of its own', (region, currency, step) => {
    const request = { damages: [DENT, HOOD], ...inRegion(region, currency) };
    expect(textsOf(sectionOf('estimate', request))).toContain(step);
  });

  const R_AND_I = { operation: 'R&I', hours: 1 };

  it.each([
    ['an accepted line', { line: 101, hours: 1.5 }, 'Hood', '101 *'],
    ['an accepted line of a panel without repair', { line: 102, hours: 1 }, 'Front fender, left', '102 *'],
    ['an added line', { add: { ...R_AND_I, part: 'hood' } }, 'Hood', '8 #'],
    ['an added line of a part without repair', { add: { ...R_AND_I, part: 'roof' } }, 'Whole vehicle', '8 #'],
  ])('lists its lines by panel, each once, the whole vehicle last, with %s', (_, edit, heading, number) => {
    const { rows } = tableOf(sectionOf('lines', { damages: [DENT, HOOD], line_edits: [edit] }));
    const headings = rows.filter(({ isGroupHeading }) => isGroupHeading).map(({ cells }) => cells[2]);
    expect(headings.slice(0, 2)).toEqual(['Hood', 'Rear door, left']);
    expect([new Set(headings).size, headings.at(-1)]).toEqual([headings.length, 'Whole vehicle']);
    const at = rows.findIndex(({ cells }) => cells[0] === number);
    const above = rows.slice(0, at).findLast(({ isGroupHeading }) => isGroupHeading);
    expect(above?.cells[2]).toBe(heading);
  });

  it('says a loss of value where a rule of the region gives one, and days in the singular', () => {
    const texts = (id: string, more: object) =>
      textsOf(sectionOf(id, { damages: [{ ...DENT, severity: 'minor' }], ...more }));
    const german = inRegion('EU_GERMANY', 'EUR');
    expect(texts('value', {})).toEqual(expect.arrayContaining(['1 working day', 'Value after']));
    expect(texts('options', {})[1]).toMatch(/safety none, value unchanged\.$/);
    expect(texts('options', german)[1]).toMatch(/^Auswirkung: .* Sicherheit keine\.$/);
    expect(texts('value', german).filter((text) => /^(Nicht geschätzt: |Wert nach)/.test(text))).toHaveLength(
      1,
    );
  });

  it.each([
    [2000, /^TOTAL LOSS\. Repair with tax, \$[\d,]+, is [\d.]+ % of \$2,000; the limit is 75 %\.$/],
    [5000, /^Near the total-loss threshold\. Repair with tax/],
    [30_000, null],
  ])('worth %i: says next to the price whether it is a total loss', (market_value, warning) => {
    const severe = { ...DENT, type: 'panel_damage', severity: 'critical' };
    const text = describeLossWarning(assessed({ damages: [severe], vehicle: { market_value } }));
    expect(text).toEqual(warning && expect.stringMatching(warning));
  });

  it('says just below the threshold by how much, as the figure of the first page does', () => {
    const assessment = assessed({
      damages: [{ ...DENT, type: 'dent', location: 'quarter_panel_left', severity_score: 6 }],
      vehicle: { market_value: 3797.49 },
      assessment_options: { labor_rate_region: 'US_NORTHEAST' },
    });
    expect(describeLossWarning(assessment)).toContain('is 74.98 % of $3,797; the limit is 75 %.');
    const note = (t?: Translator) => listFigures({ inspection: null, assessment }, undefined, t).at(-1)?.note;
    expect(note()).toBe('74.98 % of the value, the limit is 75 %');
    expect(note(writeIn('de'))).toBe('74,98\u00A0% des Werts; die Grenze ist 75\u00A0%');
  });
});

describe('the paper of the trade', () => {
  const damages = [
    DENT,
    { damage_id: 'b', type: 'crack', location: 'front_bumper', severity: 'critical' },
    { damage_id: 'c', type: 'headlight_damage', location: 'headlight_left', severity: 'severe' },
    { damage_id: 'd', type: 'scratch', location: 'front_door_left', severity: 'severe' },
  ];
  const sublet = { operation: 'Subl', part: 'wheel_alignment', price: 120, tax_class: 'sublet' };
  const listLines = (region: string, currency: string) =>
    sectionOf('lines', { damages, ...inRegion(region, currency), line_edits: [{ add: sublet }] });

  it.each([
    ['EU_GERMANY', 'EUR', ['Ersatzteile', 'Arbeitslohn', 'Lackierung', 'MwSt., 19\u00A0%', 'Summe netto']],
    ['EU_FRANCE', 'EUR', ['Pièces', "Main-d'œuvre", 'Peinture', 'Total HT']],
    ['US_MIDWEST', 'USD', ['Body', 'Refinish', 'Parts', 'Paint materials', 'Sublet', 'As seen, net']],
  ])('%s: subtotals are those of its trade and add up to the net total', (region, currency, words) => {
    const table = tableOf(listLines(region, currency));
    const cents = (text: string) => Number(text.replace(/\D/g, '')) / 100;
    const amountOf = ({ cells }: Row) => cents(String(cells.at(-1)));
    const names = table.rows.map(({ cells }) => String(cells[2]).replace(/, [^/]*\/h.*$/, ''));
    const [labor = ''] = words.filter((word) => /^(Body|Arbeitslohn|Main)/.test(word));
    // The group of all labor holds PDR at a fixed price too.
    const rate = /^.*?, (?:(?:nach Zeit|au temps passé) |\$)\d/;
    const isLabor = ({ cells }: Row) => String(cells[2]).startsWith(`${labor}, `);
    expect(String(table.rows.find(isLabor)?.cells[2])).toMatch(rate);
    const isMaterial = ({ cells }: Row) => /, (Material|ingrédients) \d/.test(String(cells[2]));
    expect(table.rows.some(isMaterial)).toBe(region !== 'US_MIDWEST');
    expect(names).toEqual(expect.arrayContaining(words));
    const net = names.indexOf(words.at(-1) ?? '');
    const first = table.rows.findLastIndex(({ cells }) => cells[0] !== '') + 1;
    const subtotals = table.rows.slice(first, net).map(amountOf);
    expect(subtotals.reduce((sum, one) => sum + one, 0)).toBeCloseTo(amountOf(table.rows[net] as Row), 2);
  });

  it.each([
    ['fixed labor', { part: 'rear_door_left', price: 700 }, ['Computed: $270.25.']],
    ['nothing', { line: 'hood/rpr', hours: 7 }, []],
    ['hours', { line: 'hood/rpr', hours: 8 }, ['Computed: 7.0 h.']],
    ['an expected line', { line: 101, hours: 1.5 }, ['Computed: expected, and accepted by a person, 0.3 h.']],
  ])('notes the value before a change of %s', (_, edit, notes) => {
    const texts = textsOf(sectionOf('lines', { damages: [DENT, HOOD], line_edits: [edit] }));
    expect(texts.filter((text) => text.startsWith('Computed'))).toEqual(notes);
  });

  it('marks judgment time, what a person added and where parts come from', () => {
    const { rows } = tableOf(listLines('EU_GERMANY', 'EUR'));
    const find = (operation: string, part: string) =>
      rows.find(({ cells }) => cells[1] === operation && String(cells[2]).startsWith(part))?.cells;
    expect(find('Rpr', 'Tür vorn links')?.[0]).toMatch(/^\d+ \*$/);
    expect(find('Subl', 'Achsvermessung')?.[0]).toMatch(/^\d+ #$/);
    expect(find('R&R', 'Stoßfänger vorn')?.[2]).toBe('Stoßfänger vorn, OEM');
    const legend = textsOf(listLines('EU_GERMANY', 'EUR')).find((text) => text.startsWith('* '));
    expect(legend).toContain('R&R Ersetzen');
  });

  it('every part that a line may name has German and French words with their source', () => {
    const { parts, associated, operations } = TABLES;
    const sided = (part: string) => /^(headlight|taillight)s?$/.test(part);
    const named = [
      ...PART_NAMES,
      ...parts.components.map((one) => one.component),
      ...parts.equipment.flatMap(({ sublet }) => sublet?.part ?? []),
      ...associated.rows.map(({ part }) => part).filter((part) => !sided(part)),
      ...Object.values(operations).flatMap((row) =>
        typeof row === 'object' && 'consumable' in row ? String(row.consumable) : [],
      ),
      ...TABLES.regions.rows.flatMap(({ fees = [] }) => fees.map(({ name }) => name)),
    ];
    const words: Readonly<Record<string, readonly string[]>> = translations.parts;
    expect(named.filter((part) => words[part]?.length !== 3)).toEqual([]);
    const sources = Object.values(words).map(([, , source = '']) => source);
    expect(sources.filter((source) => !(source in translations.sources))).toEqual([]);
  });

  it('a line says how many and on which photos, where there is something to say', () => {
    const inspection = exampleInspection();
    const [find] = inspection.data.results?.damages ?? [];
    const size = { ...measurements, length: 2 };
    const hail = { ...DENT, damage_id: 'hail', location: 'roof', measurements: size, count: 40 };
    const assessment = assessed({ damages: [{ ...DENT, damage_id: find?.damage_id }, hail] });
    const rowsOf = (result: Result) => {
      const table = tableOf(findSection('lines', result));
      const titles = table.columns.map(({ title }) => title);
      return table.rows.map(({ cells }) => Object.fromEntries(titles.map((title, i) => [title, cells[i]])));
    };
    const rows = rowsOf({ inspection, assessment });
    const numbers = find?.evidence.map((one) => one.image_index + 1).join(', ');
    const row = (part: string) => rows.find((one) => one['Op.'] === 'PDR' && one.Part === part);
    expect(row('Rear door, left')).toMatchObject({ Qty: '', Photo: numbers });
    expect(row('Roof')).toMatchObject({ Qty: '40', Photo: '' });
    expect(rowsOf({ inspection: null, assessment })[0]).not.toHaveProperty('Photo');
    const [single] = rowsOf({ inspection: null, assessment: assessed({ damages: [DENT] }) });
    expect(single).not.toHaveProperty('Qty');
  });
});
