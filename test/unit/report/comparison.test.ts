import { describe, expect, it, vi } from 'vitest';
import { CHANGES } from '../../../src/domain/compare/changes.ts';
import { area, intersection } from '../../../src/domain/geometry.ts';
import {
  type ComparedPlace,
  type Comparison,
  compareVisits,
} from '../../../src/engine/compare/comparison.ts';
import { listCaveats } from '../../../src/report/compare/caveats.ts';
import {
  describeExtentAndCost,
  describeToRepeat,
  formatVisits,
  namePartAndDamage,
} from '../../../src/report/compare/comparison-words.ts';
import { type ComparisonPictures, chooseRegions } from '../../../src/report/compare/crops.ts';
import { explainPlace, formatScale } from '../../../src/report/compare/explain-place.ts';
import { documentComparison } from '../../../src/report/compare/sections.ts';
import { makeForm } from '../../../src/report/content/blocks.ts';
import { writeRepair } from '../../../src/report/content/repair.ts';
import { renderVisitsHtml } from '../../../src/report/html/comparison.ts';
import { writeIn } from '../../../src/report/languages.ts';
import { COLOR } from '../../../src/report/palette.ts';
import { drawBox } from '../../../src/report/pdf/sections/boxed-photo.ts';
import { drawPair } from '../../../src/report/pdf/sections/pair.ts';
import { drawForm } from '../../../src/report/pdf/sections/small-blocks.ts';
import { Sheet } from '../../../src/report/pdf/sheet.ts';
import { renderComparisonTable } from '../../../src/report/text/comparison.ts';
import { english } from '../../../src/report/translator.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';

const NO_CROPS: ComparisonPictures = { before: new Map(), after: new Map() };
const sectionOf = (id: string, comparison: Comparison, pictures = NO_CROPS) =>
  documentComparison(comparison, pictures)
    .write(english)
    .sections.find((one) => one.id === id);

const before = exampleInspection({ damages: 12, photos: 6 });
const compare = (one: typeof before, other: typeof before) =>
  compareVisits({ inspection: one }, { inspection: other }, null);

it('other limits are other models, unless an inspection was made before limits were recorded', async () => {
  const ruled = (rules?: string) => {
    const models = before.data.models.map((model) => ({ ...model, ...(rules && { rules_sha256: rules }) }));
    return { ...before, data: { ...before.data, models } };
  };
  const compared = await Promise.all(['a', 'b', undefined].map((rules) => compare(ruled('a'), ruled(rules))));
  const differs = compared.map(({ differences }) => differences.includes('other_models'));
  expect(differs).toEqual([false, true, false]);
});

it('damage that a person added to one of them may have been missed in the other', async () => {
  const review = { reviewed_at: '2026-01-31T12:00:00Z', decisions: [], photos_checked: [], not_reviewed: [] };
  const reviewed = { ...before, review };
  const said = async (...[first, second]: Parameters<typeof compare>) =>
    listCaveats(await compare(first, second)).find((one) => one.includes('reviewed by a person'));
  expect(await said(before, reviewed)).toContain('Only the later inspection');
  expect(await said(reviewed, before)).toContain('Only the earlier inspection');
  expect(await said(reviewed, reviewed)).toBeUndefined();
  expect(await said(before, before)).toBeUndefined();
});

it.each([
  ['no finding of the compared visit', COLOR.ink, true, COLOR.white, true],
  ['a finding of the compared visit', COLOR.ink, false, COLOR.white, true],
  ['a place to check', '#ffd84d', true, COLOR.ink, false],
])('the frame of %s is seen on any paint', (_, color, dashed, casing, isSolid) => {
  const calls: string[] = [];
  const get = (__: object, name: string) => (one: unknown) => {
    calls.push(name === 'strokeColor' ? String(one) : name);
    return doc;
  };
  const doc: object = new Proxy({}, { get: get as never });
  drawBox({ doc } as unknown as Sheet, { x: 0, y: 0, width: 40, height: 30 }, color, dashed);
  const drawn = calls.filter((one) => one.startsWith('#') || one === 'dash');
  const dashes = dashed ? ['dash'] : [];
  expect(drawn).toEqual(isSolid ? [casing, ...dashes, color] : ['dash', casing, 'dash', color]);
});

describe('what people read', () => {
  const [damage = expect.fail(), other = expect.fail()] = before.data.results?.damages ?? [];
  const [first = expect.fail(), second = expect.fail()] = before.data.images;
  const box = { x: 10, y: 10, width: 50, height: 40 };
  const boxes = { before: { photo: first, box }, after: { photo: second, box } };
  const place = (over: Partial<ComparedPlace>): ComparedPlace => ({
    row: '1',
    change: 'new',
    rule: 'not_there',
    before: null,
    after: damage,
    certain: true,
    boxes,
    inliers: 157,
    ...over,
  });
  const UNSEEN = { change: 'not_photographed', rule: 'part_not_seen', boxes: null } as const;
  const picture = { jpeg: Uint8Array.of(1), width: 4, height: 3 };
  const cropOf = (one: ComparedPlace, photo: typeof first) =>
    new Map([[one, { photo, box, closeUp: { picture, region: box } }]]);
  const writePage = (...of: Parameters<typeof documentComparison>) =>
    renderVisitsHtml(documentComparison(...of), { generatedAt: new Date(0) });
  const comparison = (places: readonly ComparedPlace[]): Comparison => ({
    before,
    after: { ...before, data: { ...before.data, created_at: '2026-11-27T09:30:00.000Z' } },
    places,
    counts: Object.fromEntries(
      CHANGES.map((change) => [change, places.filter((one) => one.change === change).length]),
    ) as Comparison['counts'],
    grade: { before: 4.2, onSamePlaces: 3.1 },
    copies: [],
    unreadable: [],
    differences: [],
  });

  it('a damage costs what the table of its inspection says', () => {
    const tables = JSON.stringify(writeRepair({ inspection: before, assessment: null }));
    const damages = before.data.results?.damages ?? [];
    const costs = damages.map((one) => /[$€][\d,]+/.exec(describeExtentAndCost(one, before))?.[0]);
    expect(costs.filter((cost) => !tables.includes(`"${cost}"`))).toEqual([]);
  });

  it('changes come first, what is unchanged is only counted', () => {
    const unchanged = place({ change: 'unchanged', rule: 'same_picture', before: damage });
    const open = place({ change: 'to_check', rule: 'to_check_on_both', before: damage, certain: false });
    const places = [
      place({}),
      place({ change: 'changed', rule: 'different', after: other }),
      ...Array(8).fill(unchanged),
      ...Array(4).fill(open),
      place({ ...UNSEEN, row: '13', after: null, before: other }),
    ];
    const text = renderComparisonTable(comparison(places), 0, 80);
    expect(text).toMatch(/^.*1 new, \$[\d,]+ · 1 changed · 0 repaired\n/);
    expect(text.indexOf('NEW  ')).toBeLessThan(text.indexOf('CHANGED  '));
    expect(text).toContain('8 damages are unchanged; 4 places are to check');
    expect(text).toContain('157 matching points');
    expect(text).toContain('Condition on the same places: 4.2 → 3.1');
    expect(text).toContain(`Photograph again: ${other.image_url.split('/').at(-1)} (13)`);
  });

  it.each([
    ['20 changed, 10 cannot tell, 10 not photographed', [20, 10, 10]],
    ['40 not photographed', [0, 0, 40]],
    ['40 changed', [40, 0, 0]],
  ] as const)('twenty lines at 80 columns: %s', (_, [changed, unclear, unseen]) => {
    const rows = (count: number, over: Partial<ComparedPlace>) =>
      Array.from({ length: count }, (__, at) => {
        const after = { ...damage, image_url: `photos/a_long_name_of_a_photo_${at}.jpg` };
        return place({ ...over, row: String(at + 1), after });
      });
    const places = [
      ...rows(changed, {}),
      ...rows(unclear, { change: 'cannot_tell', rule: 'unclear' }),
      ...rows(unseen, UNSEEN),
    ];
    const lines = renderComparisonTable(comparison(places), 0, 80).trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(20);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
    const shown = (word: string) => lines.filter((line) => line.includes(`${word}  `)).length;
    expect(shown(' NEW')).toBeGreaterThanOrEqual(Math.min(changed, 3));
    expect(shown('CANNOT TELL')).toBeGreaterThanOrEqual(Math.min(unclear, 2));
    expect(lines.some((line) => /^and \d+ more: /.test(line))).toBe(places.length > 10);
    // Continuation lines are indented, so each row is found by its number.
    for (const line of lines.slice(1, -3))
      expect(line).toMatch(/^(\d+ [A-Z]+|and \d+ more| {2}|Known|0 damages)/);
  });

  it('names the photos that could not be read, with the reason', () => {
    const reason = 'a HEIC photo with decoding that takes longer than 20 s';
    const unreadable = [first, second].map((photo, at) => {
      return { visit: 'before' as const, photo: { ...photo, url: `photos/${at}.heic` }, reason };
    });
    const said = listCaveats({ ...comparison([place({})]), unreadable });
    expect(said).toEqual([
      expect.stringMatching(
        /^0\.heic, 1\.heic of the inspection before could not be read \(a HEIC photo .+ 20 s\): /,
      ),
    ]);
    expect(said.join()).not.toContain('no change can be reported');
  });

  it.each([
    'the file is missing or has changed',
    'a damaged or cut-off JPEG file',
    'a HEIC photo with decoding that takes longer than 20 s',
  ])('says in German that a photo could not be read: %s', (reason) => {
    const unreadable = [{ visit: 'before' as const, photo: first, reason }];
    expect(listCaveats({ ...comparison([]), unreadable }, writeIn('de')).join()).not.toContain(reason);
  });

  it.each([
    ['earlier', true, false],
    ['later', false, true],
    ['Each of the two', true, true],
  ])('names the inspection without a record: %s', (name, lacksBefore, lacksAfter) => {
    const record = { parts: [], cm_per_pixel: null, views: [] };
    const recorded = (lacks: boolean) => {
      const images = before.data.images.map(({ record: _, ...photo }) => ({
        ...photo,
        ...(!lacks && { record }),
      }));
      return { ...before, data: { ...before.data, images } };
    };
    const two = { before: recorded(lacksBefore), after: recorded(lacksAfter) };
    const [said] = listCaveats({ ...comparison([]), ...two, differences: ['no_record'] });
    expect(said).toMatch(new RegExp(`${name} inspections? has no record`));
  });

  it('each crop has its scale, and the overview says what one vehicle is assumed from', () => {
    const photo = { ...second, record: { parts: [], cm_per_pixel: 0.34, views: [] } };
    const one = place({});
    const pictures = { before: new Map(), after: cropOf(one, photo) };
    const section = sectionOf('side-by-side', comparison([one]), pictures);
    expect(JSON.stringify(section)).toContain('; 0.34 cm per pixel');
    const named = comparison([one]);
    const id = before.data.vehicle_id;
    expect(JSON.stringify(sectionOf('overview', named))).toContain(`vehicle is assumed from the id ${id}`);
    const other = { ...named, after: { ...named.after, data: { ...named.after.data, vehicle_id: 'B' } } };
    expect(JSON.stringify(sectionOf('overview', other))).toContain(`although the ids differ: ${id}, then B.`);
  });

  it.each([
    [0.045, '0.045', '0,045'],
    [1.26, '1.3', '1,3'],
  ])('a scale of %d keeps two significant digits', (scale, en, de) => {
    expect(formatScale(scale)).toBe(`${en} cm per pixel`);
    expect(formatScale(scale, writeIn('de'))).toBe(`${de}\u00a0cm je Pixel`);
  });

  const unseen = (row: string, url: string) =>
    place({ ...UNSEEN, row, before: { ...damage, image_url: `photos/${url}` }, after: null });

  it('photos to repeat are those of damage known before, each once with its rows', () => {
    const later = place({ row: '9', ...UNSEEN });
    const long = sectionOf('photograph', comparison([unseen('B2', `${'long_'.repeat(30)}.jpg`)]));
    expect(JSON.stringify(long)).toMatch(/View as in long_\w+…\w+\.jpg"/);
    const places = [unseen('B2', 'rear.jpg'), unseen('B4', 'left.jpg'), unseen('B6', 'rear.jpg'), later];
    const said = comparison(places);
    expect(describeToRepeat(said, 5)).toBe('Photograph again: rear.jpg (B2, B6), left.jpg (B4)');
    expect(describeToRepeat(said, 1)).toBe('Photograph again: rear.jpg (B2, B6) and 1 more');
    const section = sectionOf('photograph', said);
    expect(section?.blocks.flatMap((one) => ('sides' in one ? one.sides[1]?.caption : []))).toEqual(
      ['rear', 'left', 'rear'].map((name) => `View as in ${name}.jpg`),
    );
    // Nobody can photograph the earlier visit again: a row of its own says that no photo shows the place.
    const pairs = sectionOf('side-by-side', said);
    expect(JSON.stringify(pairs)).toContain('9. Not photographed: ');
    expect(JSON.stringify(pairs)).not.toContain('B2');
  });

  it.each([
    ['part_not_seen', 'not_photographed', 'not photographed'],
    ['no_same_view', 'cannot_tell', 'not photographed'],
    ['own_photo_unreadable', 'cannot_tell', 'cannot tell'],
  ] as const)('known damage by %s, %s, is %s; only what is unseen is repeated', (rule, change, words) => {
    const said = comparison([place({ rule, change, boxes: null, row: 'B1', before: damage, after: null })]);
    const table = renderComparisonTable(said, 0, 200);
    expect(table).toContain(`Known before: 1 ${words} (B${damage.number})`);
    expect(table.includes('Photograph again: ')).toBe(words === 'not photographed');
    expect(JSON.stringify(sectionOf('known', said))).toContain(`"${words}"`);
  });

  it('a place to check is named so once, and is a pair only where both visits show what the later one lists', () => {
    const open = { change: 'to_check', rule: 'unclear', certain: false } as const;
    const decided = { decision: 'was_there', instead: 'to_check' } as const;
    const places = [
      place({ row: '2', ...open }),
      place({ row: 'B3', ...open, before: other, after: null }),
      place({ row: '4', ...open, boxes: null, rule: 'no_same_view' }),
      place({ ...open, row: '5', change: 'unchanged', decided }),
    ];
    const said = comparison(places);
    const titles = (section: { blocks: readonly object[] } | undefined) =>
      section?.blocks.flatMap((one) => ('text' in one && /^\d/.test(String(one.text)) ? [one.text] : []));
    const name = namePartAndDamage(damage);
    expect(titles(sectionOf('side-by-side', said))).toEqual([
      `2. To check: ${name}`,
      `5. Unchanged: ${name} (to check)`,
    ]);
    expect(JSON.stringify(sectionOf('to-check', said)).match(/"(B3|4)"/g)).toEqual(['"4"', '"B3"']);
  });

  const gone = { before: damage, after: null };
  const onBoth = { before: damage };
  it.each<[ComparedPlace['rule'], Partial<ComparedPlace>, RegExp]>([
    ['not_there', {}, /^not there before: /],
    ['not_there', gone, /^gone after: /],
    ['same_picture', {}, /looks the same/],
    ['partly_absent', {}, /^part of it was not there before /],
    ['partly_absent', gone, /^part of it is gone after /],
    ['partly_absent', onBoth, /^part of it looks the same, and part differs/],
    ['different', onBoth, /^damage on both days, and the pictures differ/],
    ['unclear', onBoth, /^damage on both days; /],
    ['unclear', {}, /^the photos do not decide/],
    ['part_not_seen', { boxes: null }, /^not photographed before$/],
    ['no_same_view', { boxes: null }, /from this view$/],
    ['own_photo_unreadable', { boxes: null }, /^its own photo after could not be read$/],
    ['same_photo', {}, /have this photo$/],
  ])('says how %s is known, %#', (rule, over, wanted) => {
    const one = place({ rule, ...over });
    expect(explainPlace(one, comparison([one]))).toMatch(wanted);
  });

  it.each([
    ['2026-06-08T09:30:00.000Z', '2026-06-01 → 2026-06-08'],
    ['2026-06-01T17:05:00.000Z', '2026-06-01'],
  ])('the visits are named by their days, never by clock times: %s', (returned, wanted) => {
    const made = (at: string) => ({ ...before, data: { ...before.data, created_at: at } });
    const two = { before: made('2026-06-01T09:30:00.000Z'), after: made(returned) };
    expect(formatVisits({ ...comparison([]), ...two })).toBe(wanted);
  });

  it.each([
    ['two photos of one size', second.width, box, 1],
    ['a later photo from half the distance', second.width, { x: 30, y: 30, width: 100, height: 80 }, 2],
    ['a place at the corner of the later photo', second.width, { ...box, x: 0, y: 0 }, 1],
  ])('both crops show the same at one scale: %s', (_, width, later, scale) => {
    const regions = chooseRegions({
      before: { photo: first, box },
      after: { photo: { ...second, width }, box: later },
    });
    expect(regions.after.width / regions.before.width).toBeCloseTo(scale, 1);
    expect(regions.after.height / regions.before.height).toBeCloseTo(scale, 1);
    expect(intersection(regions.before, box)).toBe(area(box));
    expect(intersection(regions.after, later)).toBe(area(later));
  });

  it('the page holds every crop with how it is known, escapes names, and runs only its own script', () => {
    const one = place({});
    const named = comparison([one, place({ change: 'unchanged', rule: 'same_picture' })]);
    const after = { ...named.after, data: { ...named.after.data, vehicle_id: '<script>x' } };
    const page = writePage(
      { ...named, after },
      { before: cropOf(one, first), after: cropOf(one, { ...second, url: '<b>.jpg' }) },
    );
    expect(page.match(/data:image\/jpeg/g)).toHaveLength(2);
    expect(page).toContain('Not there before');
    expect(page).toContain('&lt;b&gt;.jpg');
    expect(page).not.toContain('<script>x');
    expect(page).toMatch(/script-src &#39;sha256-[^ ]+&#39;; base-uri &#39;none&#39;/);
    expect(page.match(/class="pair"/g)).toHaveLength(1);
    expect(page.match(/<option [^>]*>/g)).toHaveLength(4);
  });

  it('a row that one visit alone shows takes a small picture and both captions, in the PDF half the height', async () => {
    const one = place(UNSEEN);
    const page = writePage(comparison([one]), { before: new Map(), after: cropOf(one, second) });
    expect(page).toContain('class="pair one-sided"');
    expect(page.match(/class="crop"/g)).toHaveLength(1);
    expect(page).toContain('no photo shows the place');
    const side = (shown: boolean) => ({
      crop: shown ? { picture, region: box, box } : null,
      caption: '2026-06-01, rear.jpg: not listed',
      isListed: false,
    });
    const sheet = new Sheet({ pageSize: 'A4', title: '', author: '', created: new Date(0), language: 'en' });
    const measure = (...sides: ReturnType<typeof side>[]) =>
      sheet.measure(() => drawPair(sheet, sheet.root, sides));
    expect(measure(side(false), side(true))).toBeLessThanOrEqual(62);
    expect(measure(side(true), side(true))).toBeGreaterThan(100);
    await sheet.finish(() => undefined);
  });

  it('a person decides every row that is not as it was, and of one that the later visit does not list only that it was there', () => {
    const missing = place({ ...UNSEEN, row: 'B2', after: null, before: other });
    const decided = { decision: 'was_there', note: '"sheet"', instead: 'not_photographed' } as const;
    const free = { decision: 'not_chargeable', instead: 'new' } as const;
    const rows = [
      place({}),
      missing,
      { ...missing, row: 'B3', decided },
      place({ row: '4', change: 'unchanged' }),
      place({ row: '5', decided: free }),
    ];
    const page = renderVisitsHtml(documentComparison(comparison(rows), NO_CROPS), {
      generatedAt: new Date(0),
      language: 'de',
    });
    expect(page).toContain('>noch keine</output>');
    expect(renderComparisonTable(comparison(rows), 0, 80)).toMatch(
      /^B3 NOT PHOTOGRAPHED.*\n {2}decided by the reviewer: was there before \("sheet"\)\./m,
    );
    expect(page.match(/<li>\d+\./g)).toEqual(['<li>1.']);
    const said = page.match(/data-row="B?\d"|value="\w+"( selected)?|&quot;sheet&quot;/g);
    expect(said).toEqual([
      ...['data-row="1"', 'value="new"', 'value="was_there"', 'value="not_chargeable"'],
      ...['&quot;sheet&quot;', 'data-row="B3"', 'value="was_there" selected', '&quot;sheet&quot;'],
      ...['data-row="5"', 'value="new"', 'value="was_there"', 'value="not_chargeable" selected'],
      ...['data-row="B2"', 'value="was_there"'],
    ]);
  });

  it('a form of many rows to charge is continued on the next page, with the price at the end of each', async () => {
    const sheet = new Sheet({ pageSize: 'A4', title: '', author: '', created: new Date(0), language: 'en' });
    const put = vi.spyOn(sheet.text, 'put');
    const name = `12. Quarter panel, right, ${'chipped or peeling paint, '.repeat(3)}$1,235: charged`;
    drawForm(sheet, sheet.root, makeForm(Array(100).fill(name), english));
    const boxes = put.mock.calls.filter(([lines]) => lines.at(-1)?.endsWith('charged'));
    expect(boxes).toHaveLength(100);
    expect(Math.max(...put.mock.calls.map(([, , , y]) => y))).toBeLessThan(sheet.bottom);
    await sheet.finish(() => undefined);
  });

  it('prints names with control characters as text', () => {
    const url = 'photos/\u001b[31mred.jpg';
    const photo = { ...first, url };
    const rows = [place({ boxes: { ...boxes, before: { photo, box } } })];
    const { after, ...rest } = comparison(rows);
    const named = { ...after, data: { ...after.data, vehicle_id: 'V\u001b[2J' } };
    const unreadable = [{ visit: 'before', photo, reason: 'it is gone' }] as const;
    const text = renderComparisonTable({ ...rest, after: named, unreadable }, 0, 80);
    expect(text).toContain('[31mred.jpg');
    expect(text).not.toContain('\u001b');
  });

  it('says that there is nothing to compare', () => {
    expect(renderComparisonTable(comparison([]), 0, 80)).toContain('No damage and no place to check');
  });
});
