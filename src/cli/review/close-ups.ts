import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Damage } from '../../contract/inspection.ts';
import { asPng } from '../../images/draw/as-png.ts';
import { closeUpRegion, findMainEvidence } from '../../report/pictures.ts';
import { openRedaction } from '../outputs/redaction.ts';
import { makeFilePictures, type ReportSource } from '../outputs/report-pictures.ts';
import type { CliContext } from '../terminal/context.ts';
import { detectPictureProtocol, inlinePicture } from './terminal-pictures.ts';

/** Close-ups of findings while they are reviewed. */
interface CloseUps {
  /** What to print for a finding: its close-up, the path of a file with it, or why there is none. */
  of(damage: Damage): Promise<string>;
  /** Removes the files. */
  close(): Promise<void>;
}

/** Long side of a close-up, pixels; and its width on the terminal, columns. */
const PIXELS = 640;
const COLUMNS = 48;

/**
 * Opens the close-ups of a result's photos, which must be the files that were inspected.
 * @param photosFolder folder to look in first, by file name
 */
export async function closeUps(
  source: ReportSource,
  photosFolder: string | undefined,
  ctx: CliContext,
): Promise<CloseUps> {
  const asTheyAre = await openRedaction({}, ctx);
  const files = makeFilePictures(source, photosFolder && resolve(ctx.cwd, photosFolder), asTheyAre);
  const protocol = detectPictureProtocol(ctx.env, ctx.stderr);
  let folder: Promise<string> | null = null;
  const write = async (name: string, jpeg: Uint8Array) => {
    folder ??= mkdtemp(join(tmpdir(), 'vehi-review-'));
    const path = join(await folder, name);
    await writeFile(path, jpeg, { mode: 0o600 });
    return path;
  };
  return {
    async of(damage) {
      const evidence = findMainEvidence(damage);
      const photo = source.inspection?.data.images.find(({ index }) => index === evidence?.image_index);
      if (!evidence || !photo) return '   no close-up: the result names no photo of it.';
      const region = closeUpRegion(evidence.coordinates, photo);
      const loaded = await files.load(photo, { maxSide: 16, crops: [{ region, maxSide: PIXELS }] });
      if ('missing' in loaded) return `   no close-up: ${loaded.missing}`;
      const jpeg = loaded.crops[0]?.jpeg ?? new Uint8Array();
      if (protocol) return inlinePicture(protocol, protocol === 'kitty' ? await asPng(jpeg) : jpeg, COLUMNS);
      return `   close-up: ${await write(`finding-${damage.number}.jpg`, jpeg)}`;
    },
    async close() {
      await files.close();
      if (folder) await rm(await folder, { recursive: true, force: true });
    },
  };
}
