import type { AssessmentEnvelope } from '../../contract/assessment/assessment.ts';
import type { Result } from '../../contract/result.ts';
import { READ_WARNINGS } from '../../domain/vehicle/read-facts.ts';
import { formatCount } from '../../lib/format-count.ts';
import { compact } from '../../lib/lists.ts';
import { escapeName } from '../../lib/names.ts';
import { listClaimWarnings, listReadFacts, pickVehicleId } from '../facts.ts';
import { listFindingRows, listToCheckRows } from '../finding-rows.ts';
import { describeMissingGrade, GIVE_VALUE, listFigures, sayNoDamage } from '../headline.ts';
import { describeNextPhotos } from '../next-photos.ts';
import { describePhotoRemarks } from '../photo-issues.ts';
import { type SingleVehicle, splitVehicles } from '../split-vehicles.ts';
import { capitalize, english } from '../translator.ts';
import { endSentence } from '../words.ts';
import { type Figure, makeFigures, makeParagraph, makeSection, type Section } from './blocks.ts';
import { selectWarnings } from './caveats.ts';
import { describeCoverage } from './coverage.ts';
import { type AnswerDetail, listVerboseSections, writeAssessmentSections } from './details.ts';
import { describePriceScope, describeRates } from './price-scope.ts';
import { writeRepair, writeToCheckTable } from './repair.ts';
import { describeLossWarning } from './value.ts';
import { titleVehicle, writeVehicles, writeVehicleTable } from './vehicles.ts';

/** Lists the sections of the terminal answer: head, repair and cost, places to check, figures last. */
export function listAnswerSections(input: Result, detail: AnswerDetail): readonly Section[] {
  const { inspection, assessment } = input;
  const vehicles = splitVehicles(input);
  if (vehicles.length > 0) return listVehicleSections(input, vehicles, detail);
  const loss = describeLossWarning(assessment);
  const figures = listFigures(input, detail.next).map((one) =>
    one.value === GIVE_VALUE && !detail.options ? { ...one, note: '--market-value 15000' } : one,
  );
  const isClean = inspection?.data.results && listFindingRows(input).length === 0;
  if (isClean && !detail.verbose) return [writeClean(input, figures, detail)];
  return compact([
    writeHead(input),
    writeRepair(input, { showsHours: inspection === null }),
    !detail.quiet && writeToCheckTable(input, { all: detail.all ?? false }),
    ...(assessment ? writeAssessmentSections(input, assessment, detail) : []),
    ...(detail.verbose ? listVerboseSections(input) : []),
    !detail.quiet && makeNotes(compact([describeOwnScope(input, detail), ...listNotes(input, detail)])),
    figures.length > 0 && {
      id: 'figures',
      title: '',
      blocks: compact([loss && makeParagraph(loss, 'warning'), makeFigures(figures)]),
    },
  ]);
}

const ONE_VEHICLE = 'If they show one vehicle, use --one-vehicle.';

/** Lists the sections of several vehicles: their photos, those of each, a table of their figures, the next step. */
function listVehicleSections(
  input: Result,
  vehicles: readonly SingleVehicle[],
  detail: AnswerDetail,
): readonly Section[] {
  const blocks = vehicles.flatMap((part) => {
    const { next: _, ...own } = detail;
    const sections = listAnswerSections(part, { ...own, isOneOfSeveral: true });
    return sections.map((section, index) =>
      index === 0 ? { ...section, title: titleVehicle(part, vehicles.length) } : { ...section, nested: true },
    );
  });
  const priced = vehicles.find(({ results }) => results.if_all_confirmed.items > 0) ?? vehicles[0];
  const remarks = detail.verbose ? [] : listRemarks(input);
  const notes = !detail.quiet && makeNotes(compact([priced && describePriceScope(priced), ...remarks]));
  const { length: toCheck } = listToCheckRows(input);
  const check = detail.next &&
    toCheck > 0 && {
      id: 'figures',
      title: '',
      blocks: [
        makeFigures([{ label: 'Check', value: formatCount(toCheck, 'place'), note: detail.next.review }]),
      ],
    };
  const table = writeVehicleTable(input);
  return compact([writeVehicles(input, english, ONE_VEHICLE), ...blocks, notes, table, check]);
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
      makeParagraph(compact([escapeName(pickVehicleId(input)), ...facts]).join(' · ')),
      inspection?.data.partial && makeParagraph('Interrupted: not every photo was analyzed.', 'warning'),
      ...listClaimWarnings({ inspection, assessment }).map((text) => makeParagraph(`${text}.`, 'warning')),
      read.length > 0 && makeParagraph(read.map((fact) => fact.join(' ')).join(' · ')),
      missingGrade && makeParagraph(missingGrade, 'warning'),
    ]),
  };
}

/** Builds the whole answer for an undamaged vehicle: head, what was not assessed (not if quiet), and the grade. */
function writeClean(input: Result, figures: readonly Figure[], detail: AnswerDetail): Section {
  const scope = detail.quiet ? null : describeOwnScope(input, detail);
  const notes = detail.quiet ? [] : listNotes(input, detail);
  const head = writeHead(input);
  return {
    ...head,
    blocks: compact([
      ...head.blocks,
      makeParagraph(compact([sayNoDamage(), scope]).join(' ')),
      notes.length > 0 && makeParagraph(notes.join(' '), 'soft'),
      makeFigures(figures),
    ]),
  };
}

const makeNotes = (notes: readonly string[]): Section | null =>
  makeSection(
    'notes',
    '',
    notes.map((text) => makeParagraph(text, 'soft')),
  );

/** Maximum number of photo requests listed by name; the others are counted. */
const MAX_NEXT_PHOTOS = 4;

/** Describes what the prices include and what was not judged; of several vehicles it is said once, after the last. */
const describeOwnScope = (input: Result, { isOneOfSeveral }: AnswerDetail): string | null =>
  input.inspection && !isOneOfSeveral ? describePriceScope(input) : null;

/** Lists the notes below the tables, after the scope: next photos and photo issues. */
function listNotes(input: Result, { verbose, isOneOfSeveral }: AnswerDetail): readonly string[] {
  const data = input.inspection?.data;
  const next = data?.results && describeNextPhotos(data.results.next_photos, MAX_NEXT_PHOTOS);
  return compact([
    next && `Next photos: ${next}`,
    // The verbose sections already list the remarks with their figures.
    ...((verbose && data) || isOneOfSeveral ? [] : listRemarks(input)),
  ]);
}

/** Lists the remarks on the photos and the warnings, each a sentence. */
function listRemarks({ inspection, assessment }: Result): readonly string[] {
  const data = inspection?.data;
  const found = data ? selectWarnings(data).filter(({ code }) => !READ_WARNINGS.includes(code)) : [];
  const warnings = [...found, ...(assessment?.data.warnings ?? [])].map(({ message }) => message);
  return [...describePhotoRemarks(data?.images ?? []), ...warnings.map(endSentence).map(capitalize)];
}

/** Formats how to get the amounts in the region's own currency: `in USD; in euros: --currency EUR`. */
function describeOtherCurrency(meta: AssessmentEnvelope['meta'] | undefined): string {
  if (meta?.fx === undefined) return '';
  const { from, to } = meta.fx;
  const names = new Intl.NumberFormat('en', { style: 'currency', currency: from, currencyDisplay: 'name' });
  const name = names.formatToParts(2).find(({ type }) => type === 'currency')?.value ?? from;
  return `in ${to}; in ${name}: --currency ${from}`;
}
