import { join } from 'node:path';
import type { ModelUsed, Precision } from '../../domain/sight/detection.ts';
import { VehiError } from '../../lib/errors.ts';
import { hashJson } from '../../lib/ids.ts';
import { resolvePackagePath } from '../../lib/package.ts';
import { type Judges, parseJudges } from '../judge/judge.ts';
import { type CheckedFile, readChecked, readLimited } from './checked-file.ts';
import {
  type DataFile,
  type DetectModel,
  type Manifest,
  type Model,
  type ModelVariant,
  parseModelManifest,
} from './manifest.ts';

const MANIFEST = 'manifest.json';
const MAX_MANIFEST_BYTES = 1024 * 1024;

/** A model whose file was verified, ready to be loaded by any number of threads. */
interface LoadedModel<M extends Model = Model> {
  readonly model: M;
  readonly variant: ModelVariant;
  /** Each thread reads and verifies the file itself, so the bytes are not kept in memory. */
  readonly file: CheckedFile;
}

/** Returns the package's `models` folder, whether run from sources, from `dist` or from an installed package. */
export function shippedModelDir(): string {
  return resolvePackagePath('models');
}

/**
 * Reads and validates `manifest.json` of a model folder.
 * @throws VehiError `MODEL_MANIFEST_MISSING` or `MODEL_MANIFEST_INVALID`.
 */
export async function loadManifest(modelDir: string): Promise<Manifest> {
  const path = join(modelDir, MANIFEST);
  const text = await readLimited(
    path,
    MAX_MANIFEST_BYTES,
    'MODEL_MANIFEST_MISSING',
    'MODEL_MANIFEST_INVALID',
  );
  return parseModelManifest(new TextDecoder().decode(text), path);
}

/**
 * Selects a model's file by precision; default from the manifest.
 * @throws VehiError kind `usage`, `MODEL_PRECISION_UNKNOWN`, if the model has no file of that precision.
 */
export function pickVariant(model: Model, precision?: Precision): ModelVariant {
  const wanted = precision ?? model.default_precision;
  const variant = model.variants.find((one) => one.precision === wanted);
  if (variant !== undefined) return variant;
  const available = model.variants.map((one) => one.precision).join(', ');
  throw new VehiError('usage', 'MODEL_PRECISION_UNKNOWN', `model ${model.name} has no ${wanted} file.`, {
    hint: `Choose one of: ${available}.`,
  });
}

/**
 * Reads a model file and verifies its size and SHA-256 against the manifest.
 * @throws VehiError `MODEL_FILE_MISSING` or `MODEL_HASH_MISMATCH`.
 */
export async function loadModel<M extends Model>(
  modelDir: string,
  model: M,
  precision?: Precision,
): Promise<LoadedModel<M>> {
  const variant = pickVariant(model, precision);
  const file = locateFile(modelDir, variant);
  await readChecked(file);
  return { model, variant, file };
}

/** Loads the damage and parts models. If only one of them has the requested precision, the other uses its default. */
export function loadFinders(modelDir: string, { damage, parts }: Manifest, precision: Precision | undefined) {
  const hasPrecision = (model: Model) => model.variants.some((variant) => variant.precision === precision);
  const isUnavailable = !hasPrecision(damage) && !hasPrecision(parts);
  const wanted = (model: Model) => (isUnavailable || hasPrecision(model) ? precision : undefined);
  return Promise.all([
    loadModel(modelDir, damage, wanted(damage)),
    loadModel(modelDir, parts, wanted(parts)),
  ]);
}

/**
 * Reads the judge's weights and verifies their SHA-256; undefined for a model without a judge.
 * @throws VehiError `MODEL_FILE_MISSING`, `MODEL_HASH_MISMATCH` or `MODEL_MANIFEST_INVALID`.
 */
export async function loadJudge(modelDir: string, { judge }: DetectModel): Promise<Judges | undefined> {
  if (judge === undefined) return undefined;
  const content = await readChecked(locateFile(modelDir, judge));
  return parseJudges(new TextDecoder().decode(content), join(modelDir, judge.file));
}

function locateFile(modelDir: string, { file, sha256, bytes }: DataFile): CheckedFile {
  return { path: join(modelDir, file), sha256, bytes };
}

/** Creates a model's entry in the inspection record. */
export function recordModelUsed({ model, variant }: Pick<LoadedModel, 'model' | 'variant'>): ModelUsed {
  const { precision, sha256 } = variant;
  const { id, name, version } = model;
  return { id, name, version, precision, sha256, rules_sha256: hashRules(model) };
}

/** Hashes a model's manifest entry except files, origin and metrics. */
function hashRules(model: Model): string {
  const { variants, default_precision, licence, training_data, measured, ...rules } = model;
  return hashJson(rules);
}
