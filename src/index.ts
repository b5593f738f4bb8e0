/*
 * Library entry of vehi.
 *
 *   createEngine ─▶ engine.inspect(request) · assess(request) · compare(before, after) ─▶ results as they go on the wire
 *
 *   images/  reads, checks and decodes photos          vision/  runs the models in worker threads
 *   domain/  places, measures, grades, merges (pure)   pricing/ hours and money from tables (pure)
 *   engine/  puts them in order; the command line, the server and this entry all call it
 */

import { resolve } from 'node:path';
import { SETTINGS } from './config/settings.ts';
import { switchOffTelemetry } from './config/telemetry.ts';
import type { Precision } from './domain/choices.ts';
import type { PriceDefaults } from './engine/assess/assess.ts';
import { assembleEngine, type Engine, type Inspectors } from './engine/engine.ts';
import { loadTablesWith } from './engine/pricer.ts';
import type { InspectOptions, PhotoInput, RejectedPhoto, VehicleFacts } from './engine/request.ts';
import { readPackageVersion } from './lib/version.ts';
import { shippedModelDir } from './vision/models/model-files.ts';
import { countDefaultThreads } from './vision/run/threads.ts';

export type { AssessmentEnvelope } from './contract/assessment/assessment.ts';
export type {
  Damage,
  InspectionEnvelope,
  InspectionMeta,
  InspectionResults,
  Photo,
  VisualInspection,
} from './contract/inspection.ts';
export type { Sensitivity } from './domain/sight/detection.ts';
export type { PriceDefaults } from './engine/assess/assess.ts';
export type { Comparison } from './engine/compare/comparison.ts';
export type { AssessCall, Engine } from './engine/engine.ts';
export type {
  InspectEvent,
  InspectHooks,
  InspectOptions,
  InspectRequest,
  PhotoInput,
  PhotoSource,
  RejectedPhoto,
  SeenPhotos,
  VehicleFacts,
} from './engine/request.ts';
export { VehiError } from './lib/errors.ts';

export interface EngineOptions {
  /** Folder with `manifest.json` and the model files; default: the models of this package. */
  readonly modelDir?: string;
  /** Threads that run the models; default: the processors this process may use. */
  readonly threads?: number;
  /** Which file of each model; default: the manifest's choice. */
  readonly precision?: Precision;
  /** JSON file with regions of your own, added to the shipped table. */
  readonly regionsFile?: string;
  /** Region and currency where a request names none; default: those of the command line. */
  readonly defaults?: PriceDefaults;
  /** `when-needed` loads the models at the first inspection, as pricing and comparing need none; default: `now`. */
  readonly models?: 'now' | 'when-needed';
  /** The time written into results; default: the real one. */
  readonly now?: () => Date;
}

export { shippedModelDir };

/**
 * Loads tables and models and returns the engine; call `close()` when done.
 * @throws VehiError kind `engine` when a model is missing or not what the manifest says; kind `usage` for a bad table.
 */
export async function createEngine(options: EngineOptions = {}): Promise<Engine> {
  switchOffTelemetry();
  const threads = options.threads ?? (await countDefaultThreads());
  const engine = assembleEngine({
    openInspectors: () => openInspectors(options, threads),
    tables: await loadTablesWith(options.regionsFile),
    defaults: options.defaults ?? { region: DEFAULT_OPTIONS.region },
    // One photo being decoded while every thread runs the models; more ahead costs memory and gains nothing (`npm run bench`).
    concurrency: threads + 1,
    softwareVersion: readPackageVersion(),
    now: options.now ?? (() => new Date()),
  });
  if (options.models !== 'when-needed') await engine.load();
  return engine;
}

async function openInspectors(options: EngineOptions, threads: number): Promise<Inspectors> {
  // Loaded here, as decoders and models would double the time to start of everything that only prices.
  const [{ createPhotoReader }, { resizeRgb }, { createVision }] = await Promise.all([
    import('./images/photo-reader.ts'),
    import('./images/read/resize-rgb.ts'),
    import('./vision/vision.ts'),
  ]);
  const vision = await createVision({
    modelDir: options.modelDir ?? shippedModelDir(),
    resize: resizeRgb,
    threads,
    ...(options.precision ? { precision: options.precision } : {}),
  });
  return { reader: createPhotoReader(), vision };
}

/** Options of an inspection where nothing else is wanted: those of `vehi inspect` without flags. */
export const DEFAULT_OPTIONS: InspectOptions = {
  detailed: false,
  hiddenDamage: false,
  region: SETTINGS.region.fallback,
  sensitivity: SETTINGS.sensitivity.fallback,
  minConfidence: SETTINGS.min_confidence.fallback,
};

/** Photos that were found, with what `vehi.json` and their names say of them. */
interface FoundPhotos {
  /** From `vehi.json`, else the name of the first folder. */
  readonly vehicleId: string;
  readonly photos: readonly PhotoInput[];
  /** What was named and is no photo, or cannot be read. */
  readonly rejected: readonly RejectedPhoto[];
  /** From `vehi.json`: what prices depend on. */
  readonly vehicle?: VehicleFacts;
}

/**
 * Finds the photos of one vehicle as `vehi inspect` does: files, folders and globs, relative to the working directory.
 * @throws VehiError kind `input` for a `vehi.json` that cannot be used
 */
export async function findPhotos(
  paths: readonly string[],
  options: { readonly recursive?: boolean } = {},
): Promise<FoundPhotos> {
  const { gatherPhotos } = await import('./images/find/gather-photos.ts');
  const found = await gatherPhotos(paths, { cwd: resolve('.'), recursive: options.recursive ?? false });
  return {
    vehicleId: found.vehicleId?.value ?? 'vehicle',
    photos: found.photos,
    rejected: found.problems,
    ...(found.vehicle ? { vehicle: found.vehicle } : {}),
  };
}
