import { DEPARTMENTS } from '../../domain/repair.ts';
import { VEHICLE_CLASSES } from '../../domain/vehicle/vehicle.ts';
import { ClosedObject, type Static, StringEnum, Type } from '../../lib/type.ts';
import { CurrencyCode, DateText, Factor, head, Share, Source, Text } from './table-fields.ts';

/** One field of the given type per name. */
const fromList = <const K extends string, T>(names: readonly K[], type: T) =>
  Object.fromEntries(names.map((name) => [name, type] as const)) as Record<K, T>;

const Pair = Type.Array(Factor, {
  minItems: 2,
  maxItems: 2,
  title: 'a pair [low, high], such as [75, 90],',
});
const Amount = Type.Number({ minimum: 0, maximum: 1_000_000_000 });
/** A market's price level relative to the tables' US prices. */
const Level = Type.Number({ exclusiveMinimum: 0, maximum: 10 });

const ShareOfValue = Type.Number({
  minimum: 0.1,
  maximum: 2,
  title: 'a share of the value from 0.1 to 2 (0.75 is 75 %)',
});

/** The region's own price of a new part. Without a class, it is for a standard car and the class factors apply. */
const OwnPrice = ClosedObject({
  part: Text,
  oem: Amount,
  class: Type.Optional(StringEnum(VEHICLE_CLASSES)),
  source: Source,
});

const Rate = Type.Optional(Pair);

const RegionRowSchema = ClosedObject({
  code: Type.String({
    pattern: '^[A-Z][A-Z0-9_]{1,39}$',
    title: 'a code of capital letters, digits and _, such as MY_SHOP,',
  }),
  name: Text,
  currency: CurrencyCode,
  /** Unit of an odometer reading that has none; default km. */
  distance_unit: Type.Optional(StringEnum(['km', 'mi'] as const)),
  /** Per hour of a department that has no rate of its own, in the region's currency. */
  rate_per_hour: Pair,
  /** The PDR rate scales the matrix, relative to the hourly price of its table. */
  departments: ClosedObject({ ...fromList(DEPARTMENTS, Rate), materials: Rate }),
  materials_source: Type.Optional(Source),
  price_level: Type.Optional(
    ClosedObject({
      parts: Level,
      glass: Level,
      glass_hours: Level,
      pdr: Level,
      /** Levels of pre- and post-repair scans and of calibrations; default 1, the US tables' level. */
      scan: Type.Optional(Level),
      calibration: Type.Optional(Level),
      /** Level of other sublets: wheel alignment and refurbishment; default 1. */
      sublet: Type.Optional(Level),
      /** Dealer price level of new glass, if above that of glass shops; sets the upper end of the range. */
      glass_dealer: Type.Optional(Level),
      /** Factor on the parts of a vehicle class, such as cars that are built in the country; default 1. */
      by_class: Type.Optional(ClosedObject(fromList(VEHICLE_CLASSES, Type.Optional(Level)))),
      source: Source,
    }),
  ),
  prices: Type.Optional(Type.Array(OwnPrice)),
  fees: Type.Optional(
    Type.Array(
      ClosedObject({
        name: Type.String({
          pattern: '^[a-z][a-z0-9_]{1,39}$',
          title: 'a name of small letters, digits and _, such as hazardous_waste,',
        }),
        amount: Amount,
        /** Share of the new parts' price, added to the amount. */
        share_of_parts: Type.Optional(Share),
        /** Jobs on which it is charged. */
        on: StringEnum(['every', 'painted', 'replaced'] as const),
        source: Source,
      }),
    ),
  ),
  level_note: Type.Optional(Text),
  /** Price of filling one windshield stone chip, independent of the hours. */
  chip_repair: Type.Optional(ClosedObject({ amount: Amount, source: Source })),
  /** Factor on the frequency of expected operations, which the table gives for US shops. */
  expected: Type.Optional(ClosedObject({ share: Share, source: Source })),
  /** Present where a panel is quoted by its own repair and paint: no blends, nothing expected for it alone. */
  panel_alone: Type.Optional(ClosedObject({ source: Source })),
  /** Range of a shop's own bills over estimates; replaces the published range. */
  spread: Type.Optional(
    ClosedObject({
      low: Type.Number({ minimum: 0.1, maximum: 1 }),
      high: Type.Number({ minimum: 1, maximum: 10 }),
      jobs: Type.Integer({ minimum: 1 }),
      source: Source,
    }),
  ),
  total_loss: ClosedObject({
    rule: StringEnum(['percent_of_value', 'total_loss_formula'] as const),
    threshold: ShareOfValue,
    /** True where only more than the threshold is a total loss; otherwise reaching it is one. */
    is_exclusive: Type.Optional(Type.Boolean()),
    near_from: Type.Optional(ShareOfValue),
    source: Source,
  }),
  tax_rate: Type.Number({ minimum: 0, title: 'a share of at least 0, a number such as 0.0625 for 6.25 %,' }),
  tax: Type.Optional(
    ClosedObject({
      name: Text,
      base: StringEnum(['everything', 'parts_and_materials'] as const),
      source: Source,
    }),
  ),
  value_reduction: Type.Optional(
    ClosedObject({ rule: StringEnum(['17c', 'none'] as const), source: Source }),
  ),
  default_market_value: Factor,
  market_value_source: Source,
  /** Usual mileage per year in this market; default from the value table. */
  usual_km_per_year: Type.Optional(
    ClosedObject({ km: Type.Integer({ minimum: 1000, maximum: 100_000 }), source: Source }),
  ),
  date: DateText,
  source: Source,
});
export type RegionRow = Static<typeof RegionRowSchema>;

export const RegionsSchema = ClosedObject({
  ...head,
  basis: Type.Optional(Type.String()),
  rows: Type.Array(RegionRowSchema, { minItems: 1 }),
});
export type RegionsTable = Static<typeof RegionsSchema>;
