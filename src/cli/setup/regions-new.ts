import type { RegionRow } from '../../pricing/index.ts';

/** A comment of a regions file: fields of this name are left out when it is read. */
const NOTE = '//';

/** Returns a regions file for a shop of its own: valid as it is, every field filled from `row` and explained. */
export function newRegionsFile(row: RegionRow, date: string): string {
  const [low = 0, high = 0] = row.rate_per_hour;
  const around = [low, high];
  const materials = row.departments.materials ?? [Math.round(low * 0.7), Math.round(high * 0.7)];
  const document = {
    [NOTE]:
      'Check this file with `vehi regions validate FILE`, use it with `--regions FILE --region MY_SHOP`.',
    name: 'my regions',
    version: '1',
    effective_date: date,
    rows: [
      {
        [NOTE]: 'A code of your own; one of a shipped region replaces that region.',
        code: 'MY_SHOP',
        name: 'My shop',
        currency: row.currency,
        rate_per_hour: around,
        departments: {
          [NOTE]:
            'Pairs [low, high] per hour; the middle is used, so 75 exactly is [75, 75]. One left out takes rate_per_hour, aluminium 1.8 times body. materials is paint materials per refinish hour.',
          body: around,
          refinish: around,
          mechanical: around,
          structural: around,
          aluminium: [Math.round(low * 1.8), Math.round(high * 1.8)],
          glass: around,
          materials,
        },
        price_level: {
          [NOTE]: 'Shares of the US price tables; glass_hours of the hours to fit glass.',
          parts: row.price_level?.parts ?? 1,
          glass: row.price_level?.glass ?? 1,
          glass_hours: row.price_level?.glass_hours ?? 1,
          pdr: row.price_level?.pdr ?? 1,
          source: 'my own',
        },
        prices: [
          {
            [NOTE]: 'Own prices of new parts, in the currency of the region; front_door means both sides.',
            part: 'front_bumper',
            oem: Math.round(670 * (row.price_level?.parts ?? 1)),
            source: 'my own',
          },
        ],
        total_loss: { [NOTE]: 'threshold is a share of the value: 0.75 is 75 %.', ...row.total_loss },
        tax_rate: row.tax_rate,
        tax: {
          [NOTE]: 'tax_rate is a share, 0.06 is 6 %. base: everything, or parts_and_materials.',
          name: row.tax?.name ?? 'tax',
          base: row.tax?.base ?? 'parts_and_materials',
          source: 'my own',
        },
        value_reduction: row.value_reduction ?? { rule: 'none', source: 'my own' },
        default_market_value: row.default_market_value,
        market_value_source: row.market_value_source,
        date,
        source: 'my own door rates',
      },
    ],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
