import type { InspectionMeta, RejectedImage, VisualInspection } from '../../contract/inspection.ts';
import type { InspectRequest } from '../../engine/request.ts';
import { VehiError } from '../../lib/errors.ts';
import type { ReportPictures } from '../../report/pictures.ts';
import type { InspectionRecord } from '../../storage/ports.ts';
import { isStorageTrouble } from '../http/api-error.ts';
import { photoError } from '../photos/collect.ts';
import type { DrawnPhoto, PhotoFile } from '../ports.ts';
import { viewKeeper } from '../reviews/views.ts';
import type { Services } from '../services.ts';
import { outputName, photoName, type VisualJob } from './visual-job.ts';

/** A finished analysis: its document and its meta. */
export interface Analysis {
  readonly inspection: VisualInspection;
  readonly meta: InspectionMeta;
}

function toEngine(
  record: InspectionRecord,
  job: VisualJob,
  photos: readonly StoredPhoto[],
  services: Services,
): InspectRequest {
  const { settings } = services;
  return {
    vehicleId: record.vehicleId,
    photos: photos.map(({ image, bytes }) => ({
      source: { kind: 'bytes', bytes, name: image.url },
      url: image.url,
      angle: image.angle,
      angleSource: 'request',
      type: image.type,
    })),
    options: {
      detailed: job.options.detailed_analysis ?? false,
      hiddenDamage: job.options.detect_hidden_damage ?? false,
      region: job.options.labor_rate_region ?? settings.region,
      currency: job.options.currency ?? settings.currency,
      sensitivity: 'default',
      minConfidence: settings.minConfidence,
      ...(settings.ownLimits === undefined ? {} : { ownLimits: settings.ownLimits }),
    },
  };
}

/** A photo of the request that was taken in; `index` as in `images`. */
interface StoredPhoto extends PhotoFile {
  readonly image: VisualJob['images'][number];
}

async function loadPhotos(
  record: InspectionRecord,
  job: VisualJob,
  services: Services,
): Promise<StoredPhoto[]> {
  const wanted = job.images
    .map((image, index) => ({ image, index }))
    .filter(({ index }) => !job.unusable?.some((one) => one.index === index));
  return Promise.all(
    wanted.map(async ({ image, index }) => {
      const bytes = await services.store.blobs.get(record.id, photoName(index));
      if (!bytes)
        throw new VehiError(
          'engine',
          'PHOTOS_LOST',
          `photo ${index} of ${record.id} is gone from the data directory`,
        );
      return { image, index, bytes };
    }),
  );
}

/** Draws the photos, each opened once, and stores what was drawn; names of annotated photos go into the document. */
async function withDrawings(
  inspection: VisualInspection,
  photos: readonly PhotoFile[],
  report: boolean,
  attempt: number,
  services: Services,
): Promise<{ inspection: VisualInspection; pictures: ReportPictures }> {
  const names = new Map<number, string>();
  const views = await viewKeeper(inspection, services);
  const closeUpsOf = views && ((index: number) => views.closeUpsOf(index));
  const keep = async ({ index, annotated, views: made }: DrawnPhoto) => {
    if (annotated) {
      const name = outputName(`annotated-${index}.jpg`, attempt);
      await services.store.blobs.put(inspection.inspection_id, name, annotated);
      names.set(index, name);
    }
    if (made) await views?.keep(index, made);
  };
  const { artifacts } = services.programs;
  const pictures = await artifacts.draw(inspection, photos, { closeUpsOf, report }, keep);
  const nameOf = (index: number | undefined) => (index === undefined ? null : (names.get(index) ?? null));
  const results = inspection.results && {
    ...inspection.results,
    damages: inspection.results.damages.map((damage) => ({
      ...damage,
      annotated_url: nameOf(damage.evidence[0]?.image_index),
    })),
  };
  const images = inspection.images.map((image) => ({ ...image, annotated_url: nameOf(image.index) }));
  return { inspection: { ...inspection, results, images }, pictures };
}

/** Stores the PDF report; an inspection whose PDF cannot be made is complete without it, and says so. */
async function withReport(
  result: Analysis,
  pictures: ReportPictures,
  attempt: number,
  services: Services,
): Promise<Analysis> {
  const { inspection, meta } = result;
  try {
    const pdf = await services.programs.artifacts.inspectionPdf(
      { status: 'success', data: inspection, meta },
      pictures,
    );
    const name = outputName('report.pdf', attempt);
    await services.store.blobs.put(inspection.inspection_id, name, pdf);
    return { meta, inspection: { ...inspection, reports: { pdf_url: name, json_url: null } } };
  } catch (error) {
    // Made again with the whole analysis when there is room.
    if (isStorageTrouble(error)) throw error;
    services.log.error({ inspection: inspection.inspection_id, err: error }, 'report could not be made');
    const warning = { code: 'REPORT_UNAVAILABLE', message: 'The PDF report could not be made.' };
    return { meta, inspection: { ...inspection, warnings: [...inspection.warnings, warning] } };
  }
}

/**
 * Looks at the stored photos of an inspection and makes its files.
 * @throws VehiError when photos are lost or refused, the models cannot run, or time is up.
 */
export async function analyse(
  record: InspectionRecord,
  job: VisualJob,
  attempt: number,
  services: Services,
  signal: AbortSignal,
): Promise<Analysis> {
  const { clock, programs, metrics } = services;
  if (job.simulate.outcome === 'failed')
    throw new VehiError('engine', 'SIMULATED', 'failed as X-Vehi-Simulate asked');
  const photos = await loadPhotos(record, job, services);
  const startedMs = clock.monotonicMs();
  const envelope = await programs.engine.inspect(toEngine(record, job, photos, services), { signal });
  if (photos.length > 0) metrics.inference.observe((clock.monotonicMs() - startedMs) / 1000 / photos.length);
  if (signal.aborted) throw new VehiError('engine', 'TIMEOUT', 'the analysis took too long');
  const [rejected] = envelope.data.rejected_images;
  if (rejected && !job.options.skip_unusable_images) {
    const index = job.images.findIndex((image) => image.url === rejected.url);
    const error = photoError(Math.max(0, index), rejected);
    throw new VehiError('input', error.code, error.message, {
      field: error.field ?? 'images',
      details: error.details ?? {},
    });
  }
  const inspection: VisualInspection = {
    ...envelope.data,
    inspection_id: record.id,
    vehicle_id: record.vehicleId,
    created_at: record.createdAt,
    reports: { pdf_url: null, json_url: null },
    rejected_images: allRejected(job, envelope.data.rejected_images),
  };
  const usable = usablePhotos(inspection, photos);
  const reported = job.options.generate_report !== false && inspection.status === 'completed';
  const drawn = await withDrawings(inspection, usable, reported, attempt, services);
  const { completedAt, processingTime } = services.stopwatch.read(record.id, record.createdAt);
  const result: Analysis = {
    inspection: { ...drawn.inspection, completed_at: completedAt, processing_time: processingTime },
    meta: { ...envelope.meta, request_id: job.requestId, processing_time: processingTime },
  };
  return reported ? withReport(result, drawn.pictures, attempt, services) : result;
}

/** Photos that were left out, when they were taken in or when they were decoded, in the order of the request. */
function allRejected(job: VisualJob, decoded: readonly RejectedImage[]): RejectedImage[] {
  const orderOf = ({ url }: RejectedImage) => job.images.findIndex((image) => image.url === url);
  const takenIn = (job.unusable ?? []).map(({ index: _index, ...rejected }) => rejected);
  return [...takenIn, ...decoded].sort((a, b) => orderOf(a) - orderOf(b));
}

/** The photos of a result by its own count, which leaves out those that the decoder rejected. */
function usablePhotos({ images }: VisualInspection, photos: readonly StoredPhoto[]): PhotoFile[] {
  let next = 0;
  return images.flatMap(({ index, url }) => {
    while (next < photos.length && photos[next]?.image.url !== url) next++;
    const photo = photos[next++];
    return photo ? [{ index, bytes: photo.bytes }] : [];
  });
}
