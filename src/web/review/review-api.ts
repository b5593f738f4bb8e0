import type { VisualInspection } from '../../contract/inspection.ts';
import type { DrawnBox, Stated } from '../../contract/review.ts';
import type { Placement } from '../../contract/review-answers.ts';
import { intersection } from '../../domain/geometry.ts';
import { type REVIEW_SIDE, THUMBNAIL_SIDE } from '../../domain/photo.ts';
import * as api from '../shared/api.ts';
import type { ExportName } from '../shared/exports.ts';
import { inspection, pictures, reviewedId, type Snapshot } from './state.ts';

/** Long side in pixels of a photo's stored pictures. */
export type PictureSide = typeof THUMBNAIL_SIDE | typeof REVIEW_SIDE;

/** A URL that loads no picture, so that the page displays the reason. */
const NO_PICTURE = 'data:,';

const inspectionPath = () => `/inspections/visual/${encodeURIComponent(reviewedId.value)}`;
const reviewPath = () => `${inspectionPath()}/review`;

/** Fetches the inspection under review. @throws ApiError */
export const readInspection = () => api.callApi<VisualInspection>('GET', inspectionPath());

/** Fetches the review. @throws ApiError */
export const readReview = () => api.callApi<Snapshot>('GET', reviewPath());

/** Stores all decisions. @throws ApiError */
export const putReview = (body: Pick<Snapshot, 'revision' | 'reviewer' | 'decisions'>) =>
  api.callApi<Snapshot>('PUT', reviewPath(), { body });

/** Fetches the part and the type of damage proposed for a drawn box, once the service is reached. @throws ApiError */
export function proposePlacement(imageIndex: number, box: DrawnBox, stated: Stated = {}) {
  const path = `${reviewPath()}/place`;
  return api.untilReached(() =>
    api.callApi<Placement>('POST', path, { body: { image_index: imageIndex, box, ...stated } }),
  );
}

/** Starts the analysis of a photo before a box is drawn; errors are reported with the box. */
export function prepareAnalysis(imageIndex: number): void {
  void proposePlacement(imageIndex, { x: 0, y: 0, width: 1, height: 1 }).catch(() => undefined);
}

export const finishReview = (revision: number) =>
  api.callApi('POST', `${reviewPath()}/finish`, { body: { revision } });

/** Returns the URL of a photo with a long side of `side` pixels. */
export function makePhotoUrl(index: number, side: PictureSide): string {
  const photo = pictures.value.find((one) => one.index === index);
  const link = side === THUMBNAIL_SIDE ? photo?.thumbnail_url : photo?.view_url;
  return link ? api.makeFileUrl(link) : NO_PICTURE;
}

/** Returns full-resolution pictures covering all or part of a region; empty if none is kept. */
export function listCrops(index: number, region: DrawnBox, side: number): (DrawnBox & { href: string })[] {
  const photo = pictures.value.find((one) => one.index === index);
  if (photo?.cut_url) {
    const { x, y, width, height } = region;
    const query = `&x=${x}&y=${y}&w=${width}&h=${height}&side=${side}`;
    return [{ ...region, href: api.makeFileUrl(photo.cut_url) + query }];
  }
  return (photo?.close_ups ?? [])
    .filter((one) => intersection(one, region) > 0)
    .map(({ url, ...box }) => ({ ...box, href: api.makeFileUrl(url) }));
}

export async function explainMissing(index: number): Promise<string> {
  const address = makePhotoUrl(index, THUMBNAIL_SIDE);
  if (address === NO_PICTURE)
    return 'the service keeps pictures for a few days only; the boxes are still in place.';
  const response = await fetch(address).catch(() => null);
  if (response === null) return `the ${programName()} does not answer.`;
  if (response.ok) return '';
  return (await api.readApiError(response)).message;
}

/** Downloads a file of the review through the browser. @throws ApiError */
export async function downloadExport(name: ExportName, redact: boolean): Promise<void> {
  const query = `format=${name}${redact ? '' : '&redact=false'}`;
  const response = await api.requestSuccess('GET', `../v1${reviewPath()}/export?${query}`);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await response.blob());
  link.download = /filename="(.+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

const programName = () => (api.linkSession.value === null ? 'service' : 'command');

export const MESSAGES = {
  refused: () =>
    api.linkSession.value === null
      ? ''
      : 'Press Enter in the terminal where the command runs: it prints a fresh link.',
  unreachable: (fault: string | null) =>
    `Not saved. ${fault ?? `The ${programName()} does not answer.`} Trying again.`,
  finish: () =>
    api.linkSession.value === null
      ? 'The result of the inspection stays as it was; the reviewed one is kept with it.'
      : `Writes ${nameWritten()} and ends the command.`,
  finished: () => {
    if (api.linkSession.value === null) return 'The reviewed result is kept with the inspection.';
    const { reviewed_to, report_command } = inspection.value ?? {};
    const report = reviewed_to === '-' ? '' : `: ${report_command} writes the report`;
    return `The corrected result is in ${nameWritten()}. The command has ended${report}.`;
  },
};

function nameWritten(): string | undefined {
  const path = inspection.value?.reviewed_to;
  return path === '-' ? 'the output of the command' : path;
}
