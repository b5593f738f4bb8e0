import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readSettings, type Settings } from '../../config/settings.ts';
import type { Photo } from '../../contract/inspection.ts';
import { type Regions, RegionsToBlurSchema } from '../../contract/regions-to-blur.ts';
import type { Box } from '../../domain/geometry.ts';
import type { OpenPhoto } from '../../images/draw/photo-studio.ts';
import { resizeRgb } from '../../images/read/resize-rgb.ts';
import { checkText } from '../../lib/check.ts';
import { decodeText } from '../../lib/decode-text.ts';
import { VehiError } from '../../lib/errors.ts';
import { escapeName } from '../../lib/escape-name.ts';
import { formatCount } from '../../lib/format-count.ts';
import { toReason } from '../../lib/reason.ts';
import { readFileName } from '../../report/figures.ts';
import { describeRedaction } from '../../report/redaction-note.ts';
import type { PlateFinder } from '../../vision/plate-finder.ts';
import type { CliContext } from '../terminal/context.ts';
import { findModelDir } from '../terminal/model-dir.ts';
import { write, writeStatus } from '../terminal/output.ts';

export interface RedactionFlags {
  /** `on`, `strict`, `off`, or files with regions keyed by a photo's address or file name; default: on. */
  readonly redact?: readonly string[];
  /** Folder of the models. */
  readonly models?: string;
}

/** Redaction of the pictures. */
export interface Redaction {
  /** Inputs of the redaction, compared to decide whether earlier pictures are still valid. */
  readonly facts: object;
  /** True if each photo is searched for number plates. */
  readonly findsPlates: boolean;
  /** Returns the report's note on the redaction and its limits; undefined without redaction. */
  note(): string | undefined;
  /** Returns the regions of a photo in upright pixels; null if the photo must not be shown. */
  findRegions(photo: Pick<Photo, 'url' | 'sha256'>, opened: OpenPhoto): Promise<readonly Box[] | null>;
  /** Prints the redactions since the last report on stderr. */
  report(): Promise<void>;
  /** Reports, and releases the plate detector. */
  close(): Promise<void>;
}

const DETECTION_LIMITS =
  'About one plate in six is missed, and faces are not looked for: check the pictures.';

/**
 * Starts the redaction selected by the flags. Because plates may be missed, a line on stderr reports the number of
 * photos with detected plates.
 * @param drawsPictures true if the run writes pictures; otherwise the plate detector is loaded with the first picture
 * @throws VehiError engine if a plate detector is requested but missing, usage for a file that is not a list of regions
 */
export async function openRedaction(
  { redact = [], models }: RedactionFlags,
  drawsPictures: boolean,
  ctx: CliContext,
): Promise<Redaction> {
  const settings = readSettings({ models }, ctx);
  const given = redact.filter((one) => MODES.includes(one));
  const modes = given.length > 0 ? given : [settings.redact.value];
  if (new Set(modes).size > 1 && modes.includes('off'))
    throw new VehiError('usage', 'INVALID_REQUEST', `--redact is ${modes.join(' and ')}.`, {
      hint: 'Name one of them.',
    });
  const regionsByName = await readRegions(
    redact.filter((one) => !MODES.includes(one)),
    ctx,
  );
  const isStrict = modes.includes('strict');
  const isOff = modes.includes('off');
  let opened: Promise<PlateFinder | null> | undefined;
  const isRequired = given.length > 0 || isStrict;
  const findPlates = () => {
    opened ??= isOff ? Promise.resolve(null) : openFinder(settings, isRequired, ctx);
    return opened;
  };
  const finder = drawsPictures || given.length > 0 ? await findPlates() : null;
  const found = new Map<string, number>();
  const known = new Map<string, Promise<readonly Box[] | null>>();
  const findOnce = async (url: string, key: string, photo: OpenPhoto): Promise<readonly Box[] | null> => {
    const namedRegions = pickRegions(regionsByName, url);
    const plates = await (await findPlates())?.findRegions(photo);
    if (!plates) return namedRegions ?? [];
    found.set(key, plates.length);
    if (plates.length > 0 || namedRegions !== undefined || !isStrict)
      return [...(namedRegions ?? []), ...plates];
    await write(ctx.stderr, `${escapeName(url)}: no number plate found; left out (--redact strict)\n`);
    return null;
  };
  let reportedPhotos = 0;
  const report = async () => {
    if (found.size > reportedPhotos) await writeStatus(ctx, describeFound(found));
    reportedPhotos = found.size;
  };
  return {
    report,
    findsPlates: !isOff,
    facts: { plates: finder?.model.sha256 ?? null, strict: isStrict, named: regionsByName },
    note: () => describeRedaction(found.size > 0, Object.keys(regionsByName).length > 0),
    findRegions({ url, sha256 }, photo) {
      // File names repeat across vehicles.
      const key = `${sha256} ${url}`;
      const regions = known.get(key) ?? findOnce(url, key, photo);
      known.set(key, regions);
      return regions;
    },
    async close() {
      await (await opened?.catch(() => null))?.close();
      await report();
    },
  };
}

const MODES: readonly string[] = ['on', 'strict', 'off'];

/** Describes the redacted plates, the limits of the detection, and the flag to disable it. */
function describeFound(found: ReadonlyMap<string, number>): string {
  const plates = [...found.values()];
  const total = plates.reduce((sum, one) => sum + one, 0);
  const photos = formatCount(found.size, 'photo');
  if (total === 0) return `vehi: no number plate found in ${photos}, so none is blurred. ${DETECTION_LIMITS}`;
  const shown = plates.filter((one) => one > 0).length;
  return `vehi: ${formatCount(total, 'number plate')} blurred in ${shown} of ${photos} (--redact off shows them). ${DETECTION_LIMITS}`;
}

function pickRegions(regionsByName: Regions, url: string): Regions[string] | undefined {
  const key = [url, readFileName(url)].find((name) => Object.hasOwn(regionsByName, name));
  return key === undefined ? undefined : regionsByName[key];
}

/** Opens the plate detector of the models; null if it is missing and was not requested explicitly. */
async function openFinder(
  settings: Pick<Settings, 'models'>,
  isRequired: boolean,
  ctx: CliContext,
): Promise<PlateFinder | null> {
  const { createPlateFinder } = await import('../../vision/plate-finder.ts');
  const modelDir = findModelDir(settings, ctx);
  try {
    return await createPlateFinder({ modelDir, resize: resizeRgb });
  } catch (error) {
    if (isRequired || !(error instanceof VehiError && error.code === 'NO_PLATE_MODEL')) throw error;
    await writeStatus(ctx, `vehi: number plates are not blurred: ${modelDir} has no model that finds them.`);
    return null;
  }
}

/** Merges the regions of all files by photo. */
async function readRegions(files: readonly string[], ctx: CliContext): Promise<Regions> {
  const all = await Promise.all(files.map((file) => readRegionsFile(file, ctx)));
  const names = [...new Set(all.flatMap((one) => Object.keys(one)))];
  return Object.fromEntries(names.map((name) => [name, all.flatMap((one) => one[name] ?? [])]));
}

async function readRegionsFile(file: string, ctx: CliContext): Promise<Regions> {
  const document = `--redact ${file}`;
  const hint =
    'Needed: on, strict, off, or a file such as {"front.jpg": [{"x": 10, "y": 20, "width": 300, "height": 80}]}, pixels of the upright photo.';
  const source = { document, kind: 'usage', code: 'INVALID_REQUEST', hint } as const;
  const bytes = await readFile(resolve(ctx.cwd, file)).catch((cause: unknown) => {
    throw new VehiError(source.kind, source.code, `${document}: ${toReason(cause)}.`, { hint });
  });
  return checkText(RegionsToBlurSchema, decodeText(bytes, document), source);
}
