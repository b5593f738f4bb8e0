import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { decodeText } from '../lib/decode-text.ts';
import { toReason, VehiError } from '../lib/errors.ts';
import { parseJson } from '../lib/json.ts';
import { loadTables, type Tables } from '../pricing/tables/load.ts';
import { withRegions } from '../pricing/tables/regions.ts';

/** Maximum size of a regions file; a region that sets all its own prices and hours takes under 100 KB. */
export const MAX_REGIONS_BYTES = 8 * 1024 * 1024;

/**
 * Loads the bundled price tables, with the user's regions if a file is given.
 * @throws VehiError usage REGIONS_UNREADABLE, or INVALID_TABLE naming the row and the reason.
 */
export async function loadTablesWith(regionsFile: string | undefined): Promise<Tables> {
  const tables = loadTables();
  if (regionsFile === undefined) return tables;
  let custom: unknown;
  try {
    const { size } = statSync(regionsFile);
    if (size > MAX_REGIONS_BYTES) throw new Error(`it is larger than ${MAX_REGIONS_BYTES / 1024 / 1024} MB`);
    custom = parseJson(decodeText(readFileSync(regionsFile)));
  } catch (cause) {
    const message = `cannot read the regions of ${resolve(regionsFile)}: ${toReason(cause)}`;
    const hint = 'vehi regions validate FILE says what a regions file needs.';
    throw new VehiError('usage', 'REGIONS_UNREADABLE', message, { hint, cause });
  }
  // Loaded lazily: only a user's file needs the schemas, and loading them is slow.
  const { checkRegions } = await import('../pricing/tables/check-regions.ts');
  return withRegions(tables, checkRegions(custom, regionsFile));
}
