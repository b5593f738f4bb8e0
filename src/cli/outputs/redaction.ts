import { readSettings } from '../../config/settings.ts';
import type { Photo } from '../../contract/inspection.ts';
import type { Box } from '../../domain/geometry.ts';
import type { OpenPhoto } from '../../images/draw/photo-studio.ts';
import { resizeRgb } from '../../images/read/resize-rgb.ts';
import { pick } from '../../lib/defined.ts';
import { VehiError } from '../../lib/errors.ts';
import { formatCount } from '../../lib/format-count.ts';
import { sumBy } from '../../lib/sum.ts';
import { describeRedaction } from '../../report/redaction-note.ts';
import type { PlateFinder } from '../../vision/plate-finder.ts';
import type { CliContext } from '../terminal/context.ts';
import { findModelDir } from '../terminal/model-dir.ts';
import { writeStatus } from '../terminal/output.ts';

export interface RedactionFlags {
  readonly redact?: 'on' | 'off';
  /** Folder of the models. */
  readonly models?: string;
}

/** Redaction of the pictures. */
export interface Redaction {
  /** SHA-256 of the model that finds plates, compared to decide whether earlier pictures are still valid. */
  readonly model: string | null;
  /** True if each photo is searched for number plates. */
  readonly findsPlates: boolean;
  /** Returns the report's note on the redaction and its limits; undefined without redaction. */
  note(): string | undefined;
  /** Returns the plates of a photo in upright pixels. */
  findPlates(photo: Pick<Photo, 'url' | 'sha256'>, opened: OpenPhoto): Promise<readonly Box[]>;
  /** Prints the redactions since the last report on stderr. */
  report(): Promise<void>;
  /** Reports, and releases the plate detector. */
  close(): Promise<void>;
}

const DETECTION_LIMITS =
  'About one plate in six is missed, and faces are not looked for: check the pictures.';

/**
 * Starts the redaction. Because plates may be missed, a line on stderr reports the number of photos with detected plates.
 * @param drawsPictures true if the run writes pictures; otherwise the plate detector is loaded with the first picture
 * @throws VehiError engine if `--redact on` is given and the models have no plate detector
 */
export async function openRedaction(
  flags: RedactionFlags,
  drawsPictures: boolean,
  ctx: CliContext,
): Promise<Redaction> {
  const { redact, models } = readSettings(pick(flags, ['redact', 'models']), ctx);
  const isOn = redact.value === 'on';
  const isAsked = isOn && redact.source === 'flag';
  let opened: Promise<PlateFinder | null> | undefined;
  const open = () => {
    opened ??= isOn ? openFinder(findModelDir({ models }, ctx), isAsked, ctx) : Promise.resolve(null);
    return opened;
  };
  const finder = drawsPictures || isAsked ? await open() : null;
  // By hash and address: file names repeat across vehicles.
  const found = new Map<string, Promise<readonly Box[] | undefined>>();
  const counts: number[] = [];
  const search = async (photo: OpenPhoto) => {
    const plates = await (await open())?.findRegions(photo);
    if (plates) counts.push(plates.length);
    return plates;
  };
  let reportedPhotos = 0;
  const report = async () => {
    if (counts.length > reportedPhotos) await writeStatus(ctx, describeFound(counts));
    reportedPhotos = counts.length;
  };
  return {
    report,
    findsPlates: isOn,
    model: finder?.model.sha256 ?? null,
    note: () => describeRedaction(counts.length > 0),
    async findPlates({ url, sha256 }, photo) {
      const key = `${sha256} ${url}`;
      const plates = found.get(key) ?? search(photo);
      found.set(key, plates);
      return (await plates) ?? [];
    },
    async close() {
      await (await opened?.catch(() => null))?.close();
      await report();
    },
  };
}

/** Describes the redacted plates by their number per photo, the limits of the detection, and the flag to disable it. */
function describeFound(counts: readonly number[]): string {
  const total = sumBy(counts, (count) => count);
  const photos = formatCount(counts.length, 'photo');
  if (total === 0) return `vehi: no number plate found in ${photos}, so none is blurred. ${DETECTION_LIMITS}`;
  const shown = counts.filter((count) => count > 0).length;
  return `vehi: ${formatCount(total, 'number plate')} blurred in ${shown} of ${photos} (--redact off shows them). ${DETECTION_LIMITS}`;
}

/** Opens the plate detector of the models; null if it is missing and was not requested explicitly. */
async function openFinder(
  modelDir: string,
  isRequired: boolean,
  ctx: CliContext,
): Promise<PlateFinder | null> {
  const { createPlateFinder } = await import('../../vision/plate-finder.ts');
  try {
    return await createPlateFinder({ modelDir, resize: resizeRgb });
  } catch (error) {
    if (isRequired || !(error instanceof VehiError && error.code === 'NO_PLATE_MODEL')) throw error;
    await writeStatus(ctx, `vehi: number plates are not blurred: ${modelDir} has no model that finds them.`);
    return null;
  }
}
