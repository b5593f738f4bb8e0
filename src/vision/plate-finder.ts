import type { Box, Size } from '../domain/geometry.ts';
import type { RgbImage } from '../domain/photo.ts';
import type { ModelUsed } from '../domain/sight/detection.ts';
import { VehiError } from '../lib/errors.ts';
import { type Pass, placePass } from './boxes/merge-boxes.ts';
import { listPlateBoxes, type Plate } from './boxes/plate-boxes.ts';
import { listSecondPassRegions, type SecondPass } from './boxes/second-pass.ts';
import { loadManifest, loadModel, recordModelUsed } from './models/model-files.ts';
import type { Resize } from './resize.ts';
import { createWorkerPool } from './run/worker-pool.ts';

/** Detects number plates in photos. */
export interface PlateFinder {
  readonly model: ModelUsed;
  /** `raster` contains the whole upright photo; `size` is the photo's size. */
  find(photo: { readonly raster: RgbImage; readonly size: Size }): Promise<readonly Plate[]>;
  /** Returns the bounding boxes of the detected plates, in pixels of the upright photo. */
  findRegions(photo: LazyPhoto): Promise<readonly Box[]>;
  close(): Promise<void>;
}

/** A photo decoded on demand; `size` is that of the upright photo. */
interface LazyPhoto {
  readonly size: Size;
  raster(): Promise<RgbImage>;
}

/** Overlapping quarters: in the whole photo at the model's input size, plates of parked cars span only a few pixels. */
const PLATE_PASS: SecondPass = { vehicle: false, maxTilesPerSide: 2, onlyWholeVehicles: false };

/**
 * Validates the plate model of a model folder; its thread starts with the first photo.
 * @throws VehiError kind `engine`: `NO_PLATE_MODEL` if the folder has no plate model, else as for the other models
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
      `${options.modelDir} has no model that finds number plates; nothing was written.`,
      { hint: 'Use the models that come with vehi, or name the regions to blur: --redact FILE.' },
    );
  }
  const loadedModel = await loadModel(options.modelDir, plates);
  // Created for the first photo, so no model is loaded if all pictures are already cached.
  let pool: ReturnType<typeof createWorkerPool> | undefined;
  const find: PlateFinder['find'] = async ({ raster, size }) => {
    const fullFrame = { x: 0, y: 0, width: raster.width, height: raster.height };
    pool ??= createWorkerPool([loadedModel], 1, 1);
    const { run } = pool;
    const runPass = async (region: Box): Promise<Pass> => {
      const { data } = await options.resize(raster, region, plates.input);
      const { boxes } = await run({ model: plates.id, rgb: new Uint8Array(data) });
      if (boxes === undefined) throw new Error('the plate finder gave no boxes');
      return placePass(region, boxes);
    };
    const [first, ...closer] = await Promise.all([
      runPass(fullFrame),
      ...listSecondPassRegions(raster, undefined, plates.input, PLATE_PASS).map(runPass),
    ]);
    return listPlateBoxes({ first, closer }, plates, raster, size);
  };
  return {
    model: recordModelUsed(loadedModel),
    find,
    async findRegions(photo) {
      const plates = await find({ raster: await photo.raster(), size: photo.size });
      return plates.map(({ box }) => box);
    },
    close: async () => pool?.drain(),
  };
}
