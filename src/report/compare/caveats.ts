import type { InspectionEnvelope, Photo } from '../../contract/inspection.ts';
import type { Comparison } from '../../engine/compare/comparison.ts';
import { type Difference, hasRecord } from '../../engine/compare/differences.ts';
import { compact, groupBy } from '../../lib/lists.ts';
import { namePhoto } from '../figures.ts';
import { english, listNames, type Translator } from '../translator.ts';

function describeDifference(
  difference: Exclude<Difference, 'same_photos'>,
  comparison: Comparison,
  t: Translator,
): string {
  switch (difference) {
    case 'other_models':
      return `${t`The inspections were made with different models or limits.`} ${t`Places are compared by their photos.`}`;
    case 'other_settings':
      return `${t`The inspections were made with different settings.`} ${t`Places are compared by their photos.`}`;
    case 'no_record':
      return t`${nameUnrecorded(comparison, t)} has no record of the parts in its photos: run vehi inspect on its photos again to compare more places.`;
    case 'no_photos':
      return t`Photos of these inspections were not found, so no change can be reported: name their folders with --photos-before and --photos-after.`;
  }
}

function describeCopies({ copies, after }: Comparison, t: Translator): string {
  const names = summarizePhotos(copies, after, t);
  return copies.length === 1
    ? t`${names} is in both inspections: the same file shows the same moment.`
    : t`${names} are in both inspections: the same file shows the same moment.`;
}

/** Lists the caveats that a reader of the comparison must see first. */
export function listCaveats(comparison: Comparison, t = english): readonly string[] {
  const { before, after, copies, differences } = comparison;
  const isReviewed = 'review' in before;
  return compact([
    ...differences.flatMap((one) => (one === 'same_photos' ? [] : describeDifference(one, comparison, t))),
    ...describeUnreadable(comparison, t),
    copies.length > 0 && describeCopies(comparison, t),
    isReviewed !== 'review' in after &&
      (isReviewed
        ? t`Only the earlier inspection was reviewed by a person, who may have added what the models also missed in the other: review that as well.`
        : t`Only the later inspection was reviewed by a person, who may have added what the models also missed in the other: review that as well.`),
  ]);
}

function nameUnrecorded({ before, after }: Comparison, t: Translator): string {
  if (hasRecord(before.data)) return t`The later inspection`;
  return hasRecord(after.data) ? t`The earlier inspection` : t`Each of the two inspections`;
}

/** States why both inspections are considered to show the same vehicle. */
export function describeIdentity({ before, after }: Comparison, t = english): string {
  const [one, other] = [before.data.vehicle_id, after.data.vehicle_id];
  return one === other
    ? t`One vehicle is assumed from the id ${one}; plates and VINs in the photos are not compared.`
    : t`One vehicle is assumed although the ids differ: ${one}, then ${other}.`;
}

/** Names the unreadable photos, one sentence per visit and reason. */
function describeUnreadable(comparison: Comparison, t: Translator): string[] {
  const groups = groupBy(comparison.unreadable, ({ visit, reason }) => `${visit} ${reason}`);
  return [...groups.values()].map((photos) => {
    const [first] = photos;
    const reason = t.stored(first.reason);
    const shown = photos.map(({ photo }) => photo);
    const names = summarizePhotos(shown, comparison[first.visit], t);
    const visit = first.visit === 'before' ? t`of the inspection before` : t`of the inspection after`;
    return photos.length === 1
      ? t`${names} ${visit} could not be read (${reason}): places that only it shows are not compared.`
      : t`${names} ${visit} could not be read (${reason}): places that only they show are not compared.`;
  });
}

/** Maximum number of photos listed by name; the others are counted. */
const MAX_NAMES = 3;

function summarizePhotos(photos: readonly Photo[], { data }: InspectionEnvelope, t: Translator): string {
  const names = photos.map(({ url }) => namePhoto(url, data.images));
  return listNames(names, MAX_NAMES, t);
}
