import { SETTINGS, type SettingValues } from '../../config/settings.ts';
import type { Severity } from '../../domain/damage.ts';
import { CURRENCY_CODES } from '../../domain/money.ts';
import type { Sensitivity } from '../../domain/sight/detection.ts';
import type { Tables } from '../../pricing/index.ts';
import { KINDS, listPrintedKinds } from '../outputs/kinds.ts';
import type { Asker, Choice } from '../terminal/asker.ts';

type Region = Tables['regions']['rows'][number];

const SENSITIVITY_WORDS = {
  default: 'Default: few false alarms',
  high: 'High: fewer missed damages, more false alarms',
  low: 'Low: fewest false alarms, more missed damages',
} as const satisfies Record<Sensitivity, string>;
const FAIL_ON_WORDS = {
  none: 'Never: only errors fail a run',
  minor: 'Any damage',
  moderate: 'Moderate damage or worse',
  severe: 'Severe damage or worse',
  critical: 'Critical damage',
} as const satisfies Record<'none' | Severity, string>;

/** Prompts for the common settings not given as flags. */
export async function askSettings(
  given: SettingValues,
  regions: readonly Region[],
  asker: Asker,
): Promise<SettingValues> {
  const region = given.region ?? (await askRegion(regions, asker));
  const regionCurrency = regions.find((row) => row.code === region)?.currency;
  const currency =
    given.currency ??
    (await asker.select(
      'Currency of all amounts',
      [...new Set([...CURRENCY_CODES, ...(regionCurrency === undefined ? [] : [regionCurrency])])].map(
        (code) => ({
          value: code,
          name: code,
        }),
      ),
      regionCurrency,
    ));
  const sensitivity =
    given.sensitivity ?? (await asker.select('Detection sensitivity', listChoices(SENSITIVITY_WORDS)));
  const failOn =
    given.fail_on ??
    (await asker.select('When should a run fail (exit code 1)?', listChoices(FAIL_ON_WORDS)));
  const format =
    given.format ??
    (await asker.select(
      'What should be printed?',
      listPrintedKinds('inspect').map((kind) => ({ value: kind, name: `${kind}: ${KINDS[kind].words}` })),
    ));
  const dataDir = String(
    given.data_dir ?? (await asker.input('Folder for saved results (empty: your data folder)')),
  ).trim();
  return {
    ...given,
    region,
    currency,
    ...omitDefault('sensitivity', sensitivity),
    ...omitDefault('fail_on', failOn),
    ...(format === 'table' ? {} : { format }),
    ...(dataDir === '' ? {} : { data_dir: dataDir }),
  };
}

function askRegion(regions: readonly Region[], asker: Asker): Promise<string> {
  const choice = ({ code, name, rate_per_hour: [low, high], currency }: Region): Choice<string> => ({
    value: code,
    name: `${code}  ${name}, ${low}–${high} ${currency} an hour`,
  });
  const defaultRegion = regions.filter(({ code }) => code === SETTINGS.region.fallback);
  const others = regions.filter(({ code }) => code !== SETTINGS.region.fallback);
  return asker.search('Region whose labor rates price the repair (type to search)', [
    { heading: 'Default', choices: defaultRegion.map(choice) },
    { heading: 'Others', choices: others.map(choice) },
  ]);
}

function listChoices<T extends string>(words: Readonly<Record<T, string>>): readonly Choice<T>[] {
  return (Object.keys(words) as T[]).map((value) => ({ value, name: words[value] }));
}

function omitDefault(name: 'sensitivity' | 'fail_on', value: string | number): SettingValues {
  return value === SETTINGS[name].fallback ? {} : { [name]: value };
}
