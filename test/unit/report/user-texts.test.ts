// @module-tag slow: PDFs are set and read
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { parseAst } from 'vite';
import { describe, expect, it } from 'vitest';
import type { InspectionEnvelope } from '../../../src/contract/inspection.ts';
import type { Result } from '../../../src/contract/result.ts';
import { LANGUAGES } from '../../../src/domain/language.ts';
import { compareVisits } from '../../../src/engine/compare/comparison.ts';
import { decideRows } from '../../../src/engine/compare/decide-rows.ts';
import { documentChecklist, documentComparison } from '../../../src/report/compare/sections.ts';
import capture from '../../../src/report/data/capture-translations.json' with { type: 'json' };
import translations from '../../../src/report/data/translations.json' with { type: 'json' };
import { formatMarkdown } from '../../../src/report/formats/markdown.ts';
import { renderVisitsHtml } from '../../../src/report/html/comparison.ts';
import { renderHtml } from '../../../src/report/html/html-report.ts';
import { writeIn } from '../../../src/report/languages.ts';
import { renderVisitsPdf } from '../../../src/report/pdf/comparison.ts';
import { renderPdf } from '../../../src/report/pdf/pdf-report.ts';
import { NO_PICTURES } from '../../../src/report/pictures.ts';
import { assessed } from '../../helpers/pricing/assessments.ts';
import { printAnswer } from '../../helpers/reports/print-answer.ts';
import { generatedAt, readPdf } from '../../helpers/reports/read-pdf.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';

const SOURCES = [translations.texts, capture.texts, translations.stored, translations.parts];
/** Words that the reports translate, so that a text of a user that passes through a translation shows it. */
const TRANSLATED = SOURCES.flatMap(Object.keys)
  .flatMap((text) => text.match(/[A-Za-z]{3,}/g) ?? [])
  .filter((word) => word.length < 12);

const word = fc.oneof(
  fc.constantFrom(...TRANSLATED),
  fc.constantFrom('KIA', 'Müller', '2019', '1,234', 'of', 'and', 'no.', 'front', 'left', '$12', '80 %'),
);
/** A text that a user may type: one to three words with the punctuation that the reports use themselves. */
const userText = fc
  .tuple(
    word,
    fc.array(fc.tuple(fc.constantFrom(' ', ', ', ': ', ' of ', '; ', ' (', '. '), word), { maxLength: 2 }),
  )
  .map(([first, others]) => [first, ...others.flat()].join(''))
  // Both ends are trimmed of what the renderers may move to another line.
  .map((text) => text.replace(/[\s.,;:(]+$/, ''));
const fileName = userText.map(
  (text) =>
    `${text
      .replace(/[\\/?#]/g, '')
      .slice(0, 30)
      .trim()}.jpg`,
);

const FIELDS = [
  ...(['vehicle', 'claim', 'policy', 'insured', 'inspector', 'lossKind', 'plate', 'paintCode'] as const),
  ...(['make', 'model', 'reviewer', 'note', 'reason', 'photo'] as const),
];
type UserTexts = Readonly<Record<(typeof FIELDS)[number], string>>;
const userTexts = fc.record({
  ...Object.fromEntries(FIELDS.map((field) => [field, userText])),
  photo: fileName,
}) as fc.Arbitrary<UserTexts>;

/** A result with texts of a user in every field that takes one. */
function writeInto(texts: UserTexts): Result {
  const photoUrl = (index: number) => (index === 0 ? texts.photo : 'second.jpg');
  const shape = { damages: 2, photos: 2, toCheck: 1, rich: false, vehicleId: texts.vehicle, photoUrl };
  const inspection = exampleInspection(shape);
  const [damage = expect.fail()] = inspection.data.results?.damages ?? [];
  const { insured, inspector, make, model, plate, note, reviewer, reason } = texts;
  const file = { claim_number: texts.claim, policy_number: texts.policy, loss_kind: texts.lossKind };
  const vehicle = { make, model, plate, paint_code: texts.paintCode };
  const decision = { decision: 'change', damage_id: damage.damage_id, note };
  const decisions = [{ ...decision, original: damage, corrected: damage }];
  const reviewed_at = '2026-11-20T09:00:00.000Z';
  const review = { reviewed_at, reviewer, decisions, photos_checked: [], not_reviewed: [] };
  const assessment = assessed({
    vehicle_id: texts.vehicle,
    damages: [{ damage_id: damage.damage_id, type: 'dent', location: 'hood', severity: 'severe' }],
    line_edits: [{ line: 'hood/rpr', hours: 2.5, reason }],
  });
  const data = { ...inspection.data, claim: { ...file, insured, inspector }, vehicle };
  return { inspection: { ...inspection, review, data } as InspectionEnvelope, assessment };
}

/** The texts without white space, which each renderer sets for itself. */
const join = (text: string) => text.replace(/[\s\u2060]+/g, '');
const readHtml = (html: string) => html.replace(/<[^>]*>/g, '').replaceAll('&#39;', "'");

const listMissing = (text: string, texts: Partial<UserTexts>) =>
  Object.values(texts).filter((one) => !join(text).includes(join(one)));

describe.each(LANGUAGES)('what users typed stands as they typed it, in %s', (language) => {
  const options = { generatedAt, language, pageSize: 'A4' } as const;
  const pictures = { before: new Map(), after: new Map() };

  /** Renders the report, the comparison of its inspection with itself and the list before a return. */
  const render = async (texts: UserTexts, form: 'html' | 'pdf') => {
    const input = writeInto(texts);
    const inspection = input.inspection ?? expect.fail();
    const compared = await compareVisits({ inspection }, { inspection }, null);
    const [row] = compared.places;
    const number = String(row?.after?.number ?? row?.before?.number);
    const comparison = decideRows(compared, [[number, { decision: 'new', note: texts.note }]]);
    const visits = [
      documentComparison(comparison, pictures),
      documentChecklist(inspection, new Map(), undefined),
    ];
    if (form === 'html') {
      const pages = [renderHtml(input, NO_PICTURES, options)];
      return [...pages, ...visits.map((one) => renderVisitsHtml(one, options))].map(readHtml);
    }
    const files = [
      renderPdf(input, NO_PICTURES, options),
      ...visits.map((one) => renderVisitsPdf(one, options)),
    ];
    return Promise.all(files.map(async (file) => (await readPdf(await file)).text));
  };

  it.each([
    ['html', 4],
    ['pdf', 1],
  ] as const)(
    'as %s',
    async (form, numRuns) => {
      await fc.assert(
        fc.asyncProperty(userTexts, async (texts) => {
          const [report = '', compared = '', checklist = ''] = await render(texts, form);
          const { vehicle, photo, note } = texts;
          expect(listMissing(report, texts)).toEqual([]);
          expect(listMissing(compared, { vehicle, photo, note })).toEqual([]);
          expect(listMissing(checklist, { vehicle, photo })).toEqual([]);
        }),
        { numRuns, seed: 57 },
      );
    },
    120_000,
  );
});

/** Texts that Markdown has no place for. */
const UNNAMED: readonly string[] = ['reviewer', 'note', 'reason', 'photo'];

it('terminal and Markdown say what users typed as they typed it', () => {
  fc.assert(
    fc.property(userTexts, (texts) => {
      const input = writeInto(texts);
      const terminal = printAnswer({ inspection: input.inspection }, { columns: 400 });
      expect(listMissing(terminal, { vehicle: texts.vehicle })).toEqual([]);
      const named = Object.entries(texts).filter(([field]) => !UNNAMED.includes(field));
      const markdown = formatMarkdown(input, { failOn: 'none' }).replaceAll('\\', '');
      expect(listMissing(markdown, Object.fromEntries(named))).toEqual([]);
    }),
    { numRuns: 8, seed: 59 },
  );
});

interface Syntax {
  readonly type: string;
  readonly tag?: { readonly name?: string };
  readonly quasi?: { readonly quasis: readonly { readonly value: { readonly cooked: string } }[] };
}

/** Lists the templates of a translator `t` in a syntax tree, each value as `{}`. */
function listTemplates(node: object): readonly string[] {
  const { type, tag, quasi } = node as Syntax;
  const own = type === 'TaggedTemplateExpression' && tag?.name === 't' ? (quasi?.quasis ?? []) : [];
  const key = own.map(({ value }) => value.cooked.replaceAll('\u00A0', ' ')).join('{}');
  const inner = Object.values(node).flatMap((one) =>
    typeof one === 'object' && one !== null ? listTemplates(one) : [],
  );
  return own.length > 0 ? [key, ...inner] : inner;
}

it('every template of the reports has a row', () => {
  const rows = new Set(Object.keys({ ...translations.texts, ...capture.texts }));
  const files = execFileSync('git', ['ls-files', 'src/report/*.ts', 'src/web/capture/*.tsx'], {
    encoding: 'utf8',
  })
    .trim()
    .split('\n');
  const keys = files.flatMap((file) =>
    listTemplates(parseAst(readFileSync(file, 'utf8'), { lang: file.endsWith('x') ? 'tsx' : 'ts' })),
  );
  expect(keys.length).toBeGreaterThan(250);
  expect(keys.filter((key) => !rows.has(key) && !rows.has(key.replace(/\.$/, '')))).toEqual([]);
});

describe.each(['de', 'fr'] as const)('in %s', (language) => {
  const column = { de: 0, fr: 1 }[language];
  const t = writeIn(language);

  it('a sentence that stands finished in a result is translated whole or not at all', () => {
    expect(t.stored('looks like front left.jpg')).toMatch(/ front left\.jpg$/);
    expect(t.stored('Found on the left. Front door.')).toBe('Found on the left. Front door.');
  });

  it('every row has a translation with the placeholders of its text', () => {
    const rows = Object.entries({ ...translations.texts, ...capture.texts, ...translations.stored });
    const count = (text: string) => text.match(/\{.?\}/g)?.length ?? 0;
    const wrong = rows.filter(([english, row]) => {
      const own = row[column] ?? '';
      return own === '' || [...own.matchAll(/\{(\d)\}/g)].some(([, at]) => Number(at) > count(english));
    });
    expect(wrong).toEqual([]);
  });
});
