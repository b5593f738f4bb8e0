import type { Damage, InspectionEnvelope, Photo } from '../../contract/inspection.ts';
import type { Change } from '../../domain/judge/changes.ts';
import { listCertain, listKnown } from '../../engine/compare/carry-over.ts';
import { type ComparedPlace, type Comparison, ROW_DECISIONS } from '../../engine/compare/comparison.ts';
import {
  type Block,
  type Choice,
  makeHeading,
  makeParagraph,
  makeTable,
  type PairSide,
  type Section,
} from '../content/blocks.ts';
import { describeTableCost } from '../content/repair.ts';
import { ABSENT, formatDateTime, readFileName } from '../figures.ts';
import { describeVerdict } from '../headline.ts';
import type { CloseUp } from '../pictures.ts';
import { capitalise } from '../words.ts';
import {
  describeCounts,
  describeExtent,
  describeFinding,
  describeGrade,
  describeIdentity,
  describePlace,
  describeUnchanged,
  explainPlace,
  formatNumber,
  formatPlaceTitle,
  formatScale,
  isToPhotograph,
  KNOWN_WORDS,
  listCaveats,
  NOTHING_LISTED,
  nameFinding,
  PLACE_DECISION_WORDS,
  pickFinding,
} from './comparison-words.ts';
import { type ComparisonPictures, isPair } from './cuts.ts';

/** Builds the overview: both inspections and the number of changed locations. */
export function writeOverview(comparison: Comparison): Section {
  const { before, after, places, differences } = comparison;
  const grade = describeGrade(comparison);
  const row = (label: string, pick: (envelope: Comparison['before']) => string) => ({
    cells: [label, pick(before), pick(after)],
  });
  return {
    id: 'overview',
    title: 'At a glance',
    blocks: [
      makeParagraph(describeCounts(comparison), 'bold'),
      ...writeDecision(comparison),
      makeParagraph(places.length === 0 ? NOTHING_LISTED : `${describeUnchanged(comparison)}.`),
      ...(grade ? [makeParagraph(`${grade}.`)] : []),
      makeParagraph(describeIdentity(comparison)),
      ...listCaveats(comparison).map((sentence) => makeParagraph(sentence)),
      makeTable(
        [
          { title: '', share: 24 },
          { title: 'Before', share: 38 },
          { title: 'After', share: 38 },
        ],
        [
          row('Inspection', ({ data }) => data.inspection_id),
          row('Inspected', ({ data }) => formatDateTime(data.created_at)),
          row('Photos', ({ data }) => String(data.images.length)),
          row('Condition', ({ data }) => (data.results ? describeVerdict(data.results) : ABSENT)),
          row('Damages', ({ data }) => String(data.results?.damages.length ?? 0)),
          row('To check', ({ data }) => String(data.results?.to_check.length ?? 0)),
          ...(differences.includes('other_models')
            ? [
                row('Models', ({ data }) =>
                  data.models.map((model) => `${model.name} ${model.version}`).join(', '),
                ),
              ]
            : []),
        ],
      ),
    ],
  };
}

/** Builds the block to decide and sign; none if nothing is new or changed. */
function writeDecision({ places, after }: Comparison): readonly Block[] {
  const charged = places.filter(({ change }) => change === 'new' || change === 'changed');
  if (charged.length === 0) return [];
  const cost = ({ after: damage }: ComparedPlace) =>
    damage && describeTableCost({ inspection: after, assessment: null }, damage.damage_id);
  const boxes = charged.map((place) =>
    [`${place.row}. ${nameFinding(pickFinding(place))}`, cost(place)]
      .filter(Boolean)
      .join(', ')
      .concat(': charged'),
  );
  return [{ kind: 'form', boxes, lines: ['Remarks', 'Name', 'Date', 'Signature'] }];
}

/** Builds the list of what was known at handover, damage by damage; null if nothing was. */
export function writeKnown(comparison: Comparison): Section | null {
  const known = listKnown(comparison);
  if (known.length === 0) return null;
  return {
    id: 'known',
    title: 'Known before',
    blocks: [
      makeTable(
        [
          { title: 'No.', share: 8 },
          { title: 'Damage', share: 36 },
          { title: 'At return', share: 22 },
          { title: 'No. after', share: 10 },
          { title: 'Photo before', share: 24 },
        ],
        known.map(({ damage, status, photo, place }) => ({
          cells: [
            formatNumber(damage, 'before'),
            nameFinding(damage),
            KNOWN_WORDS[status],
            place.after ? formatNumber(place.after, 'after') : '',
            readFileName(photo),
          ],
        })),
      ),
    ],
  };
}

/** Sentence of a checklist without damages. */
export const NOTHING_KNOWN = 'No damage was certain before.';

/** Builds the checklist of what is known before a return: each damage with the view that shows it again. */
export function writeChecklist(before: InspectionEnvelope, pictures: ReadonlyMap<string, CloseUp>): Section {
  const known = listCertain(before);
  return {
    id: 'known',
    title: 'Known before: photograph each place again',
    blocks:
      known.length === 0
        ? [makeParagraph(NOTHING_KNOWN)]
        : known.map((damage) => {
            const closeUp = pictures.get(damage.damage_id);
            const [seen] = damage.evidence;
            const crop = closeUp && seen ? { ...closeUp, box: seen.coordinates } : null;
            const name = `${damage.number}. ${nameFinding(damage)}, ${describeExtent(damage)}`;
            return writeRepeat(crop, name, damage, '. At return: ☐ seen again ☐ changed ☐ gone');
          }),
  };
}

/** Builds the crop of a known damage with the photo to repeat next to it. */
function writeRepeat(crop: PairSide['crop'], name: string, { image_url: url }: Damage, tick = '') {
  return {
    kind: 'pair' as const,
    sides: [
      { crop, caption: name, isListed: true },
      { crop: null, caption: `View as in ${readFileName(url)}${tick}`, isListed: false },
    ],
  };
}

/** Builds the photos to repeat, a row per damage that no later photo shows; null if there is none. */
export function writePhotograph(comparison: Comparison, pictures: ComparisonPictures): Section | null {
  const unseen = comparison.places
    .filter(isToPhotograph)
    .sort((a, b) => pickFinding(a).number - pickFinding(b).number);
  if (unseen.length === 0) return null;
  return {
    id: 'photograph',
    title: 'Photograph again',
    blocks: unseen.map((place) => {
      const damage = pickFinding(place);
      const { crop } = writeSide(place, comparison, 'before', pictures);
      const name = `${place.row}. ${nameFinding(damage)}, ${describeFinding(damage, comparison.before)}`;
      return { ...writeRepeat(crop, name, damage), choice: writeChoice(place) };
    }),
  };
}

/** Builds the rows of places that no visit is certain of; null if there is none. */
export function writeToCheck(comparison: Comparison): Section | null {
  return writeRows(comparison, 'to-check', 'To check', 'to_check');
}

/** Builds the rows of damage that is as it was; null if there is none. */
export function writeUnchanged(comparison: Comparison): Section | null {
  return writeRows(comparison, 'unchanged', 'Unchanged', 'unchanged');
}

/** Builds a table of the places that are not shown as pictures. */
function writeRows(comparison: Comparison, id: string, title: string, change: Change): Section | null {
  const places = comparison.places.filter((place) => place.change === change && !isPair(place));
  if (places.length === 0) return null;
  return {
    id,
    title,
    blocks: [
      makeTable(
        [
          { title: 'No.', share: 8 },
          { title: 'Damage', share: 42 },
          { title: 'Known by', share: 50 },
        ],
        places.map((place) => ({
          cells: [place.row, describePlace(place), explainPlace(place, comparison)],
        })),
      ),
    ],
  };
}

/** Builds both crops and the evidence of every place to decide; null if there are none. */
export function writeSideBySide(comparison: Comparison, pictures: ComparisonPictures): Section | null {
  const shown = comparison.places.filter(isPair);
  if (shown.length === 0) return null;
  return {
    id: 'side-by-side',
    title: 'Side by side',
    blocks: shown.flatMap((place) => [
      makeHeading(formatPlaceTitle(place)),
      makeParagraph(`${capitalise(explainPlace(place, comparison))}.`),
      {
        kind: 'pair' as const,
        sides: (['before', 'after'] as const).map((side) => writeSide(place, comparison, side, pictures)),
        choice: writeChoice(place),
      },
    ]),
  };
}

function writeSide(
  place: ComparedPlace,
  comparison: Comparison,
  side: 'before' | 'after',
  pictures: ComparisonPictures,
): PairSide {
  const crop = pictures[side].get(place);
  return {
    crop: crop ? { ...crop.closeUp, box: crop.box } : null,
    caption: writeSideCaption(place, comparison, side, crop?.photo),
    isListed: place[side] !== null,
  };
}

/** Lists the decisions available for a row; new and not chargeable require a finding in the later visit. */
function writeChoice({ row, after, decided }: ComparedPlace): Choice {
  const possible = ROW_DECISIONS.filter((one) => after !== null || one === 'was_there');
  return {
    row,
    options: possible.map((value) => ({
      value,
      label: capitalise(PLACE_DECISION_WORDS[value]),
      isChosen: value === decided?.decision,
    })),
    note: decided?.note ?? '',
  };
}

/** Formats the caption of a crop: date, photo, and the finding listed at the location. */
function writeSideCaption(
  place: ComparedPlace,
  comparison: Comparison,
  side: 'before' | 'after',
  photo: Photo | undefined,
): string {
  const finding = place[side];
  const visit = capitalise(side);
  const listed = finding
    ? `no. ${formatNumber(finding, side)}, ${describeFinding(finding, comparison[side])}`
    : 'not listed';
  const scale = photo?.record?.cm_per_pixel;
  const resolution = typeof scale === 'number' ? `; ${formatScale(scale)}` : '';
  if (photo) return `${visit}, ${readFileName(photo.url)}: ${listed}${resolution}`;
  return `${visit}: ${finding ? `${listed} (no picture)` : 'no photo shows the place'}`;
}
