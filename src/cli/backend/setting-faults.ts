import { findOrigin, readExplicit, type Settings } from '../../config/settings.ts';
import { createPricer, loadTablesWith, type Pricer } from '../../engine/pricer.ts';
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
    throw locateFault(error, settings);
  }
}

/**
 * Loads the price tables, with the region and currency of prices; an invalid one is reported before any work.
 * @throws VehiError usage
 */
export async function checkPrices(
  settings: Pick<Settings, 'regions' | 'region' | 'currency'>,
): Promise<{ readonly tables: Tables } & Pick<Pricer, 'region' | 'currency'>> {
  const tables = await loadConfiguredTables(settings);
  try {
    const { region, currency } = createPricer(tables, settings.region.value, readExplicit(settings.currency));
    return { tables, region, currency };
  } catch (error) {
    throw locateFault(error, settings);
  }
}

const SETTING_OF_CODE: Readonly<Record<string, 'region' | 'currency' | 'regions'>> = {
  INVALID_REGION: 'region',
  INVALID_CURRENCY: 'currency',
  REGIONS_UNREADABLE: 'regions',
  INVALID_TABLE: 'regions',
};

/** Adds the origin of a setting to an error about its value or file; a flag, which the user has just typed, needs none. */
export function locateFault(
  error: unknown,
  settings: Partial<Pick<Settings, 'region' | 'currency' | 'regions' | 'models'>>,
): unknown {
  if (!(error instanceof VehiError)) return error;
  const { kind, code, message, hint, details, field } = error;
  const name = SETTING_OF_CODE[code] ?? (kind === 'engine' ? 'models' : undefined);
  const setting = name && settings[name];
  if (setting === undefined) return error;
  const origin = findOrigin(setting, '');
  // The engine takes region and currency for a part of its request; here they are flags or settings.
  const isPrice = name === 'region' || name === 'currency';
  return new VehiError(isPrice ? 'usage' : kind, code, `${origin === '' ? '' : `${origin}: `}${message}`, {
    hint,
    details,
    field,
    cause: error,
  });
}
