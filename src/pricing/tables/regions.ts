import { VehiError } from '../../lib/errors.ts';
import { suggestNames } from '../../lib/fields.ts';
import type { Tables } from './load.ts';
import type { RegionRow, RegionsTable } from './schema.ts';

/** Adds a user's region rows to the tables; a row with a shipped code replaces the shipped row. */
export function withRegions(tables: Tables, custom: RegionsTable): Tables {
  const kept = tables.regions.rows.filter((row) => !custom.rows.some((own) => own.code === row.code));
  return {
    ...tables,
    fx: addRates(tables.fx, custom),
    regions: {
      ...tables.regions,
      version: `${tables.regions.version}+${custom.version}`,
      effective_date: custom.effective_date,
      rows: [...kept, ...custom.rows],
      own: {
        codes: custom.rows.map((row) => row.code),
        currencies: [...custom.rows, ...(custom.exchange_rates ?? [])].map((row) => row.currency),
      },
    },
  };
}

/** Adds the user's exchange rates, each with its own date; they take precedence over the shipped ones. */
function addRates(fx: Tables['fx'], { exchange_rates: own = [], version }: RegionsTable): Tables['fx'] {
  if (own.length === 0) return fx;
  const perUsd = fx.rows.find((row) => row.currency === 'USD')?.per_base ?? 1;
  const rates = own.map(({ currency, per_usd, date, source }) => ({
    currency,
    per_base: per_usd * perUsd,
    date,
    source,
  }));
  const kept = fx.rows.filter((row) => !own.some((rate) => rate.currency === row.currency));
  return { ...fx, version: `${fx.version}+${version}`, rows: [...kept, ...rates] };
}

/** Returns the row of a region code. @throws VehiError INVALID_REGION, with the nearest code as a hint. */
export function findRegion(
  tables: Tables,
  code: string,
  field = 'assessment_options.labor_rate_region',
): RegionRow {
  const row = tables.regions.rows.find((candidate) => candidate.code === code);
  if (row !== undefined) return row;
  const codes = tables.regions.rows.map((candidate) => candidate.code);
  throw new VehiError('input', 'INVALID_REGION', `Unknown labor rate region "${code}".`, {
    field,
    hint: suggestNames(code, codes, 'Known regions:'),
    details: { allowed: codes },
  });
}
