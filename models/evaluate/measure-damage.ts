import { join } from 'node:path';
import type { Box } from '../../src/domain/geometry.ts';
import type { SizedRaster } from '../../src/domain/photo.ts';
import type { CocoImage } from './coco.ts';
import { type DamageScore, type JudgedPhoto, scoreDamage } from './damage-score.ts';
import { checkSize, type EvaluationPorts, mapPhotos, type PhotoFailure } from './photo-run.ts';

export interface DamageMeasurement {
  readonly images: readonly CocoImage[];
  /** Folder of `images`. */
  readonly imageDir: string;
  /** Paths of photos without damage. */
  readonly clean: readonly string[];
  /** Detector classes. */
  readonly labels: readonly string[];
  /** Embeds each photo in another and returns its position there; default: uses the photo itself. */
  readonly show?: (
    picture: SizedRaster,
    index: number,
  ) => Promise<{ readonly view: SizedRaster; readonly place: Pick<Box, 'x' | 'y'> }>;
}

/** Runs the detector on every photo and scores the findings. Failed photos are listed, not counted. */
export async function measureDamage(
  { images, imageDir, clean, labels, show }: DamageMeasurement,
  ports: EvaluationPorts,
): Promise<DamageScore & { failures: PhotoFailure[] }> {
  const all = new Set(labels);
  const jobs = [
    ...images.map((image) => ({ file: image.file, path: join(imageDir, image.file), image })),
    ...clean.map((path) => ({ file: path, path, image: undefined })),
  ];
  const { results, failures } = await mapPhotos(jobs, ports, async ({ path, image }, index) => {
    const picture = await ports.decode(path);
    if (image === undefined) return { clean: true, photo: await judge(picture, { x: 0, y: 0 }, [], all) };
    checkSize(image, picture);
    const labelled = new Set(labels.filter((label) => image.labelled?.has(label) ?? true));
    const truths = image.annotations
      .filter(({ category }) => all.has(category))
      .map(({ category, box, crowd }) => ({ label: category, box, crowd }));
    const { view, place } = (await show?.(picture, index)) ?? { view: picture, place: { x: 0, y: 0 } };
    return { clean: false, photo: await judge(view, place, truths, labelled) };
  });

  async function judge(
    picture: SizedRaster,
    { x, y }: Pick<Box, 'x' | 'y'>,
    truths: JudgedPhoto['truths'],
    labelled: ReadonlySet<string>,
  ): Promise<JudgedPhoto> {
    const { detections } = await ports.runModels(picture);
    const placed = truths.map((truth) => ({
      ...truth,
      box: { ...truth.box, x: truth.box.x + x, y: truth.box.y + y },
    }));
    return { labelled, truths: placed, findings: detections };
  }

  const listPhotos = (kind: boolean) =>
    results.filter((result) => result.clean === kind).map(({ photo }) => photo);
  return { ...scoreDamage(labels, listPhotos(false), listPhotos(true)), failures };
}
