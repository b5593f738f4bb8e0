import template from '../../pricing/data/regions-template.json' with { type: 'json' };
import type { RegionRow, Tables } from '../../pricing/index.ts';

type Values = Readonly<Record<string, unknown>>;

/**
 * Generates a valid regions file for a shop, with every field filled from `row` and explained. In the template, `=NAME`
 * is a placeholder for a value, and `"=": NAME` for the fields of an object.
 */
export function writeRegionsFile(row: RegionRow, tables: Tables, date: string): string {
  const document = fill(template, listValues(row, tables, date));
  // Puts pairs of figures and names on one line, as in a handwritten file.
  const text = JSON.stringify(document, null, 2).replace(
    /\[\n\s+([^[\]{}]+?)\n\s+\]/g,
    (_, inner: string) => `[${inner.replace(/\n\s+/g, ' ')}]`,
  );
  return `${text}\n`;
}

function fill(node: unknown, values: Values): unknown {
  if (typeof node === 'string' && node.startsWith('=')) return values[node.slice(1)];
  if (Array.isArray(node)) return node.map((one) => fill(one, values));
  if (typeof node !== 'object' || node === null) return node;
  const fields = Object.entries(node).flatMap(([key, value]) =>
    key === '=' ? Object.entries(values[value] as object) : [[key, fill(value, values)]],
  );
  return Object.fromEntries(fields);
}

function listValues(row: RegionRow, tables: Tables, date: string): Values {
  // Rate for an ordinary car, which is below the row's own rates if those are a dealer's.
  const { level } = row.ordinary ?? { level: 1 };
  const [low = 0, high = 0] = row.rate_per_hour.map((rate) => rate * level);
  const times = (factor: number) => [Math.round(low * factor), Math.round(high * factor)];
  const perBase = (code: string) => tables.fx.rows.find((one) => one.currency === code)?.per_base ?? 1;
  const perUsd = perBase(row.currency) / perBase('USD');
  const local = (usd: number, share = 1) => Number((usd * perUsd * share).toPrecision(3));
  const at = (share = 1) => Number((share * level).toPrecision(3));
  const { parts, glass, glass_hours = 1, pdr, scan, calibration } = row.price_level ?? {};
  const bumper = tables.parts.rows.find((one) => one.parts.includes('front_bumper'));
  const source = 'my own';
  const isUsd = row.currency === 'USD';
  return {
    ...row,
    distance_unit: row.distance_unit ?? 'km',
    date,
    rate: [low, high],
    aluminium: times(1.8),
    materials: row.departments.materials?.map((rate) => rate * level) ?? times(0.7),
    exchange_currency: isUsd ? 'EUR' : row.currency,
    per_usd: Number((isUsd ? perBase('EUR') / perBase('USD') : perUsd).toPrecision(6)),
    exchange_date: tables.fx.effective_date,
    exchange_source: tables.fx.source,
    price_level: {
      parts: at(parts),
      glass: at(glass),
      glass_hours,
      pdr: at(pdr),
      scan: at(scan),
      calibration: at(calibration),
    },
    bumper_oem: local(bumper?.oem ?? 0, at(parts)),
    bumper_replace_hours: bumper?.replace_hours ?? 0,
    bumper_refinish_hours: bumper?.refinish_new_hours ?? 0,
    pdr_minimum: local(tables.pdr.minimum_charge, at(pdr)),
    pdr_oversize_each: local(tables.pdr.oversize_each, at(pdr)),
    pdr_rows: tables.pdr.rows
      .filter((one) => one.panel === 'side')
      .map(({ panel, up_to_dents, price }) => {
        const sizes = Object.entries(price).map(([size, usd]) => [
          size,
          usd === null ? null : local(usd, at(pdr)),
        ]);
        return { panel, up_to_dents, price: Object.fromEntries(sizes) };
      }),
    expected_share: row.expected?.share ?? 1,
    hazardous_waste: local(6),
    materials_cap: local(750),
    tax_name: row.tax?.name ?? 'tax',
    tax_base: row.tax?.base ?? 'parts_and_materials',
    value_reduction: row.value_reduction ?? { rule: 'none', source },
    usual_km_per_year: row.usual_km_per_year ?? { km: tables.value.age.reference_km_per_year, source },
  };
}
