import type { Box, Size } from '../domain/geometry.ts';
import type { RgbImage } from '../domain/photo.ts';
import type { PartMap } from '../domain/sight/detection.ts';
import { measurePartMap } from '../domain/sight/part-map.ts';
import { type Pass, placePass } from './boxes/merge-boxes.ts';
import { keepMainVehicle } from './boxes/vehicle-region.ts';
import { placeCloseUp, placeWithin, type Square } from './judge/close-up.ts';
import type { ClassifyModel, Manifest, PlateModel, PresenceModel } from './models/manifest.ts';
import type { Classified } from './run/protocol.ts';
import type { WorkerPool } from './run/worker-pool.ts';
import { turnSquare } from './turned.ts';

/** Crops `box` (whole pixels of `raster`) and stretches it to `size`. */
export type Resize = (raster: RgbImage, box: Box, size: Size) => Promise<RgbImage>;

/** Grey level of padding outside the raster. */
const PADDING_GREY = 114;

/** Crops a square of the raster and resizes it to `size` by `size`, padded with grey outside the raster. */
export async function cutSquare(
  raster: RgbImage,
  square: Square,
  size: number,
  resize: Resize,
): Promise<Uint8Array<ArrayBuffer>> {
  const inside = clipToRaster(square, raster);
  const perPixel = size / square.side;
  const left = Math.min(size - 1, Math.max(0, Math.round((inside.x - square.x) * perPixel)));
  const top = Math.min(size - 1, Math.max(0, Math.round((inside.y - square.y) * perPixel)));
  const width = Math.max(1, Math.min(size - left, Math.round(inside.width * perPixel)));
  const height = Math.max(1, Math.min(size - top, Math.round(inside.height * perPixel)));
  const { data } = await resize(raster, inside, { width, height });
  const pixels = new Uint8Array(3 * size * size).fill(PADDING_GREY);
  for (let row = 0; row < height; row++)
    pixels.set(data.subarray(3 * row * width, 3 * (row + 1) * width), 3 * ((top + row) * size + left));
  return pixels;
}

/** Clips the square to the raster, in whole pixels. */
function clipToRaster({ x, y, side }: Square, raster: RgbImage): Box {
  const left = Math.max(0, Math.min(raster.width - 1, Math.round(x)));
  const top = Math.max(0, Math.min(raster.height - 1, Math.round(y)));
  const right = Math.max(left + 1, Math.min(raster.width, Math.round(x + side)));
  const bottom = Math.max(top + 1, Math.min(raster.height, Math.round(y + side)));
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** Single model calls; regions in whole pixels of the raster. */
export interface ModelCalls {
  /** Segments the parts of the main vehicle; background vehicles become background. */
  findParts(raster: RgbImage, region: Box): Promise<PartMap>;
  /** Returns the mean certainty of the parts in a region after `quarters` clockwise quarter turns, 0 to 1. */
  measureTurned(raster: RgbImage, region: Box, quarters: number): Promise<number>;
  /** Runs both models on a region, which is cropped once if their input sizes match. */
  findPartsAndDamage(raster: RgbImage, region: Box): Promise<[PartMap, Pass]>;
  findDamage(raster: RgbImage, region: Box): Promise<Pass>;
  /** Returns the classifier's log odds that the region shows a vehicle. */
  scoreVehicle(model: ClassifyModel, raster: RgbImage, region: Box): Promise<number>;
  /** Returns the vehicle check's confidence that the region shows a vehicle, 0 to 1. */
  scorePresence(model: PresenceModel, raster: RgbImage, region: Box): Promise<number>;
  /** Detects plates in a region, or in a square that may reach beyond the raster. */
  findPlates(model: PlateModel, raster: RgbImage, region: Box | Square): Promise<Pass>;
  /** Classifies `box` in its close-up, in pixels of the raster. */
  classify(model: ClassifyModel, raster: RgbImage, box: Box, closeUp?: Square): Promise<Classified>;
}

/** Binds the models of a pool to single calls. */
export function bindModelCalls(
  { damage, parts }: Pick<Manifest, 'damage' | 'parts'>,
  pool: WorkerPool,
  resize: Resize,
): ModelCalls {
  /**
   * Crops to a model's size and copies the pixels, because libvips memory transferred to a thread is freed so late that
   * 120 photos took twice the memory of 12.
   */
  const crop = async (raster: RgbImage, region: Box, size: Size) =>
    new Uint8Array((await resize(raster, region, size)).data);

  async function readParts(rgb: Uint8Array): Promise<PartMap> {
    const { parts: cells } = await pool.run({ model: 'parts', rgb });
    if (cells === undefined) throw new Error('the parts model gave no map');
    return keepMainVehicle({ labels: parts.labels, ...cells });
  }

  async function readDamage(rgb: Uint8Array, region: Box): Promise<Pass> {
    const { boxes = [] } = await pool.run({ model: 'damage', rgb });
    return placePass(region, boxes);
  }

  return {
    findParts: async (raster, region) => readParts(await crop(raster, region, parts.input)),
    async measureTurned(raster, region, quarters) {
      // Stretched to a square, which any quarter turn keeps.
      const side = parts.input.width;
      const rgb = turnSquare(await crop(raster, region, { width: side, height: side }), side, quarters);
      return measurePartMap(await readParts(rgb)).certainty;
    },
    async findPartsAndDamage(raster, region) {
      const rgb = await crop(raster, region, parts.input);
      const haveSameSize =
        parts.input.width === damage.input.width && parts.input.height === damage.input.height;
      const damageRgb = haveSameSize ? rgb.slice() : await crop(raster, region, damage.input);
      return Promise.all([readParts(rgb), readDamage(damageRgb, region)]);
    },
    findDamage: async (raster, region) => readDamage(await crop(raster, region, damage.input), region),
    async scoreVehicle(model, raster, region) {
      const rgb = await crop(raster, region, model.input);
      const { classified } = await pool.run({ model: 'classifier', rgb });
      if (classified?.vehicle === undefined) throw new Error('the classifier gave no answer');
      return classified.vehicle;
    },
    async scorePresence(model, raster, region) {
      const rgb = await crop(raster, region, model.input);
      const { presence } = await pool.run({ model: 'vehicle', rgb });
      if (presence === undefined) throw new Error('the vehicle check gave no score');
      return presence;
    },
    async findPlates(model, raster, region) {
      const { input } = model;
      const rgb = await ('side' in region
        ? cutSquare(raster, region, input.width, resize)
        : crop(raster, region, input));
      const { boxes = [] } = await pool.run({ model: 'plates', rgb });
      const frame =
        'side' in region ? { x: region.x, y: region.y, width: region.side, height: region.side } : region;
      return placePass(frame, boxes);
    },
    async classify(model, raster, box, closeUp = placeCloseUp(box, raster)) {
      const rgb = await cutSquare(raster, closeUp, model.input.width, resize);
      const { classified } = await pool.run({ model: 'classifier', rgb, box: placeWithin(closeUp, box) });
      if (classified === undefined) throw new Error('the classifier gave no answer');
      return classified;
    },
  };
}
