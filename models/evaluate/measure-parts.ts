import { basename, extname, join } from 'node:path';
import type { SegmentLabel } from '../../src/domain/sight/detection.ts';
import type { CocoImage } from './coco.ts';
import { paintParts } from './part-target.ts';
import { type PartsScore, tallyParts } from './parts-score.ts';
import { type EvaluationPorts, mapPhotos, type PhotoFailure } from './photo-run.ts';

export interface PartsMeasurement {
  readonly images: readonly CocoImage[];
  /** Folder of `images`. */
  readonly imageDir: string;
  /** Folder of whole-vehicle masks as PNG, named like the photos or by the image's `silhouette`. */
  readonly silhouetteDir?: string;
  readonly labels: readonly SegmentLabel[];
}

/** Runs the parts model on every photo and scores its output. Photos that fail are listed but not counted. */
export async function measureParts(
  { images, imageDir, silhouetteDir, labels }: PartsMeasurement,
  ports: EvaluationPorts,
): Promise<PartsScore & { failures: PhotoFailure[] }> {
  const tally = tallyParts(labels);
  const { failures } = await mapPhotos(images, ports, async (image) => {
    const picture = await ports.decode(join(imageDir, image.file));
    const mask = silhouetteDir && (await ports.decode(join(silhouetteDir, readSilhouetteName(image)))).raster;
    const target = paintParts(image, picture.raster, labels, mask || undefined);
    tally.add((await ports.runModels(picture)).parts, target);
  });
  return { ...tally.score(), failures };
}

function readSilhouetteName(image: CocoImage): string {
  if (image.silhouette !== undefined) return basename(image.silhouette);
  return `${basename(image.file, extname(image.file))}.png`;
}
