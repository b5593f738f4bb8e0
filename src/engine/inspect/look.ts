import type { RejectedImage } from '../../contract/inspection.ts';
import type { PhotoRejection } from '../../domain/photo.ts';
import { toPhotoType } from '../../domain/sight/coverage.ts';
import type { Limits } from '../../domain/sight/detection.ts';
import { measurePaintColour } from '../../domain/sight/paint.ts';
import type { Sighting } from '../../domain/sight/sighting.ts';
import { mapInOrder } from '../../lib/map-in-order.ts';
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
import { type AnalysedPhoto, findFlaw } from './present-photos.ts';
import type { InTurn } from './turns.ts';

/** Dependencies of photo analysis. */
export interface LookDeps {
  readonly reader: PhotoReader;
  readonly vision: Vision;
  /** Photos processed in parallel, enough for decoding to keep the models busy. */
  readonly concurrency: number;
  /** Scheduler shared by all inspections of the engine. */
  readonly inTurn: InTurn;
}

/** Outcome of analysing the photos of a request. */
export interface AnalysedPhotos {
  /** Readable photos in request order. */
  readonly usable: readonly AnalysedPhoto[];
  readonly rejected: readonly RejectedImage[];
  /** True if cancellation left photos out. */
  readonly partial: boolean;
}

/** Reads and analyses the photos in order, several in parallel; on cancellation, photos in flight are finished. */
export async function look(
  request: InspectRequest,
  deps: LookDeps,
  { signal, seen, onEvent }: InspectHooks,
): Promise<AnalysedPhotos> {
  const photos = request.photos.length;
  onEvent?.({ kind: 'started', photos });
  let done = 0;
  const rejected: RejectedImage[] = [];
  const refused = new AbortController();
  const stop = AbortSignal.any([refused.signal, ...(signal ? [signal] : [])]);
  const looked = await mapInOrder(request.photos, deps.concurrency, stop, async (input, index) => {
    const { url } = input;
    const one = await deps.inTurn(photos - done, async () =>
      stop.aborted ? null : lookAtPhoto(input, index, request, deps, seen),
    );
    if (one === null) return null;
    if ('rejection' in one) {
      rejected.push({ url, ...one.rejection });
      if (request.allOrNothing) refused.abort();
      onEvent?.({ kind: 'photo_rejected', url, code: one.rejection.code });
    }
    done++;
    const damages = ('findings' in one && one.findings?.observations.length) || 0;
    onEvent?.({ kind: 'photo_done', done, photos, url, damages });
    return one;
  });
  const usable = looked.filter((one) => one !== null && 'facts' in one);
  const partial = Boolean(signal?.aborted) && looked.length > 0 && usable.length + rejected.length < photos;
  return { usable, rejected, partial };
}

async function lookAtPhoto(
  input: PhotoInput,
  index: number,
  request: InspectRequest,
  deps: LookDeps,
  seen: SeenPhotos | undefined,
): Promise<AnalysedPhoto | { readonly rejection: PhotoRejection }> {
  const exterior = (input.type ?? toPhotoType(input.angle ?? null)) === 'exterior';
  const reading = await readAndDetect(input.source, exterior, deps, seen);
  if (!reading.ok) return reading;
  const { facts, issues, perceptualHash, sighting, paint } = reading.photo;
  const findings =
    exterior && sighting ? understand(input, index, reading.photo, sighting, request, deps) : null;
  return { input, facts, issues, perceptualHash, findings, paint: findings?.vehicle.passed ? paint : null };
}

/**
 * Reads a photo and, if it is an exterior one, runs the models on it. Reuses what `passed` caches for the photo and adds
 * what is new.
 */
async function readAndDetect(
  source: PhotoSource,
  exterior: boolean,
  deps: { readonly reader: PhotoReader; readonly vision: Vision },
  seen?: SeenPhotos,
): Promise<{ ok: true; photo: SeenPhoto } | { ok: false; rejection: PhotoRejection }> {
  const known = seen?.get(source);
  if (known && (known.sighting || !exterior)) return { ok: true, photo: known };
  const reading = await deps.reader.read(source);
  if (!reading.ok) return reading;
  const { facts, issues, perceptualHash, raster } = reading.photo;
  const sighting = exterior ? await deps.vision.detect({ raster, size: facts.size }) : null;
  const paint = sighting ? measurePaintColour(raster, sighting.parts) : null;
  const photo = { facts, issues, perceptualHash, sighting, paint };
  seen?.set(source, photo);
  return { ok: true, photo };
}

function understand(
  input: PhotoInput,
  index: number,
  { facts: { size }, issues }: SeenPhoto,
  sighting: Sighting,
  request: InspectRequest,
  { vision }: LookDeps,
): PhotoFindings {
  const { sensitivity, minConfidence } = request.options;
  const { high: widest } = vision.limits;
  const limits = findOwnLimits(vision, request.options) ?? vision.limits[sensitivity];
  const photo = { index, size, angle: input.angle ?? null, flaw: findFlaw(issues) };
  return observe(sighting, photo, { limits, minConfidence, widest });
}

/**
 * Returns the limits if the user set one of them; the other defaults to the model's. Certain findings are always
 * listed.
 */
export function findOwnLimits(
  { limits }: Pick<Vision, 'limits'>,
  { sensitivity, ownLimits }: InspectOptions,
): Limits | undefined {
  if (sensitivity !== 'default' || ownLimits === undefined) return undefined;
  const { certain, toCheck } = { ...limits.default, ...ownLimits };
  return { certain, toCheck: Math.min(certain, toCheck) };
}
