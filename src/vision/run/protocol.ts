import type { KeyPoints, PointMask } from '../../domain/compare/keypoints.ts';
import type { Size } from '../../domain/geometry.ts';
import type { GrayImage } from '../../domain/photo.ts';
import type { TextLine } from '../../domain/vehicle/read-numbers.ts';
import { type ErrorKind, VehiError } from '../../lib/errors.ts';
import type { PartCells } from '../boxes/decode-parts.ts';
import type { ScoredBox } from '../boxes/nms.ts';
import type { CheckedFile } from '../models/checked-file.ts';
import type { Model } from '../models/manifest.ts';
import type { TextModel } from '../text/text-models.ts';

/** Output of each model for a picture; boxes are fractions (0 to 1) of it. */
export interface Results {
  readonly damage: readonly ScoredBox[];
  readonly plates: readonly ScoredBox[];
  readonly parts: PartCells;
  readonly classifier: Classified;
  /** Confidence that the picture shows a vehicle, 0 to 1. */
  readonly vehicle: number;
  /** Text probability per pixel, 0 to 255. */
  readonly lines: Uint8Array;
  /** One reading of a strip per alphabet. */
  readonly characters: readonly TextLine[];
}
export type ModelId = keyof Results;

/** The classifier's output for a box. */
export interface Classified {
  /** Probability of damage, 0 to 1. */
  readonly damage: number;
  /** Probability of each label given damage, 0 to 1, ordered as `DETECTOR_LABELS`. */
  readonly kinds: readonly number[];
  /** Log odds that the whole picture shows a vehicle, before the vehicle check; absent if the model lacks them. */
  readonly vehicle?: number;
}

/** A model that threads can run, with its file, which each thread reads itself. */
export interface RunnableModel<Id extends ModelId = ModelId> {
  readonly model: (Model | TextModel) & { readonly id: Id };
  readonly file: CheckedFile;
  /** Maximum number of threads that load the model; absent: all. */
  readonly maxThreads?: number;
}

interface Picture {
  readonly rgb: Uint8Array;
}
/** Input of each model: RGB pixels of exactly its input size, or of `size` for a text model. */
export interface Tasks extends Readonly<Record<'damage' | 'plates' | 'parts' | 'vehicle', Picture>> {
  /** With a box: left, top, right, bottom, as fractions (0 to 1) of the picture. */
  readonly classifier: Picture & { readonly box: readonly [number, number, number, number] };
  readonly lines: Picture & { readonly size: Size };
  /** With the characters that a strip may contain, one alphabet per reading. */
  readonly characters: Tasks['lines'] & { readonly alphabets: readonly string[] };
}

/** Functions of a thread, called one at a time. */
export interface ThreadFunctions {
  /** Opens a model, if it is not open. */
  load(source: RunnableModel): Promise<void>;
  infer(source: RunnableModel, task: Tasks[ModelId]): Promise<Results[ModelId]>;
  /** Finds keypoints, which needs no model. */
  findPoints(picture: GrayImage, mask: PointMask): Promise<KeyPoints>;
  /** Releases the models and ends the thread; terminating it from outside would abort the process during a run. */
  drain(): Promise<void>;
}

interface Message {
  readonly e?: unknown;
}

/** Options of both ends of a thread's channel: errors keep kind, code and hint, which structured cloning loses. */
export const CHANNEL = {
  timeout: -1,
  serialize: ({ e: error, ...message }: Message) =>
    error === undefined ? message : { ...message, e: toFailure(error) },
  deserialize: ({ e: failure, ...message }: Message) =>
    failure === undefined ? message : { ...message, e: restoreError(failure as Failure) },
};

interface Failure {
  readonly kind: ErrorKind;
  readonly code: string;
  readonly message: string;
  readonly hint: string | undefined;
}

function toFailure(error: unknown): Failure {
  if (error instanceof VehiError) {
    const { kind, code, message, hint } = error;
    return { kind, code, message, hint };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { kind: 'engine', code: 'INFERENCE_FAILED', message, hint: 'Run `vehi doctor`.' };
}

const restoreError = ({ kind, code, message, hint }: Failure): VehiError =>
  new VehiError(kind, code, message, { hint });
