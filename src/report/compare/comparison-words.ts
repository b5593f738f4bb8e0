import type { Damage, InspectionEnvelope, Photo } from '../../contract/inspection.ts';
import type { Change } from '../../domain/judge/changes.ts';
import type { ComparedPlace, Comparison, RowDecision } from '../../engine/compare/comparison.ts';
import type { Difference } from '../../engine/compare/differences.ts';
import { keepsRecord } from '../../engine/compare/photo-record.ts';
import { formatCount, summarizeNames } from '../../lib/format-count.ts';
import { groupBy } from '../../lib/group-by.ts';
import { describeTableCost } from '../content/repair.ts';
import { formatDateTime, formatSize, readFileName } from '../figures.ts';
import { describeDamage, describeFindingPart, SEVERITY_WORDS } from '../words.ts';

export const CHANGE_WORDS = {
  new: 'New',
  worse: 'Worse',
  repaired: 'Repaired',
  perhaps_new: 'Perhaps new',
  perhaps_repaired: 'Perhaps repaired',
  cannot_tell: 'Cannot tell',
  not_seen: 'Not seen',
  probably_unchanged: 'Probably unchanged',
  unchanged: 'Unchanged',
} as const satisfies Record<Change, string>;

const DIFFERENCE_WORDS = {
  same_photos: 'Some photos are in both inspections: they show the same moment.',
  other_models:
    'The inspections were made with different models or limits. Places are compared by their photos.',
  other_settings: 'The inspections were made with different settings. Places are compared by their photos.',
  no_record:
    'has no record of detections below the threshold: run vehi inspect on its photos again to compare more places.',
  no_photos:
    'Photos of these inspections were not found, so nothing is called new or repaired: name their folders with --photos-before and --photos-after.',
} as const satisfies Record<Difference, string>;

/** Lists the caveats of a comparison that its reader must see first, one sentence each. */
export function listCaveats(comparison: Comparison): readonly string[] {
  const { before, after, copies, differences } = comparison;
  const reviewed = [before, after].map((one) => 'review' in one);
  return [
    ...differences.map((one) =>
      one === 'no_record' ? `${nameUnrecorded(comparison)} ${DIFFERENCE_WORDS[one]}` : DIFFERENCE_WORDS[one],
    ),
    ...describeUnreadable(comparison),
    ...(copies.length === 0
      ? []
      : [
          `${summarizePhotos(copies)} ${copies.length === 1 ? 'appears to be a re-encoded, cropped or resized copy of a photo' : 'appear to be re-encoded, cropped or resized copies of photos'} of the earlier inspection.`,
        ]),
    ...(reviewed[0] === reviewed[1]
      ? []
      : [
          `Only the ${reviewed[0] ? 'earlier' : 'later'} inspection was reviewed by a person, who may have added what the models also missed in the other: review that as well.`,
        ]),
  ];
}

function nameUnrecorded({ before, after }: Comparison): string {
  if (keepsRecord(before.data)) return 'The later inspection';
  return keepsRecord(after.data) ? 'The earlier inspection' : 'Each of the two inspections';
}

/** States why both inspections are taken to be of one vehicle. */
export function describeIdentity({ before, after }: Comparison): string {
  const [one, other] = [before.data.vehicle_id, after.data.vehicle_id];
  return one === other
    ? `One vehicle is assumed from the id ${one}; plates and VINs in the photos are not compared.`
    : `One vehicle is assumed although the ids differ: ${one}, then ${other}.`;
}

/** Names the unreadable photos, one sentence per visit and reason. */
function describeUnreadable(comparison: Comparison): string[] {
  const visits = formatVisits(comparison);
  const groups = groupBy(
    comparison.unreadable,
    ({ side, reason }) => `of ${visits[side]} could not be read (${reason})`,
  );
  return [...groups].map(
    ([problem, photos]) =>
      `${summarizePhotos(photos.map(({ photo }) => photo))} ${problem}: places that ${photos.length === 1 ? 'only it shows' : 'only they show'} are not compared.`,
  );
}

/** Photos listed by name; the others are counted. */
const MAX_NAMES = 3;

const summarizePhotos = (photos: readonly Pick<Photo, 'url'>[]) =>
  summarizeNames(
    photos.map(({ url }) => readFileName(url)),
    MAX_NAMES,
  );

/** Sentence for a comparison without damages or places to check. */
export const NOTHING_LISTED = 'No damage and no place to check in either inspection.';

/** Formats the counts of relevant changes: `1 new · 0 worse · 0 repaired`. */
export function describeCounts({ counts }: Comparison): string {
  return (['new', 'worse', 'repaired'] as const).map((change) => `${counts[change]} ${change}`).join(' · ');
}

/** Selects the finding that represents a compared location: the later one if both visits list one. */
export function pickFinding({ before, after }: ComparedPlace): Damage {
  const shown = after ?? before;
  if (shown === null) throw new Error('a compared place has a finding');
  return shown;
}

/** Names a compared location: `Front door, left, dent (to check)`. */
export function describePlace(place: ComparedPlace): string {
  const { location, type, subtype } = pickFinding(place);
  return `${describeFindingPart(location)}, ${describeDamage(type, subtype).toLowerCase()}${place.certain ? '' : ' (to check)'}`;
}

/** Formats the title of a compared location: `2. New: Front door, left, dent`. */
export function formatPlaceTitle(place: ComparedPlace): string {
  return `${place.row}. ${CHANGE_WORDS[place.change]}: ${describePlace(place)}`;
}

/** Formats a finding on one line: severity, size, and cost as in its own inspection. */
export function describeFinding(damage: Damage, inspection: InspectionEnvelope): string {
  return [
    SEVERITY_WORDS[damage.severity].toLowerCase(),
    formatSize(damage),
    describeTableCost({ inspection, assessment: null }, damage.damage_id),
  ]
    .filter((part) => part !== undefined)
    .join(', ');
}

/** Formats the date of an inspection: `2026-06-01`. */
export function formatInspectionDay({ data }: InspectionEnvelope): string {
  return data.created_at.slice(0, 10);
}

/** Formats the dates of both inspections, with the time if both are on the same day. */
export function formatVisits({ before, after }: Comparison): {
  readonly before: string;
  readonly after: string;
} {
  const isOneDay = formatInspectionDay(before) === formatInspectionDay(after);
  const name = (one: InspectionEnvelope) =>
    isOneDay ? formatDateTime(one.data.created_at) : formatInspectionDay(one);
  return { before: name(before), after: name(after) };
}

export const PLACE_DECISION_WORDS = {
  new: 'new',
  was_there: 'was there before',
  not_chargeable: 'not chargeable',
} as const satisfies Record<RowDecision['decision'], string>;

/** Formats the resolution of a photo at the vehicle: `0.3 cm per pixel`. */
export function formatScale(cmPerPixel: number): string {
  return `${cmPerPixel.toFixed(1)} cm per pixel`;
}

/** Explains the verdict on a location: the reviewer's decision first, then the photo evidence. */
export function explainPlace(place: ComparedPlace, comparison: Comparison): string {
  const { decided } = place;
  const evidence = explainEvidence(place, comparison);
  if (!decided) return evidence;
  const note = decided.note ? ` (${decided.note})` : '';
  return `decided by the reviewer: ${PLACE_DECISION_WORDS[decided.decision]}${note}. Photo evidence: ${CHANGE_WORDS[decided.instead].toLowerCase()}, ${evidence}`;
}

function explainEvidence(place: ComparedPlace, comparison: Comparison): string {
  const [listedSide, otherSide] = place.after
    ? (['after', 'before'] as const)
    : (['before', 'after'] as const);
  const visits = formatVisits(comparison);
  const [listedOn, otherVisit] = [visits[listedSide], visits[otherSide]];
  const crop = place.cuts?.[otherSide];
  const photo = crop ? readFileName(crop.photo.url) : '';
  const scale = crop?.photo.record?.cm_per_pixel;
  const resolution = typeof scale === 'number' ? ` at ${formatScale(scale)}` : '';
  const points = `${place.inliers} matching points`;
  const absence = `${place.after ? 'not there' : 'gone'} on ${otherVisit}`;
  const evidence = `${photo} shows the place${resolution}, ${points}`;
  switch (place.rule) {
    case 'not_there':
      return `${absence}: ${evidence}`;
    case 'disappeared':
      return `${absence}: in other light, ${photo} shows the place without damage, ${points}`;
    case 'grown':
      return `larger than on ${otherVisit}: ${evidence}`;
    case 'was_there':
      return `seen on ${otherVisit} too, below the threshold (${photo})`;
    case 'same_picture':
      return `the place looks the same on ${otherVisit} (${photo}, ${points})`;
    case 'same_photo':
      return 'both inspections have this photo';
    case 'both_list_it':
      return `listed on ${listedOn} and on ${otherVisit}`;
    case 'probably_there':
      return `seen on ${otherVisit} from another view, probably the same`;
    case 'part_not_seen':
      return `not photographed on ${otherVisit}`;
    case 'own_photo_unreadable':
      return `its own photo of ${listedOn} could not be read`;
    case 'no_same_view':
      return `no photo of ${otherVisit} shows the place from this view`;
    case 'unclear':
      return `the photos do not decide: ${photo} shows the place with other surroundings or light`;
  }
}

function formatFindingCount(damages: number, toCheck: number): string {
  return [
    ...(damages > 0 ? [formatCount(damages, 'damage')] : []),
    ...(toCheck > 0 ? [`${toCheck} to check`] : []),
  ].join(', ');
}

/** A view of a part to photograph again to make its locations comparable. */
export interface PlaceToPhotograph {
  readonly part: string;
  /** File name of the photo whose view to repeat. */
  readonly like: string;
  readonly listed: string;
}

/** Lists the views that the other visit lacks, one row per part and photo that shows it. */
export function listToPhotograph({ places }: Comparison): readonly PlaceToPhotograph[] {
  const open = places.filter(
    ({ change, rule, decided }) => !decided && (change === 'not_seen' || rule === 'no_same_view'),
  );
  const views = groupBy(open, (place) => {
    const { location, image_url: url } = pickFinding(place);
    return `${describeFindingPart(location)} ${url}`;
  });
  return [...views.values()].map((ofView) => {
    const { location, image_url: url } = pickFinding(ofView[0] as ComparedPlace);
    const certain = ofView.filter((place) => place.certain).length;
    const rows = `${ofView.length === 1 ? 'row' : 'rows'} ${ofView.map(({ row }) => row).join(', ')}`;
    const listed = `${formatFindingCount(certain, ofView.length - certain)} (${rows})`;
    return { part: describeFindingPart(location), like: readFileName(url), listed };
  });
}

/** Formats the change in condition grade over the locations both visits show; undefined without a grade. */
export function describeGrade({ grade }: Comparison): string | undefined {
  return grade
    ? `Condition on the same places: ${grade.before.toFixed(1)} → ${grade.onSamePlaces.toFixed(1)}`
    : undefined;
}

/** Formats the number of unchanged locations as a sentence. */
export function describeUnchanged({ places }: Comparison): string {
  const unchanged = places.filter(({ change }) => change === 'unchanged' || change === 'probably_unchanged');
  const certain = unchanged.filter((place) => place.certain).length;
  const probably = unchanged.filter(({ change }) => change === 'probably_unchanged').length;
  const text = formatCount(unchanged.length, 'place is unchanged', 'places are unchanged');
  const listed = unchanged.length > 0 ? ` (${formatFindingCount(certain, unchanged.length - certain)})` : '';
  return `${text}${listed}${probably > 0 ? `, ${probably} of them by the whole view or the parts alone` : ''}`;
}
