import type { GreyImage } from '../../domain/photo.ts';
import type { KeyPoints, PointMask } from '../../domain/sight/place/keypoints.ts';
import { type ErrorKind, VehiError } from '../../lib/errors.ts';
import type { PartCells } from '../boxes/decode-parts.ts';
import type { ScoredBox } from '../boxes/nms.ts';
import type { CheckedFile } from '../models/checked-file.ts';
import type { Model } from '../models/manifest.ts';

/** A model a worker thread is to run, with its file, which each thread reads by itself. */
export interface WorkerModel {
  readonly model: Model;
  readonly file: CheckedFile;
  /** Run so seldom that not every thread needs it. */
  readonly seldom?: boolean;
}

/** A picture for one of the models: RGB pixels of exactly the model's input size. */
export interface Task {
  readonly model: Model['id'];
  readonly rgb: Uint8Array;
  /** For the classifier: left, top, right, bottom of the box to classify, as fractions (0 to 1) of the picture. */
  readonly box?: readonly [number, number, number, number];
}

/** A picture to find key points in, which needs no model. */
export interface PointTask {
  readonly picture: GreyImage;
  readonly mask: PointMask;
}

/**
 * To a worker. `add` gives it another model to open; `drain` lets it finish, release its sessions and end by itself.
 */
export type Request =
  | { readonly kind: 'run'; readonly id: number; readonly task: Task | PointTask }
  | { readonly kind: 'add'; readonly model: WorkerModel }
  | { readonly kind: 'drain' };

/** From a worker. Boxes are fractions (0 to 1) of the picture of the task. */
export type Reply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'unusable'; readonly failure: Failure }
  | { readonly kind: 'done'; readonly id: number; readonly result: TaskResult }
  | { readonly kind: 'failed'; readonly id: number; readonly failure: Failure };

export interface TaskResult {
  readonly boxes?: readonly ScoredBox[];
  readonly parts?: PartCells;
  /** How sure the vehicle check is that the picture shows one, 0 to 1. */
  readonly presence?: number;
  readonly classified?: Classified;
  readonly points?: KeyPoints;
}

/** What the classifier says of a box. */
export interface Classified {
  /** How likely it is a damage, 0 to 1. */
  readonly damage: number;
  /** If it is one, how likely each label of the model is, 0 to 1. */
  readonly kinds: readonly number[];
}

/** A VehiError in a form that survives the way between threads. */
interface Failure {
  readonly kind: ErrorKind;
  readonly code: string;
  readonly message: string;
  readonly hint: string | undefined;
}

/** Returns an error in a form that can be sent between threads. */
export function toFailure(error: unknown, code: string, hint: string): Failure {
  if (error instanceof VehiError)
    return { kind: error.kind, code: error.code, message: error.message, hint: error.hint };
  return { kind: 'engine', code, message: error instanceof Error ? error.message : String(error), hint };
}

/** Returns the error that another thread sent. */
export function restoreError({ kind, code, message, hint }: Failure): VehiError {
  return new VehiError(kind, code, message, { hint });
}
