import type { InspectionEnvelope, Photo } from '../../contract/inspection.ts';
import type { Quad } from '../../domain/quad.ts';
import type { PhotoInput } from '../../engine/request.ts';
import { createPhotoStudio, type OpenPhoto } from '../../images/draw/photo-studio.ts';
import { markDrawnCopy } from '../../images/find/drawn-copy.ts';
import { VehiError } from '../../lib/errors.ts';
import { formatCount } from '../../lib/format-count.ts';
import { listMarks } from '../../report/marks.ts';
import type { Redaction } from '../outputs/redaction.ts';
import type { CliContext } from '../terminal/context.ts';
import { writeFileWhole, writeStatus } from '../terminal/output.ts';

/** Draws the bounding boxes of a result into its photos, one open photo at a time. */
interface Annotator {
  /** Writes an analysed photo with its numbered boxes; a write error is reported by `finish`. */
  draw(image: Photo, photo: OpenPhoto, hidden: readonly Quad[]): Promise<void>;
  /** Opens and draws all photos; unnecessary if another step opens them. */
  drawAll(photos: readonly PhotoInput[], redaction: Redaction): Promise<void>;
  /**
   * Returns the paths written, relative or absolute as given, in photo order.
   * @throws VehiError usage if the folder is not writable
   */
  finish(): readonly string[];
  /** Paths of the photos written, keyed by image index. */
  readonly written: ReadonlyMap<number, string>;
}

/**
 * Creates JPEGs of the analysed photos.
 * @param copies their paths by the photo's URL, of `nameDrawnCopies`
 */
export function openAnnotator(
  inspection: InspectionEnvelope,
  copies: ReadonlyMap<string, string>,
  cwd: string,
): Annotator {
  const { data } = inspection;
  const analysed = data.images.filter((image) => image.analysed);
  const written = new Map<number, string>();
  let failure: VehiError | undefined;
  const draw: Annotator['draw'] = async (image, photo, hidden) => {
    const path = copies.get(image.url);
    if (path === undefined || failure) return;
    const jpeg = markDrawnCopy(await photo.annotate(listMarks(image, data), hidden));
    try {
      await writeFileWhole(path, jpeg, cwd);
    } catch (error) {
      if (!(error instanceof VehiError)) throw error;
      failure ??= error;
      return;
    }
    written.set(image.index, path);
  };
  return {
    draw,
    async drawAll(photos, redaction) {
      const studio = createPhotoStudio();
      try {
        for (const image of analysed) {
          const input = photos.find((photo) => photo.url === image.url);
          if (!input || failure) continue;
          const photo = await studio.open(input.source);
          await draw(image, photo, redaction.findRegions(image, { inspection }));
        }
      } finally {
        await studio.close();
      }
    },
    finish() {
      if (failure) throw failure;
      return analysed.flatMap(({ index }) => written.get(index) ?? []);
    },
    written,
  };
}

/** Prints the number of annotated photos and their folder. */
export function reportAnnotated(written: readonly string[], folder: string, ctx: CliContext): Promise<void> {
  const photos = formatCount(written.length, 'annotated photo');
  return writeStatus(ctx, `${photos} written to ${folder}`);
}
