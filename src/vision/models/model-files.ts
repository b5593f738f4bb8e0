import { join } from 'node:path';
import type { ModelUsed } from '../../domain/model-used.ts';
import { hashJson } from '../../lib/ids.ts';
import { resolvePackagePath } from '../../lib/package.ts';
import { type Judges, parseJudges } from '../judge/judge.ts';
import { type CheckedFile, readChecked, readLimited } from './checked-file.ts';
import { type DetectModel, type Manifest, type Model, parseModelManifest } from './manifest.ts';

const MANIFEST = 'manifest.json';
/** Maximum size of a manifest. */
const MAX_BYTES = 1024 * 1024;

/** Returns the package's `models` folder, whether run from sources, from `dist` or from an installed package. */
export const shippedModelDir = (): string => resolvePackagePath('models');

/**
 * Reads and validates `manifest.json` of a model folder.
 * @throws VehiError `MODEL_MANIFEST_MISSING` or `MODEL_MANIFEST_INVALID`.
 */
export async function loadManifest(modelDir: string): Promise<Manifest> {
  const path = join(modelDir, MANIFEST);
  const bytes = await readLimited(path, MAX_BYTES, 'MODEL_MANIFEST_MISSING', 'MODEL_MANIFEST_INVALID');
  return parseModelManifest(new TextDecoder().decode(bytes), path);
}

/** Locates a model's file; each thread reads and verifies it itself. */
export function locateModel<M extends Model>(modelDir: string, model: M) {
  return { model, file: locateFile(modelDir, model.weights) };
}

/**
 * Reads a model file and verifies its size and SHA-256 against the manifest; the bytes are not kept.
 * @throws VehiError `MODEL_FILE_MISSING` or `MODEL_HASH_MISMATCH`.
 */
export async function verifyModel<M extends Model>(modelDir: string, model: M) {
  const located = locateModel(modelDir, model);
  await readChecked(located.file);
  return located;
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

function locateFile(
  modelDir: string,
  { file, sha256, bytes }: Omit<Model['weights'], 'precision'>,
): CheckedFile {
  return { path: join(modelDir, file), sha256, bytes };
}

/** Creates a model's entry in the inspection record. */
export function recordModelUsed(model: Model): ModelUsed {
  const { id, name, version, weights } = model;
  const { precision, sha256 } = weights;
  return { id, name, version, precision, sha256, rules_sha256: hashRules(model) };
}

/** Manifest fields for human readers, which do not affect results. */
type Unread = 'licence' | 'training_data' | 'measured';

/** Hashes a model's manifest entry, with the name and hash of its judge's file, except weights, origin and metrics. */
function hashRules(model: Model): string {
  const { weights, licence, training_data, measured, ...rules } = model as Model & Record<Unread, unknown>;
  return hashJson(rules);
}
