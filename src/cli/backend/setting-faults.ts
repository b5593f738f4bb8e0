import { findOrigin, type Setting, type Settings } from '../../config/settings.ts';
import { loadTablesWith } from '../../engine/pricer.ts';
import { VehiError } from '../../lib/errors.ts';
import type { Tables } from '../../pricing/index.ts';

/**
 * Loads the price tables with the regions file of the settings.
 * @throws VehiError usage REGIONS_UNREADABLE or input INVALID_TABLE, naming the file and where it was named
 */
export async function loadSetTables(settings: Pick<Settings, 'regions'>): Promise<Tables> {
  try {
    return await loadTablesWith(settings.regions.value ?? undefined);
  } catch (error) {
    throw locateFilesFault(error, settings);
  }
}

/**
 * Returns a wrong region or currency as an error of usage: here both come from flags and settings, not from an input
 * file. Where it was set elsewhere than on the command line, the message says where.
 */
export function asUsage(error: unknown, settings?: Pick<Settings, 'region' | 'currency'>): unknown {
  if (!(error instanceof VehiError)) return error;
  const setting = { INVALID_REGION: settings?.region, INVALID_CURRENCY: settings?.currency }[error.code];
  if (!['INVALID_REGION', 'INVALID_CURRENCY'].includes(error.code)) return error;
  return new VehiError('usage', error.code, `${describeSource(setting)}${error.message}`, {
    hint: error.hint,
  });
}

/** Returns where a setting was made, as the start of a message; nothing for a flag, which is in sight. */
function describeSource(setting: Setting | undefined): string {
  const origin = setting === undefined ? '' : findOrigin(setting, '');
  return origin === '' ? '' : `${origin}: `;
}

/** Returns an error of the user's own regions file or models with the place where these were named. */
export function locateFilesFault(
  error: unknown,
  { regions, models }: Pick<Settings, 'regions'> & Partial<Pick<Settings, 'models'>>,
): unknown {
  if (!(error instanceof VehiError)) return error;
  const isOfRegions = ['REGIONS_UNREADABLE', 'INVALID_TABLE'].includes(error.code);
  const origin = describeSource(isOfRegions ? regions : error.kind === 'engine' ? models : undefined);
  if (origin === '') return error;
  const { kind, code, message, hint, details, field } = error;
  return new VehiError(kind, code, `${origin}${message}`, { hint, details, field, cause: error });
}
