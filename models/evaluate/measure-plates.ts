import { join } from 'node:path';
import type { SizedRaster } from '../../src/domain/photo.ts';
import { boundsOf, type Quad } from '../../src/domain/quad.ts';
import type { CocoImage } from './coco.ts';
import { checkSize, type EvaluationPorts, mapPhotos, type PhotoFailure } from './photo-run.ts';
import { type PlatesScore, scorePlates } from './plates-score.ts';

/** Category of plates in an annotation file. */
const CATEGORY = 'plate';

/** Dependencies of a plate measurement. */
export interface PlatePorts extends Omit<EvaluationPorts, 'runModels'> {
  /** Returns the plates, in pixels of the upright photo. */
  find(photo: SizedRaster): Promise<readonly { readonly corners: Quad }[]>;
}

/** Finds plates in every photo and scores the bounds of the regions to blur, as plates are labelled by boxes. Photos that fail are listed but not counted. */
export async function measurePlates(
  { images, imageDir }: { readonly images: readonly CocoImage[]; readonly imageDir: string },
  ports: PlatePorts,
): Promise<PlatesScore & { failures: PhotoFailure[] }> {
  const { results, failures } = await mapPhotos(images, ports, async (image) => {
    const picture = await ports.decode(join(imageDir, image.file));
    checkSize(image, picture);
    const blurred = (await ports.find(picture)).map(({ corners }) => boundsOf(corners));
    const truths = image.annotations
      .filter(({ category }) => category === CATEGORY)
      .map(({ box, crowd }) => ({ box, crowd }));
    return { size: picture.size, truths, blurred };
  });
  return { ...scorePlates(results), failures };
}
