import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readSettings } from '../../config/settings.ts';
import type { Photo } from '../../contract/inspection.ts';
import { type Regions, RegionsToBlurSchema } from '../../contract/regions-to-blur.ts';
import type { Box } from '../../domain/geometry.ts';
import type { OpenPhoto } from '../../images/draw/photo-studio.ts';
import { resizeRgb } from '../../images/read/resize-rgb.ts';
import { checkText } from '../../lib/check.ts';
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

interface RedactionFlags {
  /** Blur the plates that the plate finder finds. */
  readonly redact?: boolean;
  /** Show no photo in which nothing was found, unless the regions file names it. */
  readonly redactStrict?: boolean;
  /** File that names regions by the photo's address or file name. */
  readonly redactRegions?: string;
  /** Folder of the models. */
  readonly models?: string;
}

/** What is made unrecognisable in the pictures written. */
export interface Redaction {
  /** What the regions follow from, so that a run can decide whether pictures made earlier are still right. */
  readonly facts: object;
  /** Whether plates are looked for, in pixels of each photo. */
  readonly looks: boolean;
  /** What a report says of it: what was looked for and what not; nothing where nothing was asked for. */
  readonly note: string | undefined;
  /** Regions of a photo, in its upright pixels; null where the photo must not be shown. */
  findRegions(photo: Pick<Photo, 'url' | 'sha256'>, opened: OpenPhoto): Promise<readonly Box[] | null>;
  /** Says on stderr what was blurred and ends the plate finder. */
  close(): Promise<void>;
}

const LIMITS =
  'Check the pictures before you send them: about a sixth of the plates is missed, and faces are not looked for.';

/**
 * Opens the redaction that the flags ask for; every find is reported on stderr. Nobody can promise that all plates are
 * found, so the summary says in how many photos none was.
 * @throws VehiError engine where there is no plate finder, usage for a file that is not a list of regions
 */
export async function openRedaction(
  { redact, redactStrict, redactRegions, models }: RedactionFlags,
  ctx: CliContext,
): Promise<Redaction> {
  const named = await readRegions(redactRegions, ctx);
  const finder = redact || redactStrict ? await openFinder(models, ctx) : undefined;
  const plates: number[] = [];
  const known = new Map<string, Promise<readonly Box[] | null>>();
  const look = async (url: string, photo: OpenPhoto): Promise<readonly Box[] | null> => {
    const own = pickRegions(named, url);
    if (!finder) return own ?? [];
    const found = await finder.regionsIn(photo);
    plates.push(found.length);
    const shown = found.length > 0 || own !== undefined || !redactStrict;
    const what =
      found.length === 0 ? 'no number plate found' : `${formatCount(found.length, 'number plate')} blurred`;
    await write(ctx.stderr, `${escapeName(url)}: ${what}${shown ? '' : '; left out (--redact-strict)'}\n`);
    return shown ? [...(own ?? []), ...found] : null;
  };
  return {
    looks: finder !== undefined,
    facts: { plates: finder?.model.sha256 ?? null, strict: Boolean(redactStrict), named },
    note: describeRedaction(finder !== undefined, redactRegions !== undefined),
    findRegions({ url, sha256 }, opened) {
      // Names of photos repeat from vehicle to vehicle.
      const key = `${sha256} ${url}`;
      const regions = known.get(key) ?? look(url, opened);
      known.set(key, regions);
      return regions;
    },
    async close() {
      if (!finder) return;
      await finder.close();
      if (plates.length === 0) return;
      const total = plates.reduce((sum, one) => sum + one, 0);
      const without = plates.filter((one) => one === 0).length;
      await write(
        ctx.stderr,
        `vehi: ${formatCount(total, 'number plate')} blurred in ${formatCount(plates.length, 'photo')}, ${without} without one. ${LIMITS}\n`,
      );
    },
  };
}

function pickRegions(named: Regions, url: string): Regions[string] | undefined {
  const key = [url, readFileName(url)].find((name) => Object.hasOwn(named, name));
  return key === undefined ? undefined : named[key];
}

function formatCount(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

async function openFinder(given: string | undefined, ctx: CliContext): Promise<PlateFinder> {
  const { createPlateFinder } = await import('../../vision/plate-finder.ts');
  const { models } = readSettings({ models: given }, ctx);
  return createPlateFinder({
    modelDir: resolve(ctx.cwd, models.value ?? shippedModelDir()),
    resize: resizeRgb,
  });
}

async function readRegions(file: string | undefined, ctx: CliContext): Promise<Regions> {
  if (file === undefined) return {};
  const document = `--redact-regions ${file}`;
  const hint =
    'Needed: {"front.jpg": [{"x": 10, "y": 20, "width": 300, "height": 80}]}, pixels of the upright photo.';
  const source = { document, kind: 'usage', code: 'INVALID_REQUEST', hint } as const;
  const bytes = await readFile(resolve(ctx.cwd, file)).catch((cause: unknown) => {
    throw new VehiError(source.kind, source.code, `${document}: ${toReason(cause)}.`, { hint });
  });
  return checkText(RegionsToBlurSchema, decodeText(bytes), source);
}
