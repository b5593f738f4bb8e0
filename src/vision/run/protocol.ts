import type { Size } from '../../domain/geometry.ts';
import type { GreyImage } from '../../domain/photo.ts';
import type { KeyPoints, PointMask } from '../../domain/sight/place/keypoints.ts';
import { type ErrorKind, VehiError } from '../../lib/errors.ts';
import type { PartCells } from '../boxes/decode-parts.ts';
import type { ScoredBox } from '../boxes/nms.ts';
import type { CheckedFile } from '../models/checked-file.ts';
import type { Model } from '../models/manifest.ts';
import type { SignLine } from '../text/decode-signs.ts';
import type { TextModel } from '../text/text-models.ts';

/** A model for a worker thread, with its file, which each thread reads itself. */
export interface WorkerModel {
  readonly model: Model | TextModel;
  readonly file: CheckedFile;
  /** True if the model runs so rarely that not every thread needs it. */
  readonly isRare?: boolean;
}

/** A picture for one model: RGB pixels of exactly the model's input size, or of `size` for a text model. */
export interface Task {
  readonly model: (Model | TextModel)['id'];
  readonly rgb: Uint8Array;
  readonly size?: Size;
  /** Signs that a strip may hold, once per reading of it. */
  readonly alphabets?: readonly string[];
  /** Box for the classifier: left, top, right, bottom, as fractions (0 to 1) of the picture. */
  readonly box?: readonly [number, number, number, number];
}

/** A picture for keypoint detection, which needs no model. */
export interface PointTask {
  readonly picture: GreyImage;
  readonly mask: PointMask;
}

/** Message to a worker. `add` loads another model; `drain` finishes, releases the sessions and ends the thread. */
export type Request =
  | { readonly kind: 'run'; readonly id: number; readonly task: Task | PointTask }
  | { readonly kind: 'add'; readonly model: WorkerModel }
  | { readonly kind: 'drain' };

/** Message from a worker. Boxes are fractions (0 to 1) of the task's picture. */
export type Reply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'unusable'; readonly failure: Failure }
  | { readonly kind: 'done'; readonly id: number; readonly result: TaskResult }
  | { readonly kind: 'failed'; readonly id: number; readonly failure: Failure };

export interface TaskResult {
  readonly boxes?: readonly ScoredBox[];
  readonly parts?: PartCells;
  /** Vehicle check's confidence that the picture shows a vehicle, 0 to 1. */
  readonly presence?: number;
  readonly classified?: Classified;
  readonly points?: KeyPoints;
  /** One reading of a strip per alphabet. */
  readonly lines?: readonly SignLine[];
  /** Probability of text per pixel, 0 to 255. */
  readonly heat?: Uint8Array;
}

/** The classifier's output for a box. */
export interface Classified {
  /** Probability of damage, 0 to 1. */
  readonly damage: number;
  /** Probability of each label of the model given damage, 0 to 1. */
  readonly kinds: readonly number[];
  /** Log odds that the picture as a whole shows a vehicle, without the vehicle check's part; absent without the output. */
  readonly vehicle?: number;
}

interface Failure {
  readonly kind: ErrorKind;
  readonly code: string;
  readonly message: string;
  readonly hint: string | undefined;
}

/** Serializes an error for another thread. */
export function toFailure(error: unknown, code: string, hint: string): Failure {
  if (error instanceof VehiError)
    return { kind: error.kind, code: error.code, message: error.message, hint: error.hint };
  return { kind: 'engine', code, message: error instanceof Error ? error.message : String(error), hint };
}

/** Restores an error from another thread. */
export function restoreError({ kind, code, message, hint }: Failure): VehiError {
  return new VehiError(kind, code, message, { hint });
}
