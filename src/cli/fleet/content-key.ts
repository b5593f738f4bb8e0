import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join, normalize } from 'node:path';
import type { Settings } from '../../config/settings.ts';
import { MAX_IMAGE_BYTES } from '../../domain/photo-limits.ts';
import type { InspectRequest } from '../../engine/request.ts';
import type { CliContext } from '../terminal/context.ts';
import { findModelDir } from '../terminal/model-dir.ts';

/** Hashes the shared inputs of a run: version, models (by the hashes in their manifest), precision, regions file. */
export async function computeRunKey(
  settings: Settings,
  softwareVersion: string,
  ctx: Pick<CliContext, 'cwd'>,
): Promise<string> {
  const models = join(findModelDir(settings, ctx), 'manifest.json');
  const regions = settings.regions.value;
  return computeDigest([
    softwareVersion,
    await readFile(models, 'utf8').catch(() => ''),
    settings.precision.value ?? '',
    regions === null ? '' : await readFile(regions, 'utf8').catch(() => ''),
  ]);
}

/** Computes a key from the photos (path, view, type, content), the vehicle, options, problems and `run`. */
export async function computeContentKey(
  run: string,
  request: InspectRequest,
  problems: readonly { readonly message: string }[],
): Promise<string> {
  const photos: string[] = [];
  for (const { url, angle, type, source } of request.photos) {
    const content = source.kind === 'file' ? await hashFile(source.path) : computeDigest([source.bytes]);
    // ./fleet and fleet are the same folder.
    photos.push(JSON.stringify([normalize(url), angle, type, content]));
  }
  const faults = problems.map(({ message }) => message);
  const facts = JSON.stringify([request.vehicleId, request.vehicle ?? {}, request.options]);
  return computeDigest([run, facts, ...photos, ...faults]);
}

async function hashFile(path: string): Promise<string> {
  try {
    const facts = await stat(path);
    // Larger files are rejected as photos, so size and modification time suffice.
    if (!facts.isFile() || facts.size > MAX_IMAGE_BYTES) return `${facts.size} ${facts.mtimeMs}`;
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
    return hash.digest('hex');
  } catch (cause) {
    return `unreadable ${(cause as NodeJS.ErrnoException).code}`;
  }
}

function computeDigest(parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest('hex');
}
