import type { Damage, InspectionEnvelope } from '../../contract/inspection.ts';
import type { Change } from '../../domain/judge/changes.ts';
import { listCertain, listKnown } from '../../engine/compare/carry-over.ts';
import { type ComparedPlace, type Comparison, ROW_DECISIONS } from '../../engine/compare/comparison.ts';
import type { Side } from '../../engine/compare/findings.ts';
import { compact } from '../../lib/lists.ts';
import {
  type Block,
  type Choice,
  makeForm,
  makeHeading,
  makeParagraph,
  type PairSide,
  type Section,
  tabulate,
  textColumn,
} from '../content/blocks.ts';
import { describeTableCost } from '../content/repair.ts';
import { ABSENT, formatDateTime, readFileName } from '../figures.ts';
import { describeVerdict } from '../headline.ts';
import type { CloseUp } from '../pictures.ts';
import { english, type Say } from '../say.ts';
import { capitalize } from '../words.ts';
import {
  describeComparedPlace,
  describeCounts,
  describeExtentAndCost,
  describeGradeChange,
  describeIdentity,
  describeSeverityAndSize,
  describeUnchanged,
  explainPlace,
  formatInspectionDay,
  formatPlaceTitle,
  formatScale,
  formatVisits,
  KNOWN_WORDS,
  listCaveats,
  namePartAndDamage,
  numberInVisit,
  PLACE_DECISION_WORDS,
  sayNothingListed,
} from './comparison-words.ts';
import type { ComparisonPictures } from './crops.ts';
import { isPair, listUnseen, pickFinding } from './select-places.ts';

/** Builds the overview: both inspections and the number of changed locations. */
function writeOverview(comparison: Comparison, say: Say): Section {
  const { before, after, places, differences } = comparison;
  const grade = describeGradeChange(comparison, say);
  const facts: readonly (readonly [label: string, read: (visit: InspectionEnvelope['data']) => string])[] = [
    [say`Inspection`, ({ inspection_id: id }) => id],
    [say`Inspected`, ({ created_at: at }) => say.figure(formatDateTime(at))],
    [say`Photos`, ({ images }) => String(images.length)],
    [say`Condition`, ({ results }) => (results ? describeVerdict(results, say) : ABSENT)],
    [say`Damages`, ({ results }) => String(results?.damages.length ?? 0)],
    [say`To check`, ({ results }) => String(results?.to_check.length ?? 0)],
    [say`Models`, ({ models }) => models.map(({ name, version }) => `${name} ${version}`).join(', ')],
  ];
  return {
    id: 'overview',
    title: say`At a glance`,
    blocks: compact([
      makeParagraph(describeCounts(comparison, say), 'bold'),
      ...writeDecision(comparison, say),
      makeParagraph(places.length === 0 ? sayNothingListed(say) : `${describeUnchanged(comparison, say)}.`),
      grade && makeParagraph(`${grade}.`),
      makeParagraph(describeIdentity(comparison, say)),
      ...listCaveats(comparison, say).map((sentence) => makeParagraph(sentence)),
      tabulate(differences.includes('other_models') ? facts : facts.slice(0, -1), [
        textColumn('', 24, ([label]) => label),
        textColumn(say`Before`, 38, ([, read]) => read(before.data)),
        textColumn(say`After`, 38, ([, read]) => read(after.data)),
      ]),
    ]),
  };
}

/** Builds the form to decide and sign; none if nothing is new or changed. */
function writeDecision({ places, after }: Comparison, say: Say): readonly Block[] {
  const charged = places.filter(({ change }) => change === 'new' || change === 'changed');
  if (charged.length === 0) return [];
  const cost = ({ after: damage }: ComparedPlace) =>
    damage && describeTableCost({ inspection: after, assessment: null }, damage.damage_id, say);
  const boxes = charged.map((place) =>
    compact([`${place.row}. ${namePartAndDamage(pickFinding(place), say)}`, cost(place)])
      .join(', ')
      .concat(`: ${say`charged`}`),
  );
  return [makeForm(boxes, say)];
}

/** Builds the list of the damages known at handover, with their status; null if there were none. */
function writeKnown(comparison: Comparison, say: Say): Section | null {
  const known = listKnown(comparison);
  if (known.length === 0) return null;
  return {
    id: 'known',
    title: say`Known before`,
    blocks: [
      tabulate(known, [
        textColumn(say`No.`, 8, ({ damage }) => numberInVisit(damage, 'before')),
        textColumn(say`Damage`, 36, ({ damage }) => namePartAndDamage(damage, say)),
        textColumn(say`At return`, 22, ({ status }) => say.word(KNOWN_WORDS[status])),
        textColumn(say`No. after`, 10, ({ place }) =>
          place.after ? numberInVisit(place.after, 'after') : '',
        ),
        textColumn(say`Photo before`, 24, ({ photo }) => readFileName(photo)),
      ]),
    ],
  };
}

/** Sentence of a checklist without damages. */
export const sayNothingKnown = (say: Say = english): string => say`No damage was certain before.`;

/** Builds the checklist before a return: each known damage with the view that shows it again. */
function writeChecklist(
  before: InspectionEnvelope,
  pictures: ReadonlyMap<string, CloseUp>,
  say: Say,
): Section {
  const known = listCertain(before);
  return {
    id: 'known',
    title: say`Known before: photograph each place again`,
    blocks:
      known.length === 0
        ? [makeParagraph(sayNothingKnown(say))]
        : known.map((damage) => {
            const closeUp = pictures.get(damage.damage_id);
            const [seen] = damage.evidence;
            const crop = closeUp && seen ? { ...closeUp, box: seen.coordinates } : null;
            const name = `${damage.number}. ${namePartAndDamage(damage, say)}, ${describeSeverityAndSize(damage, say)}`;
            return writeRepeat(
              crop,
              name,
              damage,
              say,
              `. ${say`At return`}: ☐ ${say`seen again`} ☐ ${say`changed`} ☐ ${say`gone`}`,
            );
          }),
  };
}

/** Builds the crop of a known damage with the photo to repeat next to it. */
function writeRepeat(crop: PairSide['crop'], name: string, { image_url: url }: Damage, say: Say, tick = '') {
  return {
    kind: 'pair' as const,
    sides: [
      { crop, caption: name, isListed: true },
      { crop: null, caption: `${say`View as in ${readFileName(url)}`}${tick}`, isListed: false },
    ],
  };
}

/** Builds the photos to repeat, one row per damage that no later photo shows; null if there are none. */
function writePhotograph(comparison: Comparison, pictures: ComparisonPictures, say: Say): Section | null {
  const unseen = listUnseen(comparison);
  if (unseen.length === 0) return null;
  return {
    id: 'photograph',
    title: say`Photograph again`,
    blocks: unseen.map((place) => {
      const damage = pickFinding(place);
      const { crop } = writeSide(place, comparison, 'before', pictures, say);
      const name = `${place.row}. ${namePartAndDamage(damage, say)}, ${describeExtentAndCost(damage, comparison.before, say)}`;
      return { ...writeRepeat(crop, name, damage, say), choice: writeChoice(place, say) };
    }),
  };
}

/** Builds a table of the locations of one kind that are not shown as pictures; null if there are none. */
function writeRows(
  comparison: Comparison,
  id: string,
  title: string,
  change: Change,
  say: Say,
): Section | null {
  const places = comparison.places.filter((place) => place.change === change && !isPair(place));
  if (places.length === 0) return null;
  return {
    id,
    title,
    blocks: [
      tabulate(places, [
        textColumn(say`No.`, 8, ({ row }) => row),
        textColumn(say`Damage`, 42, (place) => describeComparedPlace(place, say)),
        textColumn(say`Known by`, 50, (place) => explainPlace(place, comparison, say)),
      ]),
    ],
  };
}

/** Builds both crops and the evidence for every location to decide; null if there are none. */
function writeSideBySide(comparison: Comparison, pictures: ComparisonPictures, say: Say): Section | null {
  const shown = comparison.places.filter(isPair);
  if (shown.length === 0) return null;
  return {
    id: 'side-by-side',
    title: say`Side by side`,
    blocks: shown.flatMap((place) => [
      makeHeading(formatPlaceTitle(place, say)),
      makeParagraph(`${capitalize(explainPlace(place, comparison, say))}.`),
      {
        kind: 'pair' as const,
        sides: (['before', 'after'] as const).map((side) =>
          writeSide(place, comparison, side, pictures, say),
        ),
        choice: writeChoice(place, say),
      },
    ]),
  };
}

/** Builds a crop with its caption: visit, photo, and the finding listed at the location. */
function writeSide(
  place: ComparedPlace,
  comparison: Comparison,
  side: Side,
  pictures: ComparisonPictures,
  say: Say,
): PairSide {
  const crop = pictures[side].get(place);
  const finding = place[side];
  const visit = side === 'before' ? say`Before` : say`After`;
  const listed = finding
    ? `${say`no. ${numberInVisit(finding, side)}`}, ${describeExtentAndCost(finding, comparison[side], say)}`
    : say`not listed`;
  const scale = crop?.photo.record?.cm_per_pixel;
  const shown = compact([listed, typeof scale === 'number' && formatScale(scale, say)]).join('; ');
  const missing = finding ? `${listed} (${say`no picture`})` : say`no photo shows the place`;
  return {
    crop: crop ? { ...crop.closeUp, box: crop.box } : null,
    caption: crop ? `${visit}, ${readFileName(crop.photo.url)}: ${shown}` : `${visit}: ${missing}`,
    isListed: finding !== null,
  };
}

/** Lists the decisions available for a row; new and not chargeable require a finding in the later visit. */
function writeChoice({ row, after, decided }: ComparedPlace, say: Say): Choice {
  const possible = ROW_DECISIONS.filter((one) => after !== null || one === 'was_there');
  return {
    row,
    options: possible.map((value) => ({
      value,
      label: capitalize(say.word(PLACE_DECISION_WORDS[value])),
      isChosen: value === decided?.decision,
    })),
    note: decided?.note ?? '',
  };
}

/** Lists the sections of a comparison in reading order. */
export function listComparisonSections(
  comparison: Comparison,
  pictures: ComparisonPictures,
  say: Say,
): readonly Section[] {
  return compact([
    writeOverview(comparison, say),
    writeKnown(comparison, say),
    writeSideBySide(comparison, pictures, say),
    writePhotograph(comparison, pictures, say),
    writeRows(comparison, 'to-check', say`To check`, 'to_check', say),
    writeRows(comparison, 'unchanged', say`Unchanged`, 'unchanged', say),
  ]);
}

/** A document about a vehicle's visits, to be rendered as HTML or PDF. */
export interface VisitsDocument {
  /** The inspection whose vehicle, region and software the document names. */
  readonly inspection: InspectionEnvelope;
  /** Note on what its pictures hide. */
  readonly redaction?: string | undefined;
  readonly write: (say: Say) => {
    readonly heading: string;
    readonly days: string;
    readonly sections: readonly Section[];
  };
}

/**
 * Creates the document of a comparison: overview, damage known before, both crops and the evidence for every location
 * to decide, then the photos to repeat.
 */
export const documentComparison = (comparison: Comparison, pictures: ComparisonPictures): VisitsDocument => ({
  inspection: comparison.after,
  redaction: pictures.redaction,
  write: (say) => ({
    heading: say`Comparison of two inspections`,
    days: formatVisits(comparison),
    sections: listComparisonSections(comparison, pictures, say),
  }),
});

/** Creates the document of the damage known before a return; `pictures` are keyed by damage id. */
export const documentChecklist = (
  inspection: InspectionEnvelope,
  pictures: ReadonlyMap<string, CloseUp>,
): VisitsDocument => ({
  inspection,
  write: (say) => ({
    heading: say`Checklist before the return`,
    days: formatInspectionDay(inspection),
    sections: [writeChecklist(inspection, pictures, say)],
  }),
});
