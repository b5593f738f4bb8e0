import { existsSync } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import { join, normalize, resolve } from 'node:path';
import { readFailOn } from '../../config/settings.ts';
import type { InspectedResult } from '../../contract/result.ts';
import { MAX_IMAGE_BYTES } from '../../domain/photo-limits.ts';
import { hashBytes, hashJson } from '../../lib/ids.ts';
import { readPackageJson } from '../../lib/package.ts';
import { locateTextModels } from '../../vision/text/text-models.ts';
import type { InspectRun, Vehicle } from '../inspect/vehicle.ts';
import { findModelDir } from '../local-engine.ts';
import type { Output } from '../outputs/parse-output.ts';
import { readResult } from '../results/result-source.ts';
import type { CliContext } from '../terminal/context.ts';
import { writeFileWhole } from '../terminal/output.ts';

/** Subfolder of the results with one file per vehicle: the hash of all inputs of its result and outputs. */
const KEYS = '.vehi-keys';

/**
 * Hashes what all vehicles of a run share: version, models (by the hashes in their manifest, and whether those that read
 * text are installed), regions, and the flags and settings of the outputs.
 */
export async function computeRunKey({ flags, settings, page, ctx }: InspectRun, outputs: readonly Output[]) {
  const { annotated, assess, all } = flags;
  const { regions, redact } = settings;
  const locate = (folder: string | undefined) => folder && resolve(ctx.cwd, folder);
  return hashJson([
    readPackageJson().version,
    await readFile(join(findModelDir(settings, ctx), 'manifest.json'), 'utf8').catch(() => ''),
    (await locateTextModels()) !== null,
    regions.value && (await readFile(regions.value, 'utf8').catch(() => '')),
    [assess, all, redact.value, readFailOn(settings)],
    { ...page, extraFont: page.extraFont && hashBytes(page.extraFont) },
    [locate(annotated), ...outputs.map(({ kind, path }) => [kind, locate(path)])],
  ]);
}

/** Hashes the inputs of a vehicle's files: the run, its photos (path, view, type, content), facts and problems. */
export async function computeVehicleKey(
  runKey: string,
  { request, gathered: { photos, problems }, known }: Vehicle,
): Promise<string> {
  const { vehicleId, options } = request;
  const read: unknown[] = [];
  // ./fleet and fleet are the same folder.
  for (const { url, angle, type, source } of photos)
    read.push([normalize(url), angle, type, await hashPhoto(source.path)]);
  return hashJson([runKey, vehicleId, options, known, read, problems.map(({ message }) => message)]);
}

async function hashPhoto(path: string): Promise<string> {
  try {
    const { size, mtimeMs } = await stat(path);
    // Larger files are rejected as photos, so size and modification time suffice.
    return size > MAX_IMAGE_BYTES ? `${size} ${mtimeMs}` : hashBytes(await readFile(path));
  } catch (cause) {
    return `unreadable ${(cause as NodeJS.ErrnoException).code}`;
  }
}

export function openKey(folder: string, name: string, ctx: CliContext) {
  const file = join(folder, KEYS, name);
  return {
    /** Removes the key before the result changes, so that an interruption never leaves it with another result. */
    remove: () => rm(resolve(ctx.cwd, file), { force: true }),
    write: (key: string) => writeFileWhole(file, `${key}\n`, ctx.cwd),
    /** Returns the result made from the same inputs; null if it is invalid, or one of its files is missing. */
    async load(key: string, outputs: readonly Output[]): Promise<InspectedResult | null> {
      const locate = (path: string) => resolve(ctx.cwd, path);
      try {
        if ((await readFile(locate(file), 'utf8')).trim() !== key) return null;
        const [result = '', ...others] = outputs.map(({ path }) => path);
        const { inspection, ...rest } = await readResult(result, ctx);
        const pictures = inspection?.data.images.flatMap(({ annotated_url }) => annotated_url ?? []) ?? [];
        const areThere = [...others, ...pictures].every((path) => existsSync(locate(path)));
        return inspection && areThere ? { ...rest, inspection } : null;
      } catch {
        return null;
      }
    },
  };
}
