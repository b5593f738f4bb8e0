import type { InspectionEnvelope, VisualInspection } from '../../contract/inspection.ts';
import type {
  Decision,
  DrawnBox,
  Placement,
  ReviewedEnvelope,
  ReviewSnapshot,
} from '../../contract/review.ts';
import type { ReviewAnswer } from '../../contract/review-answers.ts';
import type { ReviewDoor } from '../review/door.ts';
import { call, makeFileAddress } from './api.ts';

/** An address at which no picture is, so that the page says why. */
const NO_PICTURE = 'data:,';

/** Returns the door to the review of one inspection that the service keeps. */
export function createServiceDoor(id: string): ReviewDoor {
  const path = `/inspections/visual/${encodeURIComponent(id)}/review`;
  let inspection: VisualInspection | null = null;
  let photos: ReviewAnswer['photos'] = [];

  const makeSnapshot = ({
    revision,
    reviewer,
    decisions,
    results,
    review,
    saved_at,
    left_out,
  }: ReviewAnswer): ReviewSnapshot => ({
    revision,
    reviewer,
    decisions: decisions as readonly Decision[],
    reviewed: { ...makeEnvelope(inspection, results), review: review as ReviewedEnvelope['review'] },
    saved_at,
    ...(left_out ? { left_out } : {}),
  });

  return {
    open: async () => undefined,
    async read() {
      const [found, review] = await Promise.all([
        call<VisualInspection>('GET', `/inspections/visual/${encodeURIComponent(id)}`),
        call<ReviewAnswer>('GET', path),
      ]);
      inspection = found;
      photos = review.photos;
      return { ...makeSnapshot(review), inspection: makeEnvelope(found, found.results), output: '' };
    },
    put: async (body) => makeSnapshot(await call<ReviewAnswer>('PUT', path, { body })),
    place: (image_index, box, said) =>
      call<Placement>('POST', `${path}/place`, { body: { image_index, box, ...said } }),
    prepare: async () => undefined,
    finish: (revision) => call('POST', `${path}/finish`, { body: { revision } }),
    follow: null,
    waitingAddress: () => NO_PICTURE,
    photoAddress(index, side) {
      const photo = photos.find((one) => one.index === index);
      const link = side === 320 ? photo?.thumbnail_url : photo?.view_url;
      return link ? makeFileAddress(link) : NO_PICTURE;
    },
    // The originals are not kept, but the surroundings of each find are.
    cutOuts: (index, region) =>
      (photos.find((one) => one.index === index)?.close_ups ?? [])
        .filter((one) => overlap(one, region))
        .map(({ url, ...box }) => ({ ...box, href: makeFileAddress(url) })),
    exportAddress: (name, redact) => `../v1${path}/export?format=${name}${redact ? '&redact=true' : ''}`,
    whyMissing: async () =>
      'the service keeps pictures for some days only; the boxes are still where they were.',
    exports: [
      { name: 'pdf', words: 'PDF report' },
      { name: 'html', words: 'HTML report' },
      { name: 'json', words: 'JSON, the result with the review' },
      { name: 'csv', words: 'CSV, a row per damage' },
      { name: 'coco', words: 'COCO of the corrections, for vehi models eval and for training' },
    ],
    canRedact: true,
    words: {
      refused: '',
      unreachable: 'Not saved: the service does not answer. Trying again.',
      silent: 'The service does not answer; everything is saved.',
      finish: () => 'The result of the inspection stays as it was; the reviewed one is kept with it.',
      finished: () => 'The reviewed result is kept with the inspection.',
    },
    back: { href: `#/inspections/${id}`, words: '‹ Inspection' },
  };
}

function overlap(a: DrawnBox, b: DrawnBox): boolean {
  const across = a.x < b.x + b.width && b.x < a.x + a.width;
  return across && a.y < b.y + b.height && b.y < a.y + a.height;
}

/** Returns an envelope around the data: the page reads nothing else of it. */
function makeEnvelope(
  data: VisualInspection | null,
  results: VisualInspection['results'],
): InspectionEnvelope {
  return { status: 'success', data: { ...data, results }, meta: {} } as InspectionEnvelope;
}
