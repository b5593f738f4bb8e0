import type { InspectionEnvelope, Photo } from '../../contract/inspection.ts';
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
import { ABSENT, formatDateTime, readFileName } from '../figures.ts';
import { describeVerdict } from '../headline.ts';
import type { CloseUp } from '../pictures.ts';
import { capitalise } from '../words.ts';
import {
  describeCounts,
  describeFinding,
  describeGrade,
  describeIdentity,
  describePlace,
  describeUnchanged,
  explainPlace,
  formatPlaceTitle,
  formatScale,
  KNOWN_WORDS,
  listCaveats,
  listToPhotograph,
  NOTHING_LISTED,
  nameFinding,
  PLACE_DECISION_WORDS,
} from './comparison-words.ts';
import { type ComparisonPictures, isShown } from './cuts.ts';

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
function writeDecision({ places }: Comparison): readonly Block[] {
  const charged = places.filter(({ change }) => change === 'new' || change === 'changed');
  if (charged.length === 0) return [];
  return [
    {
      kind: 'form',
      boxes: charged.map((place) => `${formatPlaceTitle(place)}: charged`),
      lines: ['Remarks', 'Name', 'Date', 'Signature'],
    },
  ];
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
          { title: 'Before', share: 9, align: 'right' },
          { title: 'After', share: 9, align: 'right' },
          { title: 'Damage', share: 36 },
          { title: 'At return', share: 20 },
          { title: 'Photo before', share: 26 },
        ],
        known.map(({ damage, status, photo, place }) => ({
          cells: [
            String(damage.number),
            place.after ? String(place.after.number) : '',
            nameFinding(damage),
            KNOWN_WORDS[status],
            readFileName(photo),
          ],
        })),
      ),
    ],
  };
}

/** Builds the checklist of what is known before a return: each damage with the view that shows it again. */
export function writeChecklist(before: InspectionEnvelope, pictures: ReadonlyMap<string, CloseUp>): Section {
  const known = listCertain(before);
  return {
    id: 'known',
    title: 'Known before: photograph each place again',
    blocks:
      known.length === 0
        ? [makeParagraph('No damage was certain.')]
        : known.map((damage) => {
            const closeUp = pictures.get(damage.damage_id);
            const [seen] = damage.evidence;
            return {
              kind: 'pair' as const,
              sides: [
                {
                  crop: closeUp && seen ? { ...closeUp, box: seen.coordinates } : null,
                  caption: `${damage.number}. ${nameFinding(damage)}, ${describeFinding(damage, before)}`,
                  isListed: true,
                },
                {
                  crop: null,
                  caption: `View as in ${readFileName(damage.image_url)}. At return: ☐ seen again ☐ changed ☐ gone`,
                  isListed: false,
                },
              ],
            };
          }),
  };
}

/** Builds the rows of damage that is as it was; null if there is none. */
export function writeUnchanged(comparison: Comparison): Section | null {
  const unchanged = comparison.places.filter((place) => place.change === 'unchanged' && !isShown(place));
  if (unchanged.length === 0) return null;
  return {
    id: 'unchanged',
    title: 'Unchanged',
    blocks: [
      makeTable(
        [
          { title: 'No.', share: 8 },
          { title: 'Damage', share: 42 },
          { title: 'Known by', share: 50 },
        ],
        unchanged.map((place) => ({
          cells: [place.row, describePlace(place), explainPlace(place, comparison)],
        })),
      ),
    ],
  };
}

/** Builds the table of parts to photograph for comparing more locations; null if none are missing. */
export function writePhotograph(comparison: Comparison): Section | null {
  const photograph = listToPhotograph(comparison);
  if (photograph.length === 0) return null;
  return {
    id: 'photograph',
    title: 'Not comparable: photograph for it',
    blocks: [
      makeTable(
        [
          { title: 'Part', share: 34 },
          { title: 'As in', share: 33 },
          { title: 'Listed there', share: 33 },
        ],
        photograph.map(({ part, like, listed }) => ({ cells: [part, like, listed] })),
      ),
    ],
  };
}

/** Builds both crops and the evidence of every changed or inconclusive location; null if there are none. */
export function writeSideBySide(comparison: Comparison, pictures: ComparisonPictures): Section | null {
  const shown = comparison.places.filter(isShown);
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
    ? `no. ${finding.number}, ${describeFinding(finding, comparison[side])}`
    : 'not listed';
  const scale = photo?.record?.cm_per_pixel;
  const resolution = typeof scale === 'number' ? `; ${formatScale(scale)}` : '';
  if (photo) return `${visit}, ${readFileName(photo.url)}: ${listed}${resolution}`;
  return `${visit}: ${finding ? `${listed} (no picture)` : 'no photo shows the place'}`;
}
