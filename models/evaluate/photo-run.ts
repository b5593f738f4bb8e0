import type { Size } from '../../src/domain/geometry.ts';
import type { SizedRaster } from '../../src/domain/photo.ts';
import type { PartMap } from '../../src/domain/sight/detection.ts';
import { toReason, VehiError } from '../../src/lib/errors.ts';
import { mapConcurrently } from '../../src/lib/map-concurrently.ts';
import type { ScoredFinding } from './damage-score.ts';

/** Dependencies of a measurement, shared with inspections. */
export interface EvaluationPorts {
  /** Decodes a photo of any size and format, upright. Rejects with a user-readable reason. */
  decode(path: string): Promise<SizedRaster>;
  runModels(
    photo: SizedRaster,
  ): Promise<{ readonly detections: readonly ScoredFinding[]; readonly parts: PartMap }>;
  /** Called after each photo. */
  onProgress?(done: number, photos: number): void;
  /** Photos processed in parallel. */
  readonly concurrency: number;
  /** Stops after the photos in flight. */
  readonly signal?: AbortSignal;
}

/** A photo that could not be evaluated, with the reason. */
export interface PhotoFailure {
  readonly file: string;
  readonly reason: string;
}

/**
 * Processes photos in parallel, with results in photo order. A failed photo is recorded and omitted.
 * @throws errors of kind `engine` from `work`, after which no photo is started: without models there is nothing to
 *   measure.
 */
export async function mapPhotos<P extends { readonly file: string }, R>(
  photos: readonly P[],
  ports: Pick<EvaluationPorts, 'onProgress' | 'concurrency' | 'signal'>,
  work: (photo: P, index: number) => Promise<R>,
): Promise<{ results: R[]; failures: PhotoFailure[] }> {
  let done = 0;
  const outcomes = await mapConcurrently(photos, ports.concurrency, ports.signal, async (photo, index) => {
    const outcome = await work(photo, index).then(
      (result) => ({ result }),
      (error: unknown) => {
        if (error instanceof VehiError && error.kind === 'engine') throw error;
        return { failure: { file: photo.file, reason: toReason(error) } };
      },
    );
    ports.onProgress?.(++done, photos.length);
    return outcome;
  });
  return {
    results: outcomes.flatMap((one) => (one && 'result' in one ? [one.result] : [])),
    failures: outcomes.flatMap((one) => (one && 'failure' in one ? [one.failure] : [])),
  };
}

/** Validates that a photo has the size of its annotations. @throws VehiError `PHOTO_SIZE_MISMATCH` */
export function checkSize(image: Size, { size }: SizedRaster): void {
  if (size.width === image.width && size.height === image.height) return;
  const [found, expected] = [size, image].map(({ width, height }) => `${width}x${height}`);
  throw new VehiError(
    'input',
    'PHOTO_SIZE_MISMATCH',
    `the photo is ${found}, its annotations are for ${expected}`,
  );
}
