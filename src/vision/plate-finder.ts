import type { Size } from '../domain/geometry.ts';
import type { RgbImage } from '../domain/photo.ts';
import type { ModelUsed } from '../domain/sight/detection.ts';
import { VehiError } from '../lib/errors.ts';
import { type Plate, plateBoxes } from './boxes/plate-boxes.ts';
import { loadManifest, loadModel, modelUsed } from './models/model-files.ts';
import { createWorkerPool } from './run/worker-client.ts';
import type { Resize } from './vision.ts';

/** Finds number plates in photos. */
export interface PlateFinder {
  readonly model: ModelUsed;
  /** `raster` shows the whole upright photo, whose size is `size`. */
  find(photo: { readonly raster: RgbImage; readonly size: Size }): Promise<readonly Plate[]>;
  close(): Promise<void>;
}

/**
 * Starts the plate finder of a model folder.
 * @throws VehiError kind `engine`: `NO_PLATE_MODEL` when the folder has none, or as for the other models
 */
export async function createPlateFinder(options: {
  readonly modelDir: string;
  readonly resize: Resize;
}): Promise<PlateFinder> {
  const { plates } = await loadManifest(options.modelDir);
  if (plates === undefined) {
    throw new VehiError(
      'engine',
      'NO_PLATE_MODEL',
      `${options.modelDir} has no model that finds number plates; nothing was written`,
      {
        hint: 'Use the models that come with vehi, or name the regions to blur: --redact-regions FILE.',
      },
    );
  }
  const loaded = await loadModel(options.modelDir, plates);
  const pool = createWorkerPool([loaded], 1, 1);
  return {
    model: modelUsed(loaded),
    async find({ raster, size }) {
      const whole = { x: 0, y: 0, width: raster.width, height: raster.height };
      const picture = await options.resize(raster, whole, plates.input);
      const { boxes } = await pool.run({ model: plates.id, rgb: new Uint8Array(picture.data) });
      if (boxes === undefined) throw new Error('the plate finder gave no boxes');
      return plateBoxes(boxes, plates.threshold, size);
    },
    close: () => pool.drain(),
  };
}
