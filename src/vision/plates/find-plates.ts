import { clamp, frameOf, growBox } from '../../domain/geometry.ts';
import type { SizedRaster } from '../../domain/photo.ts';
import { mapQuad, toQuad } from '../../domain/quad.ts';
import type { PartMap } from '../../domain/sight/detection.ts';
import type { Plate } from '../../domain/sight/plate.ts';
import { listTiles } from '../boxes/tiles.ts';
import type { ModelCalls } from '../model-calls.ts';
import type { RunnableModel } from '../run/protocol.ts';
import { findOutline } from './outline.ts';
import { judgePlate, listPlateCandidates, placePlateCloseUp } from './plate-boxes.ts';

/** Margin around a plate whose outline was not found, as a fraction of its shorter side. */
const MARGIN = 0.2;

/**
 * Finds the number plates of a photo, with their corners in pixels of the upright photo.
 * @param parts null if the photo was not segmented
 */
export async function findPlates(
  plates: RunnableModel<'plates'>,
  calls: Pick<ModelCalls, 'detect'>,
  { raster, size }: SizedRaster,
  parts: PartMap | null,
): Promise<readonly Plate[]> {
  // In the whole photo at the model's input size, plates of parked cars are only a few pixels wide.
  const regions = [frameOf(raster), ...listTiles(raster, undefined, plates.model.input)];
  const passes = await Promise.all(regions.map((region) => calls.detect(plates, raster, region)));
  const scale = size.width / raster.width;
  const found = await Promise.all(
    listPlateCandidates(passes, plates.model, parts, raster).map(async (candidate) => {
      const { boxes } = await calls.detect(plates, raster, placePlateCloseUp(candidate.box));
      const plate = judgePlate(candidate, boxes);
      if (plate === null) return [];
      const margin = MARGIN * Math.min(plate.box.width, plate.box.height);
      const corners = findOutline(raster, plate.box) ?? toQuad(growBox(plate.box, margin));
      const toPhoto = (pixels: number, length: number) => clamp(pixels * scale, 0, length);
      const inPhoto = mapQuad(corners, ({ x, y }) => ({
        x: toPhoto(x, size.width),
        y: toPhoto(y, size.height),
      }));
      return [{ corners: inPhoto, confidence: plate.confidence }];
    }),
  );
  return found.flat();
}
