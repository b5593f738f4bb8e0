import type { RejectedImage } from '../../contract/inspection.ts';
import { type PhotoRejection, toPhotoType } from '../../domain/photo.ts';
import type { Limits } from '../../domain/sensitivity.ts';
import type { Sighting } from '../../domain/sight/sighting.ts';
import { measureAppearance } from '../../domain/sight/vehicles.ts';
import { findViewAngle } from '../../domain/sight/view-angle.ts';
import { mapConcurrently } from '../../lib/map-concurrently.ts';
import type { PhotoReader, Vision } from '../ports.ts';
import type {
  InspectHooks,
  InspectOptions,
  InspectRequest,
  PhotoInput,
  PhotoSource,
  SeenPhoto,
  SeenPhotos,
} from '../request.ts';
import { observe, type PhotoFindings } from './observe.ts';
import type { Schedule } from './schedule.ts';

export interface AnalysisDeps {
  readonly reader: PhotoReader;
  readonly vision: Vision;
  /** Photos processed in parallel, enough for decoding to keep the models busy. */
  readonly concurrency: number;
  /** Scheduler shared by all inspections of the engine. */
  readonly schedule: Schedule;
}

/** A readable photo with its findings, null if it was not analyzed; its appearance is null also without a vehicle. */
export interface AnalyzedPhoto extends Omit<SeenPhoto, 'sighting'> {
  readonly input: PhotoInput;
  readonly findings: PhotoFindings | null;
}

/** Outcome of analyzing the photos of a request. */
export interface AnalyzedPhotos {
  /** Readable photos in request order. */
  readonly usable: readonly AnalyzedPhoto[];
  readonly rejected: readonly RejectedImage[];
  /** True if cancellation left photos out. */
  readonly partial: boolean;
}

/** Reads and analyzes the photos in order, several in parallel; on cancellation, photos in flight are finished. */
export async function analyzePhotos(
  request: InspectRequest,
  deps: AnalysisDeps,
  { signal, seen, onEvent }: InspectHooks,
): Promise<AnalyzedPhotos> {
  const photos = request.photos.length;
  onEvent?.({ kind: 'started', photos });
  let done = 0;
  const rejected: RejectedImage[] = [];
  const rejecting = new AbortController();
  const stop = AbortSignal.any([rejecting.signal, ...(signal ? [signal] : [])]);
  const analyzed = await mapConcurrently(request.photos, deps.concurrency, stop, async (input, index) => {
    const { url } = input;
    const photo = await deps.schedule(photos - done, async () =>
      stop.aborted ? null : analyzePhoto(input, index, request, deps, seen),
    );
    if (photo === null) return null;
    if ('rejection' in photo) {
      rejected.push({ url, ...photo.rejection });
      if (request.allOrNothing) rejecting.abort();
      onEvent?.({ kind: 'photo_rejected', url, code: photo.rejection.code });
    }
    done++;
    onEvent?.({ kind: 'photo_done', done, photos, url });
    return photo;
  });
  const usable = analyzed.filter((one) => one !== null && 'facts' in one);
  const partial = Boolean(signal?.aborted) && usable.length + rejected.length < photos;
  return { usable, rejected, partial };
}

/** Analyzes a photo without the angle that only its name hints at, then with it unless the parts contradict it. */
async function analyzePhoto(
  input: PhotoInput,
  index: number,
  request: InspectRequest,
  deps: AnalysisDeps,
  seen: SeenPhotos | undefined,
): Promise<AnalyzedPhoto | { readonly rejection: PhotoRejection }> {
  const stated = dropHint(input);
  const isExterior = (input.type ?? toPhotoType(stated.angle ?? null)) === 'exterior';
  const isViewStated = stated.angle !== undefined;
  // The time serves to group photos by vehicle, possibly in a later inspection of those in `seen`.
  const needsTime = seen !== undefined || (request.photos.length > 1 && !request.options.oneVehicle);
  const reading = await readAndDetect(input.source, { isExterior, isViewStated, needsTime }, deps, seen);
  if (!reading.ok) return reading;
  const { sighting, appearance, ...photoFacts } = reading.photo;
  const observeAs = (by: PhotoInput) =>
    isExterior && sighting ? observePhoto(by, index, reading.photo, sighting, request, deps) : null;
  const statedFindings = observeAs(stated);
  const photo = statedFindings && input !== stated ? useHint(input, stated, statedFindings) : input;
  const isOutside = toPhotoType(photo.angle ?? null) === 'exterior';
  const findings = photo === stated ? statedFindings : isOutside ? observeAs(photo) : null;
  return { ...photoFacts, input: photo, findings, appearance: findings?.vehicle.passed ? appearance : null };
}

/** Drops a view angle that comes only from the file name. */
function dropHint(input: PhotoInput): PhotoInput {
  if (input.angleSource !== 'file_name') return input;
  const { angle: _angle, angleSource: _source, ...rest } = input;
  return rest;
}

/**
 * Returns the photo with the angle from its file name unless the parts contradict it: an outside angle if they show
 * none, an inside one if no vehicle is seen and no outside type is stated, because `seat_left.jpg` may be a SEAT.
 */
function useHint(hinted: PhotoInput, stated: PhotoInput, { vehicle, angleSeen }: PhotoFindings): PhotoInput {
  if (toPhotoType(hinted.angle ?? null) === 'exterior') return angleSeen === null ? hinted : stated;
  return vehicle.passed || hinted.type === 'exterior' ? stated : hinted;
}

/** Reads a photo and, if it is an exterior one, runs the models on it; reuses and extends the results in `seen`. */
async function readAndDetect(
  source: PhotoSource,
  { isExterior, isViewStated, needsTime }: Record<'isExterior' | 'isViewStated' | 'needsTime', boolean>,
  deps: { readonly reader: PhotoReader; readonly vision: Vision },
  seen?: SeenPhotos,
): Promise<{ ok: true; photo: SeenPhoto } | { ok: false; rejection: PhotoRejection }> {
  const known = seen?.get(source);
  if (known && (known.sighting || !isExterior)) return { ok: true, photo: known };
  const reading = await deps.reader.read(source);
  if (!reading.ok) return reading;
  const { facts, issues, perceptualHash, raster } = reading.photo;
  const picture = { raster, size: facts.size };
  const sighting = isExterior ? await deps.vision.detect(picture) : null;
  const plates = await deps.vision.findPlates(picture, sighting?.parts ?? null);
  const appearance = sighting ? measureAppearance(raster, sighting.parts) : null;
  // In a view of the whole vehicle, only plates are large enough to be read.
  const isWhole = sighting !== null && (isViewStated || findViewAngle(sighting.parts) !== null);
  const read = await deps.vision.readFacts(picture, plates ?? [], !isWhole);
  const isTimeOpen = needsTime && sighting !== null && facts.takenAt === undefined;
  const takenAt = isTimeOpen ? await deps.vision.readPrintedTime(picture) : facts.takenAt;
  const photo = { facts: { ...facts, takenAt }, issues, perceptualHash, sighting, appearance, plates, read };
  seen?.set(source, photo);
  return { ok: true, photo };
}

function observePhoto(
  input: PhotoInput,
  index: number,
  { facts: { size }, issues }: SeenPhoto,
  sighting: Sighting,
  request: InspectRequest,
  { vision }: AnalysisDeps,
): PhotoFindings {
  const { sensitivity, minConfidence } = request.options;
  const { high: widest } = vision.limits;
  const limits = findOwnLimits(vision, request.options) ?? vision.limits[sensitivity];
  const photo = { index, size, angle: input.angle ?? null, issues };
  return observe(sighting, photo, { limits, minConfidence, widest });
}

/** Returns the thresholds if the user set one; the other keeps the model's value. Certain findings are listed. */
export function findOwnLimits(
  { limits }: Pick<Vision, 'limits'>,
  { sensitivity, ownLimits }: InspectOptions,
): Limits | undefined {
  if (sensitivity !== 'default' || ownLimits === undefined) return undefined;
  const { certain, toCheck } = { ...limits.default, ...ownLimits };
  return { certain, toCheck: Math.min(certain, toCheck) };
}
