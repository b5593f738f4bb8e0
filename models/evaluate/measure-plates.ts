import { join } from 'node:path';
import type { Box } from '../../src/domain/geometry.ts';
import type { CocoImage } from '../../src/evaluate/coco.ts';
import {
  checkSize,
  type EvaluationPorts,
  forEachPhoto,
  type PhotoFailure,
} from '../../src/evaluate/photo-run.ts';
import type { Picture } from '../../src/vision/vision.ts';
import { type PlatesScore, scorePlates } from './plates-score.ts';

/** The category that plates have in an annotation file. */
const CATEGORY = 'plate';

/** What a measurement of the plate finder needs of the outside. */
export interface PlatePorts extends Omit<EvaluationPorts, 'look'> {
  /** Regions that would be blurred, in pixels of the upright photo. */
  find(photo: Picture): Promise<readonly { readonly box: Box }[]>;
}

/** Looks for plates in every photo and scores what would be blurred. Photos that fail are listed, not counted. */
export async function measurePlates(
  { images, imageDir }: { readonly images: readonly CocoImage[]; readonly imageDir: string },
  ports: PlatePorts,
): Promise<PlatesScore & { failures: PhotoFailure[] }> {
  const { results, failures } = await forEachPhoto(images, ports, async (image) => {
    const picture = await ports.decode(join(imageDir, image.file));
    checkSize(image, picture);
    const blurred = (await ports.find(picture)).map(({ box }) => box);
    const truths = image.annotations
      .filter(({ category }) => category === CATEGORY)
      .map(({ box, crowd }) => ({ box, crowd }));
    return { size: picture.size, truths, blurred };
  });
  return { ...scorePlates(results), failures };
}
