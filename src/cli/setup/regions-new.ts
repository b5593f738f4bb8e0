import type { RegionRow, Tables } from '../../pricing/index.ts';

/** A comment of a regions file: fields whose name begins with it are left out when it is read. */
const NOTE = '//';

/** Returns a regions file for a shop of its own: valid as it is, every field filled from `row` and explained. */
export function writeRegionsFile(row: RegionRow, tables: Tables, date: string): string {
  const [low = 0, high = 0] = row.rate_per_hour;
  const around = [low, high];
  const times = (factor: number) => [Math.round(low * factor), Math.round(high * factor)];
  const level: Partial<NonNullable<RegionRow['price_level']>> &
    Record<'parts' | 'glass' | 'glass_hours' | 'pdr', number> = row.price_level ?? {
    parts: 1,
    glass: 1,
    glass_hours: 1,
    pdr: 1,
  };
  const perBase = (code: string) => tables.fx.rows.find((one) => one.currency === code)?.per_base ?? 1;
  const perUsd = perBase(row.currency) / perBase('USD');
  const local = (usd: number, share = 1) => Number((usd * perUsd * share).toPrecision(3));
  const bumper = tables.parts.rows.find((one) => one.parts.includes('front_bumper'));
  const source = 'my own';
  const document = {
    [NOTE]:
      'Check this file with `vehi regions validate FILE`, use it with `--regions FILE --region MY_SHOP`; prices are in its currency unless --currency names another. Fields named // are comments. Remove whatever you do not need: departments, price_level, exchange_rates, prices, hours, pdr, blend, fees, caps and value_reduction are optional.',
    name: 'my regions',
    version: '1',
    effective_date: date,
    exchange_rates: [
      {
        [NOTE]:
          'Units of a currency for one US dollar, where you know newer ones than the table, or for a currency that it does not have. Prices of parts are in USD; region and estimate may be in any currency of ISO 4217.',
        currency: row.currency === 'USD' ? 'EUR' : row.currency,
        per_usd: Number((row.currency === 'USD' ? perBase('EUR') / perBase('USD') : perUsd).toPrecision(6)),
        date: tables.fx.effective_date,
        source: tables.fx.source,
      },
    ],
    rows: [
      {
        [NOTE]: 'A code of your own; one of a shipped region replaces that region.',
        code: 'MY_SHOP',
        name: 'My shop',
        currency: row.currency,
        [`${NOTE} rate_per_hour`]:
          'The rate that results name; a department that gives none of its own takes it. Put your body rate here.',
        rate_per_hour: around,
        departments: {
          [NOTE]:
            'Pairs [low, high] per hour; the middle is used, so 75 exactly is [75, 75]. One left out takes rate_per_hour, aluminium 1.8 times body, glass that of body. materials is paint materials per refinish hour. pdr, where given, raises or lowers the prices of paintless dent removal, which are at 120 USD an hour; own prices outrank it, see below.',
          body: around,
          refinish: around,
          mechanical: around,
          structural: around,
          aluminium: times(1.8),
          glass: around,
          materials: row.departments.materials ?? times(0.7),
        },
        materials_source: source,
        [`${NOTE} aluminium_hours`]:
          'Hours of a repair in aluminium over those in steel: 1 where your aluminium rate says it all, 2 where you bill twice the hours at the body rate.',
        aluminium_hours: 1,
        price_level: {
          [NOTE]:
            'Shares of the US price tables; glass_hours of the hours to fit glass, scan and calibration of work that is bought in.',
          parts: level.parts,
          glass: level.glass,
          glass_hours: level.glass_hours,
          pdr: level.pdr,
          scan: level.scan ?? 1,
          calibration: level.calibration ?? 1,
          source,
        },
        prices: [
          {
            [NOTE]:
              'Own prices of new parts, in the currency of the region; front_door means both sides. Without class the price is that of a standard car and the classes raise or lower it; with class it holds for that class as it is.',
            part: 'front_bumper',
            oem: local(bumper?.oem ?? 0, level.parts),
            class: 'standard',
            source,
          },
        ],
        hours: [
          {
            [NOTE]:
              'Own hours; leave out what should stay as in the table: replace, remove_install, repair (of a moderate damage), refinish_repair, refinish_new (base, without clear coat), section, aim.',
            part: 'front_bumper',
            replace: bumper?.replace_hours ?? 0,
            refinish_new: bumper?.refinish_new_hours ?? 0,
            source,
          },
        ],
        pdr: {
          [NOTE]:
            'Own prices of paintless dent removal, in the currency of the region: the least for a visit, each step above a half-dollar, and rows for flat (hood, roof, trunk lid) or side panels, which replace all shipped ones of that kind. null: not by PDR.',
          minimum: local(tables.pdr.minimum_charge, level.pdr),
          oversize_each: local(tables.pdr.oversize_each, level.pdr),
          rows: tables.pdr.rows
            .filter((one) => one.panel === 'side')
            .map(({ panel, up_to_dents, price }) => ({
              panel,
              up_to_dents,
              price: Object.fromEntries(
                Object.entries(price).map(([size, usd]) => [
                  size,
                  usd === null ? null : local(usd, level.pdr),
                ]),
              ),
            })),
          source,
        },
        blend: {
          [NOTE]:
            'Neighbours blended with a panel painted to its edges, instead of the table’s; [] for none.',
          hood: ['front_fender_left', 'front_fender_right'],
        },
        fees: [
          {
            [NOTE]:
              'Flat amounts once per vehicle, in the total: on every job, painted, or replaced (a new part).',
            name: 'hazardous_waste',
            amount: local(6),
            on: 'painted',
            source,
          },
        ],
        caps: {
          [NOTE]: 'The most that is charged for the paint materials of a vehicle.',
          materials: local(750),
          source,
        },
        total_loss: { [NOTE]: 'threshold is a share of the value: 0.75 is 75 %.', ...row.total_loss },
        [`${NOTE} tax_rate`]: 'A share: 0.06 is 6 %.',
        tax_rate: row.tax_rate,
        tax: {
          [NOTE]: 'base: everything, or parts_and_materials.',
          name: row.tax?.name ?? 'tax',
          base: row.tax?.base ?? 'parts_and_materials',
          source,
        },
        value_reduction: {
          [NOTE]: 'Loss of value after a repair: 17c, or none.',
          ...(row.value_reduction ?? { rule: 'none', source }),
        },
        [`${NOTE} default_market_value`]:
          'Of an eight-year-old standard car, where a request gives no value.',
        default_market_value: row.default_market_value,
        market_value_source: row.market_value_source,
        usual_km_per_year: {
          [NOTE]: 'What a car covers in a year here; more or less on the clock moves the value above.',
          ...(row.usual_km_per_year ?? { km: tables.value.age.reference_km_per_year, source }),
        },
        date,
        source: 'my own door rates',
      },
    ],
  };
  // Pairs of figures and names on one line each, as a person writes them.
  const text = JSON.stringify(document, null, 2).replace(
    /\[\n\s+([^[\]{}]+?)\n\s+\]/g,
    (_, inner: string) => `[${inner.replace(/\n\s+/g, ' ')}]`,
  );
  return `${text}\n`;
}
