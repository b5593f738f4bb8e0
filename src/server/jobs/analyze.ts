import type {
  InspectionEnvelope,
  InspectionMeta,
  RejectedImage,
  VisualInspection,
} from '../../contract/inspection.ts';
import { VISUAL_DEFAULTS } from '../../domain/visual-options.ts';
import { endInspection } from '../../engine/inspect/finish.ts';
import type { InspectRequest } from '../../engine/request.ts';
import { VehiError } from '../../lib/errors.ts';
import { escapeName } from '../../lib/names.ts';
import { defined } from '../../lib/objects.ts';
import type { ReportPictures } from '../../report/pictures.ts';
import type { Attempt, InspectionRecord } from '../../storage/ports.ts';
import type { PhotoBackend } from '../backend.ts';
import { measureSince } from '../clock.ts';
import { type DrawnPhoto, namePhoto, type PhotoFile } from '../photo-files.ts';
import { makePhotoError } from '../photos/collect.ts';
import { createViewKeeper } from '../reviews/views.ts';
import type { Services } from '../services.ts';
import { nameOutput, type VisualJob } from './visual-job.ts';

/** One attempt at the job of a stored inspection. */
export interface RunningJob {
  readonly record: InspectionRecord;
  readonly job: VisualJob;
  readonly attempt: Attempt;
  readonly services: Services;
}

function toInspectRequest({ record, job, photos, skipped, services }: Task): InspectRequest {
  const options = { ...VISUAL_DEFAULTS, ...job.options };
  return {
    id: record.id,
    vehicleId: record.vehicleId,
    createdAt: record.createdAt,
    requestId: job.requestId,
    ...defined({ ignored: (record.meta as Partial<InspectionMeta>).warnings }),
    rejected: [...job.unusable.map(({ index: _index, ...rejected }) => rejected), ...skipped],
    order: job.images.map(({ url }) => url),
    allOrNothing: !options.skip_unusable_images,
    photos: photos.map(({ image, source }) => ({ ...image, source, angleSource: 'request' })),
    options: {
      detailed: options.detailed_analysis,
      hiddenDamage: options.detect_hidden_damage,
      oneVehicle: options.one_vehicle,
      region: job.options.labor_rate_region ?? job.settings.region,
      currency: job.options.currency ?? job.settings.currency,
      sensitivity: 'default',
      minConfidence: job.settings.minConfidence,
      ...defined({ ownLimits: services.settings.ownLimits }),
    },
  };
}

/** A received photo of the request; `index` is its position in `images`. */
interface ReceivedPhoto extends PhotoFile {
  readonly image: VisualJob['images'][number];
}

/** Lists the photos to inspect; each is read when it is opened. */
function listPhotos({ record: { id }, job, attempt, services }: RunningJob): ReceivedPhoto[] {
  const isLeftOut = (index: number) =>
    attempt.crashedPhotos.includes(index) || job.unusable.some((photo) => photo.index === index);
  const read = async (index: number) => {
    const bytes = await services.store.blobs.get(id, namePhoto(index));
    if (bytes) return bytes;
    const message = `photo ${index} of ${id} is missing from the data directory.`;
    throw new VehiError('engine', 'PHOTOS_LOST', message);
  };
  return job.images
    .map((image, index) => ({
      image,
      index,
      source: { kind: 'stored', read: () => read(index), name: image.url } as const,
    }))
    .filter(({ index }) => !isLeftOut(index));
}

/** Returns the `rejected_images` entry for a photo that crashed the process opening it. */
function describeCrashedPhoto({ url }: VisualJob['images'][number]): RejectedImage {
  return {
    url,
    code: 'IMAGE_CRASHES_DECODER',
    message: `${escapeName(url)}: the program that reads photos crashes on this one.`,
    found: 'a photo that cannot be opened safely',
    needed: 'the photo saved again by another program, or another photo',
  };
}

/** Throws for the request's first rejected photo, unless the options skip such photos. @throws ApiError for that photo */
function rejectIncomplete({ images, options }: VisualJob, [rejected]: readonly RejectedImage[]): void {
  if (!rejected || options.skip_unusable_images) return;
  const index = images.findIndex((image) => image.url === rejected.url);
  throw makePhotoError(rejected, index);
}

/**
 * Analyzes the stored photos of an inspection and writes its outputs, in a child process if the attempt requires it.
 * @throws ApiError for a refused photo; VehiError if photos are lost, the models cannot run, or the job times out;
 * ChildDiedError, NoChildError.
 */
export async function analyze(running: RunningJob, signal: AbortSignal): Promise<InspectionEnvelope> {
  const { record, job, attempt, services } = running;
  const { quarantine } = services;
  if (job.simulate.outcome === 'failed')
    throw new VehiError('engine', 'SIMULATED', 'failed as X-Vehi-Simulate requested.');
  const crashed = job.images
    .filter((_image, index) => attempt.crashedPhotos.includes(index))
    .map(describeCrashedPhoto);
  rejectIncomplete(job, crashed);
  const photos = listPhotos(running);
  const task: Task = { ...running, photos, skipped: crashed, signal };
  if (!quarantine || !attempt.inChild) {
    const { engine, artifacts } = services.backend;
    const inspect: PhotoBackend['inspect'] = (request) => engine.inspect(request, { signal });
    return analyzePhotos({ inspect, draw: artifacts.draw }, task);
  }
  return quarantine.run(
    {
      photos: photos.map(({ index }) => index),
      onOpen: (photo) => services.store.inspections.recordOpening(record.id, attempt.token, photo),
      signal,
    },
    (backend) => analyzePhotos(backend, task),
  );
}

/** An attempt with the photos that it opens, and the entries of those that crashed an earlier one. */
interface Task extends RunningJob {
  readonly photos: readonly ReceivedPhoto[];
  readonly skipped: readonly RejectedImage[];
  readonly signal: AbortSignal;
}

async function analyzePhotos(backend: PhotoBackend, task: Task): Promise<InspectionEnvelope> {
  const { record, job, photos, services, signal } = task;
  const result = await backend.inspect(toInspectRequest(task));
  if (signal.aborted) throw new VehiError('engine', 'TIMEOUT', 'the analysis took too long.');
  const { data } = result;
  rejectIncomplete(job, data.rejected_images);
  const files = listUsablePhotos(data, photos);
  const hasReport =
    (job.options.generate_report ?? VISUAL_DEFAULTS.generate_report) && data.status === 'completed';
  const { annotated, pictures } = await drawPhotos(data, files, hasReport, backend, task);
  const completion = measureSince(record.createdAt, services.clock);
  const completed = endInspection(result, { annotated, completion });
  return hasReport
    ? endInspection(completed, { pdf: await storeReport(completed, pictures, task) })
    : completed;
}

/** Maps the images of a result to their photos; images the decoder rejected are absent from the result. */
function listUsablePhotos({ images }: VisualInspection, photos: readonly ReceivedPhoto[]): PhotoFile[] {
  let next = 0;
  return images.flatMap(({ index, url }) => {
    while (next < photos.length && photos[next]?.image.url !== url) next++;
    const photo = photos[next++];
    return photo ? [{ index, source: photo.source }] : [];
  });
}

/** Draws and stores all photos. Returns the annotated photos' file names by image index, and the report's pictures. */
async function drawPhotos(
  inspection: VisualInspection,
  photos: readonly PhotoFile[],
  report: boolean,
  backend: PhotoBackend,
  { job, attempt, services }: Task,
): Promise<{ annotated: ReadonlyMap<number, string>; pictures: ReportPictures }> {
  const annotated = new Map<number, string>();
  const viewKeeper = await createViewKeeper(inspection, job.settings.keepViewsDays, services);
  const listRegions = viewKeeper?.listRegions ?? null;
  let hasFailed = false;
  const writes: Promise<void>[] = [];
  const storeOne = async ({ index, annotated: jpeg, views: photoViews }: DrawnPhoto) => {
    if (jpeg) {
      const name = nameOutput(`annotated-${index}.jpg`, attempt.number);
      await services.store.blobs.put(inspection.inspection_id, name, jpeg);
      annotated.set(index, name);
    }
    if (photoViews) await viewKeeper?.keep(index, photoViews);
  };
  const storeDrawings = async (drawn: DrawnPhoto) => {
    if (hasFailed) return;
    writes.push(storeOne(drawn));
    await writes.at(-1);
  };
  try {
    const pictures = await backend.draw(inspection, photos, { listRegions, report }, storeDrawings);
    return { annotated, pictures };
  } catch (error) {
    // Other photos are still being drawn; their files must not outlive those of the failed attempt.
    hasFailed = true;
    await Promise.allSettled(writes);
    throw error;
  }
}

/** Stores the PDF report and returns its file name; null if it cannot be rendered, because a report is optional. */
async function storeReport(
  envelope: InspectionEnvelope,
  pictures: ReportPictures,
  { record: { id }, attempt, services: { backend, store, log } }: Task,
): Promise<string | null> {
  const pdf = await backend.artifacts.renderInspectionPdf(envelope, pictures).catch((err: unknown) => {
    log.error({ inspection: id, err }, 'report could not be made');
    return null;
  });
  if (!pdf) return null;
  const name = nameOutput('report.pdf', attempt.number);
  await store.blobs.put(id, name, pdf);
  return name;
}
