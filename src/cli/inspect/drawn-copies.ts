import { extname, join } from 'node:path';
import type { InspectedResult } from '../../contract/result.ts';
import { markDrawnCopy } from '../../images/find/drawn-copy.ts';
import { VehiError } from '../../lib/errors.ts';
import { takeFreeName } from '../../lib/files.ts';
import { formatCount } from '../../lib/format-count.ts';
import { escapeName, readLastSegments } from '../../lib/names.ts';
import { listMarks } from '../../report/finding-rows.ts';
import type { NamedFile } from '../outputs/refuse-overwrites.ts';
import { makeReportPictures, type WhileOpen } from '../outputs/report-pictures.ts';
import type { Run } from '../outputs/run.ts';
import type { CliContext } from '../terminal/context.ts';
import { writeFileWhole, writeStatus } from '../terminal/output.ts';

/** Paths of the copies with boxes, by the photo's URL. */
export type DrawnCopies = ReadonlyMap<string, string>;

/**
 * Chooses the paths of the copies in `folder`; none without a folder. The name is `rear.jpg`, or the full name
 * (`rear.heic.jpg`) if two photos differ only in their extensions. Photos of the same name in several folders get a
 * numeric suffix.
 */
export function nameDrawnCopies(
  folder: string | undefined,
  { photos }: { readonly photos: readonly { readonly url: string }[] },
): DrawnCopies {
  if (folder === undefined) return new Map();
  const urls = photos.map(({ url }) => url);
  const names = new Set(urls.map((url) => readLastSegments(url, 1)));
  const taken = new Set<string>();
  return new Map(
    urls.map((url) => {
      const name = readLastSegments(url, 1);
      const stem = removeExtension(name);
      const meets = [...names].some((other) => other !== name && isSameName(removeExtension(other), stem));
      return [url, join(folder, takeFreeName(`${meets ? name : stem || 'photo'}.jpg`, taken))];
    }),
  );
}

const removeExtension = (name: string) => name.slice(0, name.length - extname(name).length);
const isSameName = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

export const listCopies = (copies: DrawnCopies): readonly NamedFile[] =>
  [...copies.values()].map((path) => ({ path, words: `--annotated: ${escapeName(path)}` }));

/**
 * Prepares the pictures of a result: those of its reports, and copies of its photos with numbered boxes. Both are made
 * while a photo is open once.
 */
export function openResultPictures(
  result: InspectedResult,
  copies: DrawnCopies,
  { redaction, ctx }: Pick<Run, 'redaction' | 'ctx'>,
) {
  const { data } = result.inspection;
  const drawn = new Map<number, string>();
  let failure: VehiError | undefined;
  const draw: WhileOpen = async (image, photo, hidden) => {
    const path = copies.get(image.url);
    if (!image.analyzed || path === undefined || failure) return;
    const jpeg = markDrawnCopy(await photo.annotate(listMarks(image, data), hidden));
    try {
      await writeFileWhole(path, jpeg, ctx.cwd);
    } catch (error) {
      if (!(error instanceof VehiError)) throw error;
      failure ??= error;
      return;
    }
    drawn.set(image.index, path);
  };
  const pictures = makeReportPictures(result, undefined, redaction, ctx, copies.size > 0 ? draw : undefined);
  return {
    pictures,
    /**
     * Writes the copies as JPEG.
     * @returns their paths by image index
     * @throws VehiError usage if the folder is not writable, engine if a photo cannot be drawn
     */
    async drawCopies(): Promise<ReadonlyMap<number, string>> {
      if (copies.size === 0) return drawn;
      const { missing } = await pictures();
      if (failure) throw failure;
      const lost = data.images.find(({ analyzed, index }) => analyzed && missing.has(index));
      if (lost === undefined) return drawn;
      const message = `${escapeName(lost.url)} has no annotated copy: ${missing.get(lost.index)}`;
      throw new VehiError('engine', 'NOT_DRAWN', message);
    },
  };
}

export const reportCopies = (count: number, folder: string, ctx: CliContext): Promise<void> =>
  writeStatus(ctx, `${formatCount(count, 'annotated photo')} written to ${folder}`);
