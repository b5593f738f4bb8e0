import { ROW_DECISIONS } from '../../contract/constants.ts';
import type { Damage, InspectionEnvelope } from '../../contract/inspection.ts';
import { type Change, VISITS, type VisitName } from '../../domain/compare/changes.ts';
import { listCertain, listKnown } from '../../engine/compare/carry-over.ts';
import { type ComparedPlace, type Comparison, pickFinding } from '../../engine/compare/comparison.ts';
import { compact } from '../../lib/lists.ts';
import {
  type Block,
  type Choice,
  makeForm,
  makeHeading,
  makeParagraph,
  makeSection,
  makeTableSection,
  type PairSide,
  type Section,
  tabulate,
  textColumn,
} from '../content/blocks.ts';
import { describeTableCost } from '../content/repair.ts';
import { ABSENT, formatDateTime, nameInCaption, namePhoto } from '../figures.ts';
import { describeVerdict } from '../headline.ts';
import type { CloseUp } from '../pictures.ts';
import { capitalize, english, joinItems, type Translator } from '../translator.ts';
import { humanize } from '../words.ts';
import { describeIdentity, listCaveats } from './caveats.ts';
import {
  describeComparedPlace,
  describeCounts,
  describeExtentAndCost,
  describeGradeChange,
  describeSeverityAndSize,
  describeUnchanged,
  formatInspectionDay,
  formatVisits,
  namePartAndDamage,
  numberInVisit,
  PLACE_DECISION_WORDS,
  sayNothingListed,
  sayStatus,
} from './comparison-words.ts';
import type { ComparisonPictures } from './crops.ts';
import { explainPlace, formatScale } from './explain-place.ts';
import { isPair, listUnseen, sortByRow } from './select-places.ts';

/** Builds the overview: both inspections and the number of changed places. */
function writeOverview(comparison: Comparison, t: Translator): Section {
  const { before, after, places, differences } = comparison;
  const grade = describeGradeChange(comparison, t);
  const facts: readonly (readonly [label: string, read: (visit: InspectionEnvelope['data']) => string])[] = [
    [t`Inspection`, ({ inspection_id: id }) => id],
    [t`Inspected`, ({ created_at: at }) => t.figure(formatDateTime(at))],
    [t`Photos`, ({ images }) => String(images.length)],
    [t`Condition`, ({ results }) => (results ? describeVerdict(results, t) : ABSENT)],
    [t`Damages`, ({ results }) => String(results?.damages.length ?? 0)],
    [t`To check`, ({ results }) => String(results?.to_check.length ?? 0)],
    [t`Models`, ({ models }) => models.map(({ name, version }) => `${name} ${version}`).join(', ')],
  ];
  return {
    id: 'overview',
    title: t`At a glance`,
    blocks: compact([
      makeParagraph(describeCounts(comparison, t), 'bold'),
      ...writeDecision(comparison, t),
      makeParagraph(places.length === 0 ? sayNothingListed(t) : `${describeUnchanged(comparison, t)}.`),
      grade && makeParagraph(`${grade}.`),
      makeParagraph(describeIdentity(comparison, t)),
      ...listCaveats(comparison, t).map((sentence) => makeParagraph(sentence)),
      tabulate(differences.includes('other_models') ? facts : facts.slice(0, -1), [
        textColumn('', 24, ([label]) => label),
        textColumn(t`Before`, 38, ([, read]) => read(before.data)),
        textColumn(t`After`, 38, ([, read]) => read(after.data)),
      ]),
    ]),
  };
}

/** Builds the form to decide and sign; none if nothing new or changed may be charged. */
function writeDecision({ places, after }: Comparison, t: Translator): readonly Block[] {
  const charged = places.filter(
    ({ change, decided }) =>
      (change === 'new' || change === 'changed') && decided?.decision !== 'not_chargeable',
  );
  if (charged.length === 0) return [];
  const cost = ({ after: damage }: ComparedPlace) =>
    damage && describeTableCost({ inspection: after, assessment: null }, damage.damage_id, t);
  const boxes = charged.map((place) => {
    const name = `${place.row}. ${namePartAndDamage(pickFinding(place), t)}`;
    return t`${compact([name, cost(place)]).join(', ')}: ${t`charged`}`;
  });
  return [makeForm(boxes, t)];
}

/** Builds the list of the damages known at handover, with their status; null if there were none. */
function writeKnown(comparison: Comparison, t: Translator): Section | null {
  return makeTableSection('known', t`Known before`, listKnown(comparison), [
    textColumn(t`No.`, 8, ({ damage }) => numberInVisit(damage, 'before')),
    textColumn(t`Damage`, 36, ({ damage }) => namePartAndDamage(damage, t)),
    textColumn(t`At return`, 22, ({ status }) => t.word(sayStatus(status))),
    textColumn(t`No. after`, 10, ({ place }) => (place.after ? numberInVisit(place.after, 'after') : '')),
    textColumn(t`Photo before`, 24, ({ damage }) =>
      namePhoto(damage.image_url, comparison.before.data.images),
    ),
  ]);
}

/** Sentence of a checklist without damages. */
export const sayNothingKnown = (t = english): string => t`No damage was certain before.`;

/** Builds the checklist before a return: each known damage with the view that shows it again. */
function writeChecklist(
  before: InspectionEnvelope,
  pictures: ReadonlyMap<string, CloseUp>,
  t: Translator,
): Section {
  const known = listCertain(before);
  return {
    id: 'known',
    title: t`Known before: photograph each place again`,
    blocks:
      known.length === 0
        ? [makeParagraph(sayNothingKnown(t))]
        : known.map((damage) => {
            const closeUp = pictures.get(damage.damage_id);
            const [seen] = damage.evidence;
            const crop = closeUp && seen ? { ...closeUp, box: seen.coordinates } : null;
            const name = `${damage.number}. ${namePartAndDamage(damage, t)}, ${describeSeverityAndSize(damage, t)}`;
            const tick = `. ${t`At return`}: ☐ ${t`seen again`} ☐ ${t`changed`} ☐ ${t`gone`}`;
            return writeRepeat(crop, name, nameRepeated(damage, before, t) + tick);
          }),
  };
}

const nameRepeated = ({ image_url: url }: Damage, { data }: InspectionEnvelope, t: Translator) =>
  t`View as in ${nameInCaption(url, data.images)}`;

const writeRepeat = (crop: PairSide['crop'], name: string, photo: string) => ({
  kind: 'pair' as const,
  sides: [
    { crop, caption: name, isListed: true },
    { crop: null, caption: photo, isListed: false },
  ],
});

/** Builds the photos to repeat, one row per damage that no later photo shows; null if there are none. */
function writePhotograph(
  comparison: Comparison,
  pictures: ComparisonPictures,
  t: Translator,
): Section | null {
  const blocks = listUnseen(comparison).map((place) => {
    const damage = pickFinding(place);
    const { crop } = writeSide(place, comparison, 'before', pictures, t);
    const name = `${place.row}. ${namePartAndDamage(damage, t)}, ${describeExtentAndCost(damage, comparison.before, t)}`;
    const pair = writeRepeat(crop, name, nameRepeated(damage, comparison.before, t));
    return { ...pair, choice: writeChoice(place, t) };
  });
  return makeSection('photograph', t`Photograph again`, blocks);
}

/** Builds a table of the places of one kind that are not shown as pictures; null if there are none. */
function writeRows(
  comparison: Comparison,
  id: string,
  title: string,
  change: Change,
  t: Translator,
): Section | null {
  const places = sortByRow(comparison.places.filter((place) => place.change === change && !isPair(place)));
  return makeTableSection(id, title, places, [
    textColumn(t`No.`, 8, ({ row }) => row),
    textColumn(t`Damage`, 42, (place) => describeComparedPlace(place, t)),
    textColumn(t`Known by`, 50, (place) => explainPlace(place, comparison, t)),
  ]);
}

/** Builds both crops of every place to decide and how it is known; null if there are none. */
function writeSideBySide(
  comparison: Comparison,
  pictures: ComparisonPictures,
  t: Translator,
): Section | null {
  const blocks = comparison.places.filter(isPair).flatMap((place): readonly Block[] => [
    makeHeading(t`${`${place.row}. ${t.word(humanize(place.change))}`}: ${describeComparedPlace(place, t)}`),
    makeParagraph(`${capitalize(explainPlace(place, comparison, t))}.`),
    {
      kind: 'pair',
      sides: VISITS.map((visit) => writeSide(place, comparison, visit, pictures, t)),
      choice: writeChoice(place, t),
    },
  ]);
  return makeSection('side-by-side', t`Side by side`, blocks);
}

/** Builds a crop with its caption: visit, photo, and the finding listed at the place. */
function writeSide(
  place: ComparedPlace,
  comparison: Comparison,
  visit: VisitName,
  pictures: ComparisonPictures,
  t: Translator,
): PairSide {
  const crop = pictures[visit].get(place);
  const finding = place[visit];
  const day = visit === 'before' ? t`Before` : t`After`;
  const listed = finding
    ? `${t`no. ${numberInVisit(finding, visit)}`}, ${describeExtentAndCost(finding, comparison[visit], t)}`
    : t`not listed`;
  const scale = crop?.photo.record?.cm_per_pixel;
  const shown = joinItems(compact([listed, typeof scale === 'number' && formatScale(scale, t)]), t);
  const missing = finding ? `${listed} (${t`no picture`})` : t`no photo shows the place`;
  return {
    crop: crop ? { ...crop.closeUp, box: crop.box } : null,
    caption: crop
      ? t`${`${day}, ${nameInCaption(crop.photo.url, comparison[visit].data.images)}`}: ${shown}`
      : t`${day}: ${missing}`,
    isListed: finding !== null,
  };
}

/** Lists the decisions available for a row; new and not chargeable require a finding in the later visit. */
function writeChoice({ row, after, decided }: ComparedPlace, t: Translator): Choice {
  const possible = ROW_DECISIONS.filter((one) => after !== null || one === 'was_there');
  return {
    row,
    options: possible.map((value) => ({
      value,
      label: capitalize(t.word(PLACE_DECISION_WORDS[value])),
      isChosen: value === decided?.decision,
    })),
    note: decided?.note ?? '',
  };
}

/** A document about a vehicle's visits, to be rendered as HTML or PDF. */
export interface VisitsDocument {
  /** The inspection whose vehicle, region and software the document names. */
  readonly inspection: InspectionEnvelope;
  /** Note on what its pictures hide. */
  readonly redaction?: string | undefined;
  readonly write: (t: Translator) => {
    readonly heading: string;
    readonly days: string;
    readonly sections: readonly Section[];
  };
}

/** Creates the document of a comparison; its sections are in reading order. */
export const documentComparison = (comparison: Comparison, pictures: ComparisonPictures): VisitsDocument => ({
  inspection: comparison.after,
  redaction: pictures.redaction,
  write: (t) => ({
    heading: t`Comparison of two inspections`,
    days: formatVisits(comparison),
    sections: compact([
      writeOverview(comparison, t),
      writeKnown(comparison, t),
      writeSideBySide(comparison, pictures, t),
      writePhotograph(comparison, pictures, t),
      writeRows(comparison, 'to-check', t`To check`, 'to_check', t),
      writeRows(comparison, 'unchanged', t`Unchanged`, 'unchanged', t),
    ]),
  }),
});

/** Creates the document of the damage known before a return; `pictures` are keyed by damage id. */
export const documentChecklist = (
  inspection: InspectionEnvelope,
  pictures: ReadonlyMap<string, CloseUp>,
  redaction: string | undefined,
): VisitsDocument => ({
  inspection,
  redaction,
  write: (t) => ({
    heading: t`Checklist before the return`,
    days: formatInspectionDay(inspection),
    sections: [writeChecklist(inspection, pictures, t)],
  }),
});
