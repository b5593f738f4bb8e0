import { PART_NAMES } from '../../domain/parts.ts';
import { DEPARTMENTS } from '../../domain/repair.ts';
import { VEHICLE_CLASSES } from '../../domain/vehicle.ts';
import { type Static, type TProperties, Type } from '../../lib/type.ts';

/** An object without other fields, so that typos show. */
export const closed = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });
/** One word of a list. */
export const literals = <const T extends readonly string[]>(values: T) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values] });
export const Text = Type.String({ minLength: 1 });
/** Where the figures of a row come from. */
export const Source = Type.String({ minLength: 1 });
export const Share = Type.Number({ minimum: 0, maximum: 1 });
export const Hours = Type.Number({ minimum: 0, maximum: 500 });
export const Price = Type.Number({ minimum: 0 });
export const Factor = Type.Number({ exclusiveMinimum: 0 });
/** The ends of a range: what it holds and what it may not pass. */
export const rangeEnds = {
  low: Type.Number({ exclusiveMinimum: 0, maximum: 1 }),
  high: Type.Number({ minimum: 1 }),
};

/** A code of ISO 4217; that it exists is checked apart, with the nearest one that does. */
export const CurrencyCode = Type.String({
  pattern: '^[A-Z]{3}$',
  title: 'a code of three capital letters, such as "USD",',
});
/** A day; that the calendar has it is checked apart. */
export const DateText = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}$',
  title: 'a day as YYYY-MM-DD, such as "2026-03-01",',
});

/** What every shipped table says of itself. */
export const head = {
  name: Type.String(),
  version: Text,
  effective_date: DateText,
};

/** Dents by the coin that covers them, smallest first. */
export const PDR_SIZES = ['dime', 'nickel', 'quarter', 'half_dollar'] as const;
const Cell = Type.Union([Price, Type.Null()], {
  title: 'a price, or null for dents that are not repaired by PDR,',
});
/** Prices for up to `up_to_dents` dents on one kind of panel, by the coin that covers the largest. */
export const pdrRow = {
  panel: literals(['flat', 'side'] as const),
  up_to_dents: Type.Integer({ minimum: 1 }),
  price: closed({ dime: Cell, nickel: Cell, quarter: Cell, half_dollar: Cell } satisfies Record<
    (typeof PDR_SIZES)[number],
    typeof Cell
  >),
};
const PdrRow = closed(pdrRow);
export type PdrRow = Static<typeof PdrRow>;

/** A field of one type per name of a list. */
const fromList = <const K extends string, T>(names: readonly K[], type: T) =>
  Object.fromEntries(names.map((name) => [name, type] as const)) as Record<K, T>;

const Pair = Type.Array(Factor, {
  minItems: 2,
  maxItems: 2,
  title: 'a pair [low, high], such as [75, 90],',
});
const Amount = Type.Number({ minimum: 0, maximum: 1_000_000_000 });
const OwnTime = Type.Optional(Type.Number({ minimum: 0, maximum: 100 }));
/** A market's prices as a share of the tables' US prices. */
const Level = Type.Number({ exclusiveMinimum: 0, maximum: 10 });

/** A share of a vehicle's value. */
const ShareOfValue = Type.Number({
  exclusiveMinimum: 0,
  maximum: 2,
  title: 'a share of the value above 0 and at most 2 (0.75 is 75 %)',
});

/** What the tax of a region is charged on: the whole repair, or parts and paint materials only. */
const TAX_BASES = ['everything', 'parts_and_materials'] as const;
/** The jobs a flat fee is charged on. */
const FEE_JOBS = ['every', 'painted', 'replaced'] as const;

/** Own price of a new part. Without a class it is that of a standard car, and the classes' factors apply. */
const OwnPrice = closed({
  part: Text,
  oem: Amount,
  class: Type.Optional(literals(VEHICLE_CLASSES)),
  source: Source,
});

/** Own hours of a part; what is left out is the table's. */
const OwnHours = closed({
  part: Text,
  replace: OwnTime,
  remove_install: OwnTime,
  repair: OwnTime,
  refinish_repair: OwnTime,
  refinish_new: OwnTime,
  section: OwnTime,
  aim: OwnTime,
  source: Source,
});

/** Own PDR prices, the region's currency: the rows of a kind of panel replace all of that kind. */
const OwnPdr = closed({
  minimum: Type.Optional(Amount),
  oversize_each: Type.Optional(Amount),
  rows: Type.Optional(Type.Array(closed(pdrRow), { minItems: 1 })),
  source: Source,
});

const Rate = Type.Optional(Pair);
const rates = { ...fromList(DEPARTMENTS, Rate), materials: Rate };

/** Rate ranges [low, high] per hour in the region's currency; a department left out takes the region's rate. */
const RegionRowSchema = closed({
  code: Type.String({
    pattern: '^[A-Z][A-Z0-9_]{1,39}$',
    title: 'a code of capital letters, digits and _, such as MY_SHOP,',
  }),
  name: Text,
  currency: CurrencyCode,
  rate_per_hour: Pair,
  /** That of PDR raises or lowers the matrix, which is at 120 USD an hour; own PDR prices outrank it. */
  departments: closed(rates),
  materials_source: Type.Optional(Source),
  /** Repair of aluminium takes this many times the hours of steel; 1 where the rate says it all. */
  aluminium_hours: Type.Optional(Type.Number({ minimum: 1, maximum: 5 })),
  price_level: Type.Optional(
    closed({
      parts: Level,
      glass: Level,
      glass_hours: Level,
      pdr: Level,
      /** Of scans before and after the repair, and of calibrations; as in the US tables where absent. */
      scan: Type.Optional(Level),
      calibration: Type.Optional(Level),
      /** What a dealer charges for new glass, where glass shops charge less: the upper end of such a job. */
      glass_dealer: Type.Optional(Level),
      source: Source,
    }),
  ),
  prices: Type.Optional(Type.Array(OwnPrice)),
  hours: Type.Optional(Type.Array(OwnHours)),
  pdr: Type.Optional(OwnPdr),
  blend: Type.Optional(closed(fromList(PART_NAMES, Type.Optional(Type.Array(literals(PART_NAMES)))))),
  fees: Type.Optional(
    Type.Array(
      closed({
        name: Type.String({
          pattern: '^[a-z][a-z0-9_]{1,39}$',
          title: 'a name of small letters, digits and _, such as hazardous_waste,',
        }),
        amount: Amount,
        /** Added to the amount: this share of the new parts. */
        share_of_parts: Type.Optional(Share),
        on: literals(FEE_JOBS),
        source: Source,
      }),
    ),
  ),
  caps: Type.Optional(closed({ materials: Type.Optional(Amount), source: Source })),
  level_note: Type.Optional(Text),
  /** What filling one stone chip in a windshield costs, whatever its time. */
  chip_repair: Type.Optional(closed({ amount: Amount, source: Source })),
  /** What ordinary cars (economy and standard) pay of the row's rates and prices, which are those of premium cars. */
  ordinary: Type.Optional(closed({ level: Share, source: Source })),
  /** How much of the shares of expected operations, which are a US shop's, holds here. */
  expected: Type.Optional(closed({ share: Share, source: Source })),
  /** The range of a shop's own bills over estimates, in place of the published one. */
  spread: Type.Optional(
    closed({
      ...rangeEnds,
      jobs: Type.Integer({ minimum: 1 }),
      source: Source,
    }),
  ),
  total_loss: closed({
    rule: literals(['percent_of_value', 'total_loss_formula'] as const),
    threshold: ShareOfValue,
    near_from: Type.Optional(ShareOfValue),
    source: Source,
  }),
  tax_rate: Type.Number({ minimum: 0, title: 'a share of at least 0, a number such as 0.0625 for 6.25 %,' }),
  tax: Type.Optional(closed({ name: Text, base: literals(TAX_BASES), source: Source })),
  value_reduction: Type.Optional(closed({ rule: literals(['17c', 'none'] as const), source: Source })),
  default_market_value: Factor,
  market_value_source: Source,
  /** What a car of the market covers in a year; that of the value table where absent. */
  usual_km_per_year: Type.Optional(
    closed({ km: Type.Integer({ minimum: 1000, maximum: 100_000 }), source: Source }),
  ),
  date: DateText,
  source: Source,
});
export type RegionRow = Static<typeof RegionRowSchema>;

/** A rate of the user's own: units of the currency for one US dollar. */
const OwnRateSchema = closed({ currency: CurrencyCode, per_usd: Factor, date: DateText, source: Source });

export const RegionsSchema = closed({
  name: Type.String(),
  version: Text,
  effective_date: DateText,
  basis: Type.Optional(Type.String()),
  /** Exchange rates of the user's own: newer ones, or of currencies that the table does not have. */
  exchange_rates: Type.Optional(Type.Array(OwnRateSchema)),
  rows: Type.Array(RegionRowSchema, { minItems: 1 }),
});
export type RegionsTable = Static<typeof RegionsSchema>;
