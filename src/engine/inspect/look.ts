import type { RejectedImage } from '../../contract/inspection.ts';
import { toPhotoType } from '../../domain/sight/coverage.ts';
import type { Limits } from '../../domain/sight/detection.ts';
import type { Sighting } from '../../domain/sight/sighting.ts';
import { mapInOrder } from '../../lib/in-order.ts';
import type { PhotoReader, Vision } from '../ports.ts';
import type {
  InspectHooks,
  InspectOptions,
  InspectRequest,
  PhotoInput,
  SeenPhoto,
  SeenPhotos,
} from '../request.ts';
import { observe, type PhotoFindings } from './observe.ts';
import { findFlaw, type Looked } from './present-photos.ts';
import { seePhoto } from './seen-photo.ts';

/** What looking at photos works with. */
export interface LookDeps {
  readonly reader: PhotoReader;
  readonly vision: Vision;
  /** Photos in the works at once: enough that decoding never starves the models. */
  readonly concurrency: number;
}

/** Reads and analyses every photo, a few at a time, in order; null for those rejected or not begun after a stop. */
export async function lookAtAll(
  request: InspectRequest,
  deps: LookDeps,
  hooks: InspectHooks,
  rejected: RejectedImage[],
): Promise<readonly (Looked | null)[]> {
  let done = 0;
  const refused = new AbortController();
  const stop = AbortSignal.any([refused.signal, ...(hooks.signal ? [hooks.signal] : [])]);
  return mapInOrder(request.photos, deps.concurrency, stop, async (input, index) => {
    const looked = await lookAt(input, index, request, deps, hooks.seen, (rejection) => {
      rejected.push(rejection);
      if (request.allOrNothing) refused.abort();
      hooks.onEvent?.({ kind: 'photo_rejected', url: input.url, code: rejection.code });
    });
    done++;
    const found = looked?.findings?.observations.length ?? 0;
    hooks.onEvent?.({
      kind: 'photo_done',
      done,
      photos: request.photos.length,
      url: input.url,
      damages: found,
    });
    return looked;
  });
}

async function lookAt(
  input: PhotoInput,
  index: number,
  request: InspectRequest,
  deps: LookDeps,
  seen: SeenPhotos | undefined,
  reject: (rejection: RejectedImage) => void,
): Promise<Looked | null> {
  const exterior = (input.type ?? toPhotoType(input.angle ?? null)) === 'exterior';
  const reading = await seePhoto(input.source, exterior, deps, seen);
  if (!reading.ok) {
    reject({ url: input.url, ...reading.rejection });
    return null;
  }
  const { facts, issues, perceptualHash, sighting, paint } = reading.photo;
  const findings =
    exterior && sighting ? understand(input, index, reading.photo, sighting, request, deps) : null;
  return { input, facts, issues, perceptualHash, findings, paint: findings?.vehicle.seen ? paint : null };
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
  const limits = applyOwnLimits(vision.limits[sensitivity], request.options);
  const about = { index, size, angle: input.angle ?? null, flaw: findFlaw(issues) };
  return observe(sighting, about, { limits, minConfidence, widest });
}

/**
 * Returns the models' limits with those that somebody set instead; nothing is certain that would not even be listed.
 */
function applyOwnLimits(limits: Limits, { sensitivity, ownLimits }: InspectOptions): Limits {
  if (sensitivity !== 'default' || ownLimits === undefined) return limits;
  const { certain = limits.certain, toCheck = limits.toCheck } = ownLimits;
  return { certain, toCheck: Math.min(certain, toCheck) };
}
