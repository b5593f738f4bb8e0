import type { InspectionEnvelope, VisualInspection } from '../../contract/inspection.ts';
import type {
  Decision,
  DrawnBox,
  Placement,
  ReviewEvent,
  ReviewedEnvelope,
  ReviewSnapshot,
  Said,
  WaitingPhoto,
} from '../../contract/review.ts';
import type { ReviewAnswer } from '../../contract/review-answers.ts';
import { ask, call, linked, makeFileAddress, readRefusal } from '../app/api.ts';
import { Refused } from '../shared/refused.ts';

export type Opened = ReviewSnapshot & { readonly inspection: InspectionEnvelope; readonly output: string };

/** What there is before the review: the photos that are being analysed. */
export interface Waiting {
  readonly vehicle_id: string;
  readonly waiting: readonly (WaitingPhoto & { readonly picture?: string })[];
}

/** An address at which no picture is, so that the page says why. */
const NO_PICTURE = 'data:,';

let id = '';
let inspection: VisualInspection | null = null;
let photos: ReviewAnswer['photos'] = [];

/** Reviews this inspection from now on. */
export function reviewInspection(inspectionId: string): void {
  id = inspectionId;
  inspection = null;
  photos = [];
}

const path = () => `/inspections/visual/${encodeURIComponent(id)}/review`;

const makeSnapshot = (answer: ReviewAnswer): ReviewSnapshot => ({
  revision: answer.revision,
  reviewer: answer.reviewer,
  decisions: answer.decisions as readonly Decision[],
  reviewed: {
    ...makeEnvelope(inspection, answer.results),
    review: answer.review as ReviewedEnvelope['review'],
  },
  saved_at: answer.saved_at,
  ...(answer.left_out ? { left_out: answer.left_out } : {}),
});

/** Reads the review, or that there is none yet. @throws Refused */
export async function readReview(): Promise<Opened | Waiting> {
  try {
    const [found, review] = await Promise.all([
      call<VisualInspection & { reviewed_to?: string }>(
        'GET',
        `/inspections/visual/${encodeURIComponent(id)}`,
      ),
      call<ReviewAnswer>('GET', path()),
    ]);
    inspection = found;
    photos = review.photos;
    const output = found.reviewed_to ?? '';
    return { ...makeSnapshot(review), inspection: makeEnvelope(found, found.results), output };
  } catch (error) {
    if (linked.value === null || !(error instanceof Refused) || error.code !== 'NOTHING_TO_REVIEW')
      throw error;
    return { vehicle_id: '', waiting: [] };
  }
}

/** Stores all decisions. @throws Refused */
export async function putReview(body: {
  readonly revision: number;
  readonly reviewer: string;
  readonly decisions: readonly Decision[];
}): Promise<ReviewSnapshot> {
  return makeSnapshot(await call<ReviewAnswer>('PUT', path(), { body }));
}

/** Asks where a drawn box lies, and what damage it would be. */
export const placeBox = (image_index: number, box: DrawnBox, said: Said = {}) =>
  call<Placement>('POST', `${path()}/place`, { body: { image_index, box, ...said } });

/** Has a photo looked at ahead of a drawing; a failure is reported when something is drawn. */
export function prepare(imageIndex: number): void {
  void placeBox(imageIndex, { x: 0, y: 0, width: 1, height: 1 }).catch(() => undefined);
}

export const finishReview = (revision: number) => call('POST', `${path()}/finish`, { body: { revision } });

/**
 * Calls `onEvent` for what happens until the connection ends.
 * @throws Refused where the session is over, or nobody answers
 */
export async function follow(onEvent: (event: ReviewEvent) => void): Promise<void> {
  const answer = await ask('GET', `../v1${path()}/events`);
  if (!answer.ok || !answer.body) throw readRefusal(answer.status, null);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: '' }));
    if (done) return;
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onEvent(JSON.parse(line) as ReviewEvent);
  }
}

/** Returns the address of a photo; `side` is the longest in pixels. */
export function photoAddress(index: number, side: 320 | 2048): string {
  const photo = photos.find((one) => one.index === index);
  const link = side === 320 ? photo?.thumbnail_url : photo?.view_url;
  return link ? makeFileAddress(link) : NO_PICTURE;
}

/**
 * Returns pictures in the photo's own pixels that show a region, or some of it; none where the view is the sharpest
 * there is.
 */
export function cutOuts(index: number, region: DrawnBox, side: number): (DrawnBox & { href: string })[] {
  const photo = photos.find((one) => one.index === index);
  if (photo?.cut_url) {
    const { x, y, width, height } = region;
    const asked = `&x=${x}&y=${y}&w=${width}&h=${height}&side=${side}`;
    return [{ ...region, href: makeFileAddress(photo.cut_url) + asked }];
  }
  return (photo?.close_ups ?? [])
    .filter((one) => overlap(one, region))
    .map(({ url, ...box }) => ({ ...box, href: makeFileAddress(url) }));
}

/** Returns why a photo cannot be shown. */
export async function whyMissing(index: number): Promise<string> {
  const address = photoAddress(index, 320);
  if (address === NO_PICTURE)
    return 'the service keeps pictures for some days only; the boxes are still where they were.';
  const answer = await fetch(address).catch(() => null);
  if (answer === null) return `the ${answerer()} does not answer.`;
  if (answer.ok) return '';
  const body = (await answer.json().catch(() => ({}))) as { error?: { message?: string } };
  return body.error?.message ?? 'it cannot be shown.';
}

/** What a review can be exported as. */
export const EXPORTS = [
  { name: 'pdf', words: 'PDF report', file: 'report.pdf' },
  { name: 'html', words: 'HTML report', file: 'report.html' },
  { name: 'json', words: 'JSON, the result with the review', file: 'report.json' },
  { name: 'csv', words: 'CSV, a row per damage', file: 'report.csv' },
  { name: 'estimate', words: 'Estimate, a row per line', file: 'estimate.csv' },
  {
    name: 'coco',
    words: 'COCO of the corrections, for vehi models eval and for training',
    file: 'corrections.coco.json',
  },
] as const;
export type ExportName = (typeof EXPORTS)[number]['name'];

/** Fetches a file of the review and hands it to the browser. @throws Refused */
export async function download(name: ExportName, redact: boolean): Promise<void> {
  const answer = await ask('GET', `../v1${path()}/export?format=${name}${redact ? '' : '&redact=false'}`);
  if (!answer.ok) throw readRefusal(answer.status, await answer.json().catch(() => null));
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await answer.blob());
  const vehicle = (inspection?.vehicle_id ?? 'review').replace(/[^\w-]/g, '_');
  link.download = `${vehicle}-${EXPORTS.find((one) => one.name === name)?.file ?? name}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Who answers this page. */
const answerer = () => (linked.value === null ? 'service' : 'command');

/** What the page says of who keeps the review. */
export const words = {
  refused: () =>
    linked.value === null
      ? ''
      : 'Press Enter in the terminal where the command runs: it prints a fresh link.',
  unreachable: () => `Not saved: the ${answerer()} does not answer. Trying again.`,
  silent: () => `Saved. The ${answerer()} does not answer; trying again.`,
  finish: (output: string) =>
    linked.value === null
      ? 'The result of the inspection stays as it was; the reviewed one is kept with it.'
      : `Writes ${output}; the command ends when this page is closed.`,
  finished: (output: string) =>
    linked.value === null
      ? 'The reviewed result is kept with the inspection.'
      : `The corrected result is in ${output}. The command ends when this page is closed.`,
};

/** Returns where the page came from; null where it was opened by a link. */
export const back = () =>
  linked.value === null ? { href: `#/inspections/${id}`, words: '‹ Inspection' } : null;

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
