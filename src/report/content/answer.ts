import type { AssessmentEnvelope } from '../../contract/assessment/assessment.ts';
import type { Result } from '../../contract/result.ts';
import { READ_WARNINGS } from '../../domain/read-facts.ts';
import { formatCount } from '../../lib/format-count.ts';
import { compact } from '../../lib/lists.ts';
import { escapeName } from '../../lib/names.ts';
import { listClaimWarnings, listReadFacts } from '../facts.ts';
import { describeConversion, formatWholeMoney } from '../figures.ts';
import { formatFindingNumber, listDamageRows, listToCheckRows, readVehicleId } from '../finding-rows.ts';
import { describeMissingGrade, GIVE_VALUE, listFigures, sayNoDamage } from '../headline.ts';
import { describeNextPhotos } from '../next-photos.ts';
import { describePhotoRemarks, selectWarnings } from '../photo-issues.ts';
import { describeFindings } from '../repair-lines.ts';
import { english, type Say } from '../say.ts';
import { splitVehicles, type VehiclePart } from '../vehicles.ts';
import { describeFindingPart, describePartInText, describeSubject, isMixed } from '../words.ts';
import { type Figure, makeFigures, makeParagraph, type Section, tabulate, textColumn } from './blocks.ts';
import { type AnswerDetail, listVerboseSections, writeAssessmentSections } from './details.ts';
import { makePhotoNames, writeRepair, writeToCheckTable } from './repair.ts';
import { describeLossWarning } from './value.ts';
import { titleVehicle, writeVehicles, writeVehicleTable } from './vehicles.ts';

/** Lists the sections of the terminal answer: head, repair and cost, places to check, figures last. */
export function listAnswerSections(input: Result, detail: AnswerDetail): readonly Section[] {
  const { inspection, assessment } = input;
  const vehicles = splitVehicles(input);
  if (vehicles.length > 0) return listVehicleSections(input, vehicles, detail);
  const loss = describeLossWarning(assessment);
  const results = inspection?.data.results;
  const isMixedResult = results ? isMixed(results) : false;
  const figures = listFigures(input, detail.next).map((one) =>
    one.value === GIVE_VALUE && !detail.options ? { ...one, note: '--market-value 15000' } : one,
  );
  const isClean =
    results && !isMixedResult && listDamageRows(input).length + listToCheckRows(input).length === 0;
  if (isClean && !detail.verbose) return [writeClean(input, figures)];
  return compact([
    isMixedResult ? writeVehicles(input, english, ONE_VEHICLE) : writeHead(input),
    isMixedResult ? writeFindings(input) : writeRepair(input, { showsHours: inspection === null }),
    !detail.quiet && !isMixedResult && writeToCheckTable(input, { all: detail.all }),
    ...(assessment && !isMixedResult ? writeAssessmentSections(input, assessment, detail) : []),
    ...(detail.verbose ? listVerboseSections(input) : []),
    !detail.quiet && makeNotes(listNotes(input, isMixedResult, detail.verbose)),
    figures.length > 0 && {
      id: 'figures',
      title: '',
      blocks: compact([loss && makeParagraph(loss, 'warning'), makeFigures(figures)]),
    },
  ]);
}

/** Lists the sections of several vehicles: their photos, one block each, and a table of their figures last. */
function listVehicleSections(
  input: Result,
  vehicles: readonly VehiclePart[],
  detail: AnswerDetail,
): readonly Section[] {
  const blocks = vehicles.flatMap((part) => {
    const { next: _, ...own } = detail;
    const sections = listAnswerSections(part, own).filter(({ id }) => id !== 'notes');
    return sections.map((section, index) =>
      index === 0 ? { ...section, title: titleVehicle(part, vehicles.length) } : section,
    );
  });
  const notes = detail.quiet
    ? null
    : makeNotes([
        ...vehicles.slice(0, 1).flatMap((part) => describePrices(part)),
        ...(detail.verbose ? [] : listRemarks(input)),
      ]);
  return compact([writeVehicles(input, english, ONE_VEHICLE), ...blocks, notes, writeVehicleTable(input)]);
}

/** Builds the head: vehicle, photos and coverage, and the reason if there is no result. */
function writeHead(input: Result): Section {
  const { inspection, assessment } = input;
  const missingGrade = describeMissingGrade(inspection?.data);
  const read = listReadFacts(input);
  const facts = inspection
    ? [formatCount(inspection.data.images.length, 'photo'), describeCoverage(input)]
    : [describeRates(input), describeOtherCurrency(assessment?.meta)];
  return {
    id: 'head',
    title: '',
    blocks: compact([
      makeParagraph(compact([escapeName(readVehicleId(input)), ...facts]).join(' · ')),
      inspection?.data.partial && makeParagraph('Interrupted: not every photo was analyzed.', 'warning'),
      ...listClaimWarnings({ inspection, assessment }).map((text) => makeParagraph(`${text}.`, 'warning')),
      read.length > 0 && makeParagraph(read.map((fact) => fact.join(' ')).join(' · ')),
      missingGrade && makeParagraph(missingGrade, 'warning'),
    ]),
  };
}

/** Builds the whole answer for an undamaged vehicle: head, what was not assessed, and the grade. */
function writeClean(input: Result, figures: readonly Figure[]): Section {
  const notes = listNotes(input, false);
  const head = writeHead(input);
  return {
    ...head,
    blocks: compact([
      ...head.blocks,
      makeParagraph([sayNoDamage(), ...notes.slice(0, 1)].join(' ')),
      notes.length > 1 && makeParagraph(notes.slice(1).join(' '), 'soft'),
      makeFigures(figures),
    ]),
  };
}

/** Unseen parts listed by name; the others are counted. */
const MAX_UNSEEN = 3;

/** Formats the coverage, `22 of 23 parts seen (not the roof)`; many unseen parts are replaced by incomplete sides. */
export function describeCoverage({ inspection }: Result, say: Say = english): string {
  const results = inspection?.data.results;
  if (!results || results.coverage.of === 0) return '';
  const { seen, of, parts } = results.coverage;
  const sides = results.grade_basis.sides_missing.map((side) => say.inText(describeSubject(side, say)));
  const unseen = parts
    .filter(({ status }) => status !== 'seen')
    .map(({ part }) => describePartInText(part, say));
  const names = unseen.length <= MAX_UNSEEN || sides.length === 0 ? unseen : sides;
  const shown = names.slice(0, MAX_UNSEEN);
  const omitted = names.length - shown.length;
  const list = [...shown.map((one) => say`the ${one}`), ...(omitted > 0 ? [say`${omitted} more`] : [])];
  return list.length === 0
    ? say`${seen} of ${of} parts seen`
    : say`${seen} of ${of} parts seen (not ${joinWords(list, say)})`;
}

function joinWords(words: readonly string[], say: Say): string {
  return words.length < 2 ? words.join('') : say`${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
}

const ONE_VEHICLE = 'If they show one vehicle, use --one-vehicle.';

/** Builds the table of findings without prices. */
function writeFindings(input: Result): Section | null {
  const rows = [...listDamageRows(input), ...listToCheckRows(input)];
  if (rows.length === 0) return null;
  return {
    id: 'findings',
    title: '',
    blocks: [
      tabulate(
        rows,
        [
          textColumn('No.', 8, formatFindingNumber),
          textColumn('Part', 32, (row) => describeFindingPart(row)),
          textColumn('Damage', 36, (row) => describeFindings([row])),
          textColumn('Photo', 24, makePhotoNames(input)),
        ],
        ({ toCheck, severity }) => (toCheck ? {} : { severity }),
      ),
    ],
  };
}

const makeNotes = (notes: readonly string[]): Section | null =>
  notes.length === 0
    ? null
    : { id: 'notes', title: '', blocks: notes.map((text) => makeParagraph(text, 'soft')) };

/** Photo requests listed by name; the others are counted. */
const MAX_NEXT_PHOTOS = 4;

/** Lists the notes below the tables: scope of the prices, what was not assessed, next photos, and photo issues. */
function listNotes(input: Result, isMixedResult: boolean, verbose = false): readonly string[] {
  const data = input.inspection?.data;
  const next =
    data?.results && !isMixedResult ? describeNextPhotos(data.results.next_photos, MAX_NEXT_PHOTOS) : null;
  return compact([
    ...(data?.results && !isMixedResult ? describePrices(input) : []),
    next && `Next photos: ${next}`,
    // The verbose sections already list the remarks with their figures.
    ...(verbose && data ? [] : listRemarks(input)),
  ]);
}

function listRemarks({ inspection, assessment }: Result): readonly string[] {
  return [
    ...(inspection ? describePhotoRemarks(inspection.data.images) : []),
    ...(inspection ? selectWarnings(inspection.data) : [])
      .filter(({ code }) => !READ_WARNINGS.includes(code))
      .map(({ message }) => message),
    ...(assessment?.data.warnings ?? []).map(({ message }) => message),
  ];
}

/** Lists the sentences on the scope of the prices and on what was not assessed; empty without a result. */
export function describePrices(input: Result, say: Say = english): readonly string[] {
  const results = input.inspection?.data.results;
  if (input.inspection && !results) return [];
  const rates = describeRates(input, say);
  const isPriced =
    !(results && isMixed(results)) && listDamageRows(input).length + listToCheckRows(input).length > 0;
  const notJudged = say`Mechanical parts and underside not judged.`;
  if (!rates || !isPriced) return [notJudged];
  return [
    `${say`Prices: ${rates}, without tax; parts hidden behind panels can raise the bill.`} ${notJudged}`,
  ];
}

/** Formats how to have the amounts in the currency of the region: `in USD; in euros: --currency EUR`. */
function describeOtherCurrency(meta: AssessmentEnvelope['meta'] | undefined): string {
  if (meta?.fx === undefined) return '';
  const { from, to } = meta.fx;
  const names = new Intl.NumberFormat('en', { style: 'currency', currency: from, currencyDisplay: 'name' });
  const name = names.formatToParts(2).find(({ type }) => type === 'currency')?.value ?? from;
  return `in ${to}; in ${name}: --currency ${from}`;
}

/** Formats region, labor rate, vehicle class and currency conversion: `US Midwest, $115 an hour, standard car`. */
function describeRates({ inspection, assessment }: Result, say: Say = english): string {
  const meta = assessment?.meta ?? inspection?.meta;
  const region = (assessment ?? inspection)?.data.region;
  const vehicle = assessment?.data.vehicle.class_used ?? inspection?.data.results?.repair_cost.vehicle_class;
  // An assessment says instead how to have the region's own currency.
  const converted = inspection === null ? undefined : describeConversion(meta, say);
  return compact([
    say.word(region?.name ?? meta?.region ?? ''),
    // A stored result fetched from the service later has no labor rate.
    meta &&
      Number.isFinite(meta.labor_rate_used) &&
      say`${say.figure(formatWholeMoney(meta.labor_rate_used, meta.currency))} an hour`,
    vehicle && say.word(`${vehicle} car`),
    converted && `${say`converted`} (${converted})`,
  ]).join(', ');
}
