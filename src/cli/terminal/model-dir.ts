import { resolve } from 'node:path';
import type { Settings } from '../../config/settings.ts';
import { shippedModelDir } from '../../vision/models/model-files.ts';
import type { CliContext } from './context.ts';

/** Returns the model folder: `--models`, VEHI_MODEL_DIR, a settings file, otherwise the bundled one. */
export function findModelDir({ models }: Pick<Settings, 'models'>, { cwd }: Pick<CliContext, 'cwd'>): string {
  return resolve(cwd, models.value ?? shippedModelDir());
}
