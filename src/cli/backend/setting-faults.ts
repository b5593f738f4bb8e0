import { findOrigin, readExplicit, type Setting, type Settings } from '../../config/settings.ts';
import type { Pricer } from '../../engine/pricer.ts';
import { createPricer, loadTablesWith } from '../../engine/pricer.ts';
import { VehiError } from '../../lib/errors.ts';
import type { Tables } from '../../pricing/index.ts';

/**
 * Loads the price tables with the regions file of the settings.
 * @throws VehiError usage REGIONS_UNREADABLE or input INVALID_TABLE, with the file and the origin of the setting
 */
export async function loadConfiguredTables(settings: Pick<Settings, 'regions'>): Promise<Tables> {
  try {
    return await loadTablesWith(settings.regions.value ?? undefined);
  } catch (error) {
    throw locateFilesFault(error, settings);
  }
}

/**
 * Loads the price tables, with the region and currency of prices; an invalid one is reported before any work.
 * @throws VehiError usage
 */
export async function checkPrices(
  settings: Settings,
): Promise<{ readonly tables: Tables } & Pick<Pricer, 'region' | 'currency'>> {
  try {
    const tables = await loadConfiguredTables(settings);
    const pricer = createPricer(tables, settings.region.value, readExplicit(settings.currency));
    return { tables, region: pricer.region, currency: pricer.currency };
  } catch (error) {
    throw toUsageError(error, settings);
  }
}

/**
 * Converts an invalid region or currency to a usage error, because both come from flags or settings rather than an
 * input file. The message names the origin unless it is a flag.
 */
export function toUsageError(error: unknown, settings?: Pick<Settings, 'region' | 'currency'>): unknown {
  if (!(error instanceof VehiError)) return error;
  const setting = { INVALID_REGION: settings?.region, INVALID_CURRENCY: settings?.currency }[error.code];
  if (!['INVALID_REGION', 'INVALID_CURRENCY'].includes(error.code)) return error;
  return new VehiError('usage', error.code, `${describeSource(setting)}${error.message}`, {
    hint: error.hint,
  });
}

/** Returns the origin of a setting as a message prefix; empty for a flag, which the user has just typed. */
function describeSource(setting: Setting | undefined): string {
  const origin = setting === undefined ? '' : findOrigin(setting, '');
  return origin === '' ? '' : `${origin}: `;
}

/** Adds the origin of the setting to an error of the user's regions file or models. */
export function locateFilesFault(
  error: unknown,
  { regions, models }: Pick<Settings, 'regions'> & Partial<Pick<Settings, 'models'>>,
): unknown {
  if (!(error instanceof VehiError)) return error;
  const isRegionsFault = ['REGIONS_UNREADABLE', 'INVALID_TABLE'].includes(error.code);
  const origin = describeSource(isRegionsFault ? regions : error.kind === 'engine' ? models : undefined);
  if (origin === '') return error;
  const { kind, code, message, hint, details, field } = error;
  return new VehiError(kind, code, `${origin}${message}`, { hint, details, field, cause: error });
}
