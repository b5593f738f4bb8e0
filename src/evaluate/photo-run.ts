import type { Size } from '../domain/geometry.ts';
import type { PartMap } from '../domain/sight/detection.ts';
import { VehiError } from '../lib/errors.ts';
import type { Picture } from '../vision/vision.ts';
import type { ScoredFinding } from './damage-score.ts';

/** Dependencies of a measurement, shared with inspections. */
export interface EvaluationPorts {
  /** Decodes a photo of any size and format, upright. Rejects with a user-readable reason. */
  decode(path: string): Promise<Picture>;
  look(photo: Picture): Promise<{ readonly findings: readonly ScoredFinding[]; readonly parts: PartMap }>;
  /** Called after each photo. */
  onProgress?(done: number, photos: number): void;
  /** Photos processed in parallel. */
  readonly atOnce: number;
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
 * @throws errors of kind `engine` from `work`: without models there is nothing to measure.
 */
export async function forEachPhoto<P extends { readonly file: string }, R>(
  photos: readonly P[],
  ports: Pick<EvaluationPorts, 'onProgress' | 'atOnce' | 'signal'>,
  work: (photo: P, index: number) => Promise<R>,
): Promise<{ results: R[]; failures: PhotoFailure[] }> {
  const outcomes: ({ result: R } | { failure: PhotoFailure } | undefined)[] = photos.map(() => undefined);
  let [next, done] = [0, 0];
  const lane = async (): Promise<void> => {
    for (let index = next++; index < photos.length && !ports.signal?.aborted; index = next++) {
      const photo = photos[index] as P;
      try {
        outcomes[index] = { result: await work(photo, index) };
      } catch (error) {
        if ((error as { kind?: unknown }).kind === 'engine') throw error;
        outcomes[index] = {
          failure: { file: photo.file, reason: error instanceof Error ? error.message : String(error) },
        };
      }
      done++;
      ports.onProgress?.(done, photos.length);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, ports.atOnce) }, lane));
  return {
    results: outcomes.flatMap((outcome) =>
      outcome !== undefined && 'result' in outcome ? [outcome.result] : [],
    ),
    failures: outcomes.flatMap((outcome) =>
      outcome !== undefined && 'failure' in outcome ? [outcome.failure] : [],
    ),
  };
}

/** Validates that a photo has the size of its annotations. @throws VehiError `PHOTO_SIZE_MISMATCH` */
export function checkSize(image: Size, { size }: Picture): void {
  if (size.width === image.width && size.height === image.height) return;
  const [found, expected] = [size, image].map(({ width, height }) => `${width}x${height}`);
  throw new VehiError(
    'input',
    'PHOTO_SIZE_MISMATCH',
    `the photo is ${found}, its annotations are for ${expected}`,
  );
}
