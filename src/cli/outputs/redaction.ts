import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readSettings, type Setting } from '../../config/settings.ts';
import type { Photo } from '../../contract/inspection.ts';
import { type Regions, RegionsToBlurSchema } from '../../contract/regions-to-blur.ts';
import type { Box } from '../../domain/geometry.ts';
import type { OpenPhoto } from '../../images/draw/photo-studio.ts';
import { resizeRgb } from '../../images/read/resize-rgb.ts';
import { checkText } from '../../lib/check.ts';
import { formatCount } from '../../lib/counted.ts';
import { decodeText } from '../../lib/decode-text.ts';
import { escapeName } from '../../lib/display-name.ts';
import { VehiError } from '../../lib/errors.ts';
import { toReason } from '../../lib/reason.ts';
import { readFileName } from '../../report/figures.ts';
import { describeRedaction } from '../../report/redaction-note.ts';
import { shippedModelDir } from '../../vision/models/model-files.ts';
import type { PlateFinder } from '../../vision/plate-finder.ts';
import type { CliContext } from '../terminal/context.ts';
import { write } from '../terminal/output.ts';
import { printStatus } from '../terminal/progress.ts';

export interface RedactionFlags {
  /** `on`, `strict`, `off`, or files that name regions by a photo's address or file name; default: on. */
  readonly redact?: readonly string[];
  /** Folder of the models. */
  readonly models?: string;
}

/** What is made unrecognisable in the pictures written. */
export interface Redaction {
  /** What the regions follow from, so that a run can decide whether pictures made earlier are still right. */
  readonly facts: object;
  /** Whether plates are looked for, in pixels of each photo. */
  readonly looks: boolean;
  /** What a report says of it: what was looked for and what not; nothing where pictures are as they were taken. */
  note(): string | undefined;
  /** Regions of a photo, in its upright pixels; null where the photo must not be shown. */
  findRegions(photo: Pick<Photo, 'url' | 'sha256'>, opened: OpenPhoto): Promise<readonly Box[] | null>;
  /** Prints on stderr what was blurred since the last report. */
  report(): Promise<void>;
  /** Reports, and ends the plate finder. */
  close(): Promise<void>;
}

const LIMITS = 'About one plate in six is missed, and faces are not looked for: check the pictures.';

/**
 * Opens the redaction that the flags ask for. Nobody can promise that all plates are found, so one line on stderr says
 * in how many photos one was.
 * @param draws whether the run writes pictures; else the plate finder is opened with the first picture that is drawn
 * @throws VehiError engine where there is no plate finder and it is asked for, usage for a file that is not a list of
 * regions
 */
export async function openRedaction(
  { redact = [], models }: RedactionFlags,
  draws: boolean,
  ctx: CliContext,
): Promise<Redaction> {
  const settings = readSettings({ models }, ctx);
  const given = redact.filter((one) => MODES.includes(one));
  const modes = given.length > 0 ? given : [settings.redact.value];
  if (new Set(modes).size > 1 && modes.includes('off'))
    throw new VehiError('usage', 'INVALID_REQUEST', `--redact is ${modes.join(' and ')}.`, {
      hint: 'Name one of them.',
    });
  const named = await readRegions(
    redact.filter((one) => !MODES.includes(one)),
    ctx,
  );
  const isStrict = modes.includes('strict');
  const isOff = modes.includes('off');
  let opened: Promise<PlateFinder | null> | undefined;
  const isAsked = given.length > 0 || isStrict;
  const findPlates = () => {
    opened ??= isOff ? Promise.resolve(null) : openFinder(settings.models, isAsked, ctx);
    return opened;
  };
  const finder = draws || given.length > 0 ? await findPlates() : null;
  const found = new Map<string, number>();
  const known = new Map<string, Promise<readonly Box[] | null>>();
  const look = async (url: string, key: string, photo: OpenPhoto): Promise<readonly Box[] | null> => {
    const own = pickRegions(named, url);
    const plates = await (await findPlates())?.regionsIn(photo);
    if (!plates) return own ?? [];
    found.set(key, plates.length);
    if (plates.length > 0 || own !== undefined || !isStrict) return [...(own ?? []), ...plates];
    await write(ctx.stderr, `${escapeName(url)}: no number plate found; left out (--redact strict)\n`);
    return null;
  };
  let said = 0;
  const report = async () => {
    if (found.size > said) await printStatus(ctx, describeFound(found));
    said = found.size;
  };
  return {
    report,
    looks: !isOff,
    facts: { plates: finder?.model.sha256 ?? null, strict: isStrict, named },
    note: () => describeRedaction(found.size > 0, Object.keys(named).length > 0),
    findRegions({ url, sha256 }, photo) {
      // Names of photos repeat from vehicle to vehicle.
      const key = `${sha256} ${url}`;
      const regions = known.get(key) ?? look(url, key, photo);
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

/** Returns what was blurred, what may be left to see, and how to switch it off. */
function describeFound(found: ReadonlyMap<string, number>): string {
  const plates = [...found.values()];
  const total = plates.reduce((sum, one) => sum + one, 0);
  const photos = formatCount(found.size, 'photo');
  if (total === 0) return `vehi: no number plate found in ${photos}, so none is blurred. ${LIMITS}`;
  const shown = plates.filter((one) => one > 0).length;
  return `vehi: ${formatCount(total, 'number plate')} blurred in ${shown} of ${photos} (--redact off shows them). ${LIMITS}`;
}

function pickRegions(named: Regions, url: string): Regions[string] | undefined {
  const key = [url, readFileName(url)].find((name) => Object.hasOwn(named, name));
  return key === undefined ? undefined : named[key];
}

/** Returns the plate finder of the models; null where they have none and nobody asked for it. */
async function openFinder(
  models: Setting<string | null>,
  isAsked: boolean,
  ctx: CliContext,
): Promise<PlateFinder | null> {
  const { createPlateFinder } = await import('../../vision/plate-finder.ts');
  const modelDir = resolve(ctx.cwd, models.value ?? shippedModelDir());
  try {
    return await createPlateFinder({ modelDir, resize: resizeRgb });
  } catch (error) {
    if (isAsked || !(error instanceof VehiError && error.code === 'NO_PLATE_MODEL')) throw error;
    await printStatus(ctx, `vehi: number plates are not blurred: ${modelDir} has no model that finds them.`);
    return null;
  }
}

/** Returns the regions of all files by photo; those of one photo together. */
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
  return checkText(RegionsToBlurSchema, decodeText(bytes), source);
}
