import { type Box, clamp, frameOf, type Size } from '../domain/geometry.ts';
import type { RgbImage } from '../domain/photo.ts';
import type { PartMap } from '../domain/sight/detection.ts';
import { measurePartMap } from '../domain/sight/part-map.ts';
import { type Pass, placePass } from './boxes/merge-boxes.ts';
import { keepMainVehicle } from './boxes/vehicle-region.ts';
import { placeCloseUp, placeWithin } from './judge/close-up.ts';
import { type QuarterTurns, rotateSquare } from './rotation.ts';
import type { Classified, RunnableModel } from './run/protocol.ts';
import type { WorkerPool } from './run/worker-pool.ts';

/** Crops `box` (whole pixels of `raster`) and stretches it to `size`. */
export type Resize = (raster: RgbImage, box: Box, size: Size) => Promise<RgbImage>;

/** Gray level of padding outside the raster. */
const PADDING_GRAY = 114;

/** Crops a region of the raster and stretches it to `size`; area outside the raster is gray. */
export async function cutRegion(
  raster: RgbImage,
  region: Box,
  size: Size,
  resize: Resize,
): Promise<Uint8Array> {
  const inside = roundToRaster(region, raster);
  const [zoomX, zoomY] = [size.width / region.width, size.height / region.height];
  const left = clamp(Math.round((inside.x - region.x) * zoomX), 0, size.width - 1);
  const top = clamp(Math.round((inside.y - region.y) * zoomY), 0, size.height - 1);
  const width = clamp(Math.round(inside.width * zoomX), 1, size.width - left);
  const height = clamp(Math.round(inside.height * zoomY), 1, size.height - top);
  const { data } = await resize(raster, inside, { width, height });
  if (width === size.width && height === size.height) return data;
  const pixels = new Uint8Array(3 * size.width * size.height).fill(PADDING_GRAY);
  for (let row = 0; row < height; row++) {
    const target = 3 * ((top + row) * size.width + left);
    pixels.set(data.subarray(3 * row * width, 3 * (row + 1) * width), target);
  }
  return pixels;
}

function roundToRaster({ x, y, width, height }: Box, raster: Size): Box {
  const left = clamp(Math.round(x), 0, raster.width - 1);
  const top = clamp(Math.round(y), 0, raster.height - 1);
  const right = clamp(Math.round(x + width), left + 1, raster.width);
  const bottom = clamp(Math.round(y + height), top + 1, raster.height);
  return { x: left, y: top, width: right - left, height: bottom - top };
}

type DetectionModel = RunnableModel<'damage' | 'plates'>;

export type ModelCalls = ReturnType<typeof bindModelCalls>;

/** Binds the models into single calls; boxes and regions in pixels of the raster, which is seen whole without one. */
export function bindModelCalls(
  damage: RunnableModel<'damage'>,
  parts: RunnableModel<'parts'>,
  pool: WorkerPool,
  resize: Resize,
) {
  const cut = (raster: RgbImage, size: Size, region = frameOf(raster)) =>
    cutRegion(raster, region, size, resize);

  async function readParts(rgb: Uint8Array): Promise<PartMap> {
    const cells = await pool.infer(parts, { rgb });
    return keepMainVehicle({ labels: parts.model.labels, ...cells });
  }

  async function readBoxes(model: DetectionModel, rgb: Uint8Array, region: Box): Promise<Pass> {
    return placePass(region, await pool.infer(model, { rgb }));
  }

  return {
    /** Segments the parts of the main vehicle; background vehicles become background. */
    findParts: async (raster: RgbImage) => readParts(await cut(raster, parts.model.input)),
    /** Returns the mean certainty of the parts after `quarters` clockwise quarter turns, 0 to 1. */
    async measureRotatedCertainty(raster: RgbImage, quarters: QuarterTurns): Promise<number> {
      // Stretched to a square, because any quarter turn keeps its shape.
      const side = parts.model.input.width;
      const rgb = rotateSquare(await cut(raster, { width: side, height: side }), side, quarters);
      return measurePartMap(await readParts(rgb)).certainty;
    },
    /** Runs both models on the raster, which is resized once if their input sizes match. */
    async findPartsAndDamage(raster: RgbImage): Promise<[PartMap, Pass]> {
      const [{ input }, { input: damageInput }] = [parts.model, damage.model];
      const rgb = await cut(raster, input);
      const haveSameSize = input.width === damageInput.width && input.height === damageInput.height;
      const damageRgb = haveSameSize ? rgb : await cut(raster, damageInput);
      return Promise.all([readParts(rgb), readBoxes(damage, damageRgb, frameOf(raster))]);
    },
    /** Detects damage or plates in a region, which may extend beyond the raster. */
    detect: async (model: DetectionModel, raster: RgbImage, region: Box) =>
      readBoxes(model, await cut(raster, model.model.input, region), region),
    /** Returns the classifier's log odds that the raster shows a vehicle; undefined if its model lacks that output. */
    async readVehicleLogOdds(classifier: RunnableModel<'classifier'>, raster: RgbImage) {
      const rgb = await cut(raster, classifier.model.input);
      return (await pool.infer(classifier, { rgb, box: [0, 0, 1, 1] })).vehicle;
    },
    /** Returns the vehicle check's confidence that the raster shows a vehicle, 0 to 1. */
    async readVehicleConfidence(check: RunnableModel<'vehicle'>, raster: RgbImage) {
      return pool.infer(check, { rgb: await cut(raster, check.model.input) });
    },
    /** Classifies a box in its close-up. */
    async classify(classifier: RunnableModel<'classifier'>, raster: RgbImage, box: Box): Promise<Classified> {
      const closeUp = placeCloseUp(box, raster);
      const rgb = await cut(raster, classifier.model.input, closeUp);
      return pool.infer(classifier, { rgb, box: placeWithin(closeUp, box) });
    },
  };
}
