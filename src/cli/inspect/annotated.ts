import type { InspectedResult } from '../../contract/result.ts';
import type { PhotoInput } from '../../engine/request.ts';
import { createPhotoStudio } from '../../images/draw/photo-studio.ts';
import { markDrawnCopy } from '../../images/find/drawn-copy.ts';
import { VehiError } from '../../lib/errors.ts';
import { formatCount } from '../../lib/format-count.ts';
import { listMarks } from '../../report/marks.ts';
import type { Redaction } from '../outputs/redaction.ts';
import { makeReportPictures, type WhileOpen } from '../outputs/report-pictures.ts';
import type { CliContext } from '../terminal/context.ts';
import { writeFileWhole, writeStatus } from '../terminal/output.ts';

/** What is drawn of a result. */
interface Drawn {
  /** Paths of the copies with boxes by the photo's URL, of `nameDrawnCopies`; empty for none. */
  readonly copies: ReadonlyMap<string, string>;
  readonly photos: readonly PhotoInput[];
  /** True if an output shows photos: the copies are drawn with its pictures, so that each photo is opened once. */
  readonly showsPhotos: boolean;
  readonly redaction: Redaction;
}

/** Prepares the pictures of a result: those of its reports, and the copies with boxes, one open photo at a time. */
export function openAnnotator(
  result: InspectedResult,
  { copies, photos, showsPhotos, redaction }: Drawn,
  ctx: CliContext,
) {
  const { inspection } = result;
  const { data } = inspection;
  const analysed = data.images.filter((image) => image.analysed);
  const written = new Map<number, string>();
  let failure: VehiError | undefined;
  const draw: WhileOpen = async (image, photo, hidden) => {
    const path = copies.get(image.url);
    if (path === undefined || failure) return;
    const jpeg = markDrawnCopy(await photo.annotate(listMarks(image, data), hidden));
    try {
      await writeFileWhole(path, jpeg, ctx.cwd);
    } catch (error) {
      if (!(error instanceof VehiError)) throw error;
      failure ??= error;
      return;
    }
    written.set(image.index, path);
  };
  const drawAll = async () => {
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
  };
  const drawsTogether = showsPhotos && copies.size > 0;
  const pictures = makeReportPictures(result, undefined, redaction, ctx, drawsTogether ? draw : undefined);
  return {
    /** Pictures of the reports, created on first use. */
    pictures,
    /**
     * Writes the analysed photos with numbered boxes as JPEG.
     * @returns their paths, relative or absolute as given, in photo order
     * @throws VehiError usage if the folder is not writable
     */
    async annotate(): Promise<readonly string[]> {
      if (drawsTogether) await pictures();
      else if (copies.size > 0) await drawAll();
      if (failure) throw failure;
      return analysed.flatMap(({ index }) => written.get(index) ?? []);
    },
    /** Paths of the photos written, keyed by image index. */
    written,
  };
}

/** Prints the number of annotated photos and their folder. */
export function reportAnnotated(written: readonly string[], folder: string, ctx: CliContext): Promise<void> {
  const photos = formatCount(written.length, 'annotated photo');
  return writeStatus(ctx, `${photos} written to ${folder}`);
}
