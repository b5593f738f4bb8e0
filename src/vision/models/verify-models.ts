import { VehiError } from '../../lib/errors.ts';
import { createWorkerPool } from '../run/worker-pool.ts';
import { listModels, type Model } from './manifest.ts';
import { loadJudge, loadManifest, verifyModel } from './model-files.ts';

/** A model file and its problem; null if it matches the manifest and loads. */
interface FileCheck extends Pick<Model['weights'], 'precision' | 'sha256'> {
  readonly model: string;
  readonly problem: { readonly code: string; readonly message: string } | null;
}

/**
 * Verifies every file of a model folder: size, SHA-256, that it loads, and its tensors.
 * @throws VehiError `MODEL_MANIFEST_MISSING` or `MODEL_MANIFEST_INVALID`; problems of a file are returned instead.
 */
export async function verifyModels(modelDir: string): Promise<FileCheck[]> {
  const manifest = await loadManifest(modelDir);
  const checks: FileCheck[] = [];
  for (const model of listModels(manifest))
    checks.push({ model: model.id, ...model.weights, problem: await findProblem(modelDir, model) });
  return checks;
}

async function findProblem(modelDir: string, model: Model): Promise<FileCheck['problem']> {
  try {
    const pool = createWorkerPool(1);
    await pool.load(await verifyModel(modelDir, model)).finally(() => pool.drain());
    if (model.id === 'damage') await loadJudge(modelDir, model);
    return null;
  } catch (error) {
    if (!(error instanceof VehiError)) throw error;
    return { code: error.code, message: error.message };
  }
}
