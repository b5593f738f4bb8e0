import { type Static, type TProperties, Type } from 'typebox';
import { CURRENCY_CODES } from '../../domain/money.ts';

const closed = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });
const literals = <const T extends readonly string[]>(values: T) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values] });
const Source = Type.String({ minLength: 1 });
const DateText = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' });
/** Rates above this are a slip of the keyboard in every currency of the table. */
const MOST_PER_HOUR = 1_000_000;
const Pair = Type.Array(Type.Number({ exclusiveMinimum: 0, maximum: MOST_PER_HOUR }), {
  minItems: 2,
  maxItems: 2,
});

/** A market's prices as a share of the tables' US prices. */
const Level = Type.Number({ exclusiveMinimum: 0, maximum: 10 });

/** What the tax of a region is charged on: the whole repair, or parts and paint materials only. */
export const TAX_BASES = ['everything', 'parts_and_materials'] as const;

/** Rate ranges [low, high] per hour in the region's currency; a department left out takes the region's rate. */
export const RegionRowSchema = closed({
  code: Type.String({ pattern: '^[A-Z][A-Z0-9_]{1,39}$' }),
  name: Type.String({ minLength: 1 }),
  currency: literals(CURRENCY_CODES),
  rate_per_hour: Pair,
  departments: closed({
    body: Type.Optional(Pair),
    refinish: Type.Optional(Pair),
    mechanical: Type.Optional(Pair),
    structural: Type.Optional(Pair),
    aluminium: Type.Optional(Pair),
    glass: Type.Optional(Pair),
    pdr: Type.Optional(Pair),
    materials: Type.Optional(Pair),
  }),
  materials_source: Type.Optional(Source),
  price_level: Type.Optional(
    closed({ parts: Level, glass: Level, glass_hours: Level, pdr: Level, source: Source }),
  ),
  prices: Type.Optional(
    Type.Array(
      closed({ part: Source, oem: Type.Number({ minimum: 0, maximum: 10_000_000 }), source: Source }),
    ),
  ),
  level_note: Type.Optional(Source),
  total_loss: closed({
    rule: literals(['percent_of_value', 'total_loss_formula'] as const),
    threshold: Type.Number({ exclusiveMinimum: 0, maximum: 2 }),
    near_from: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 2 })),
    source: Source,
  }),
  tax_rate: Type.Number({ minimum: 0, maximum: 0.5 }),
  tax: Type.Optional(closed({ name: Source, base: literals(TAX_BASES), source: Source })),
  value_reduction: Type.Optional(closed({ rule: literals(['17c', 'none'] as const), source: Source })),
  default_market_value: Type.Number({ exclusiveMinimum: 0 }),
  market_value_source: Source,
  date: DateText,
  source: Source,
});
export type RegionRow = Static<typeof RegionRowSchema>;

export const RegionsSchema = closed({
  name: Type.String(),
  version: Type.String({ minLength: 1 }),
  effective_date: DateText,
  basis: Type.Optional(Type.String()),
  rows: Type.Array(RegionRowSchema, { minItems: 1 }),
});
export type RegionsTable = Static<typeof RegionsSchema>;
