import { CURRENCY_CODES } from '../domain/money.ts';
import { MAX_VEHICLE_ID_LENGTH } from '../domain/vehicle/vehicle.ts';
import { defined } from '../lib/objects.ts';
import { NamedObject, type TSchema, Type } from '../lib/type.ts';

/** Vehicle identifier: any non-blank text. */
export const VehicleIdSchema = Type.String({
  minLength: 1,
  maxLength: MAX_VEHICLE_ID_LENGTH,
  pattern: '\\S',
  description: 'Vehicle identifier.',
});

/** Identifier assigned by the service or a request. */
export const Id = (description?: string) =>
  Type.String({ minLength: 1, maxLength: 128, ...defined({ description }) });

/** An optional text of a result. */
export const OptionalText = (description: string) => Type.Optional(Type.String({ description }));

/** An amount of a result in major units of its currency. */
export const Money = Type.Number({ minimum: 0 });

/** An optional amount of a result, at least 0. */
export const OptionalAmount = (description: string) =>
  Type.Optional(Type.Number({ minimum: 0, description }));

export const Count = Type.Integer({ minimum: 0 });
export const CountOf = (description: string) => Type.Integer({ minimum: 0, description });

/** Creates the schema of an object with a count for each key. */
export const countPer = <K extends string>(keys: readonly K[]) =>
  Type.Object(Object.fromEntries(keys.map((key) => [key, Count])) as Record<K, typeof Count>);

/** Fields of a range of amounts in major units of its currency. */
export const rangeOf = <A extends TSchema>(amount: A) => ({
  min: amount,
  max: amount,
  estimated: amount,
  currency: Type.String(),
});

/** A box of at least one pixel, in whole pixels. */
export const pixelBox = {
  x: Type.Integer({ minimum: 0 }),
  y: Type.Integer({ minimum: 0 }),
  width: Type.Integer({ minimum: 1 }),
  height: Type.Integer({ minimum: 1 }),
};

export const Nullable = <T extends TSchema>(schema: T, options: { readonly description?: string } = {}) =>
  Type.Union([schema, Type.Null()], options);

/** Creates the schema of a labor region: one of the table or one added by the operator. */
export const RegionCode = (description: string) =>
  Type.String({
    minLength: 1,
    examples: ['US_MIDWEST', 'US_CALIFORNIA', 'EU_GERMANY', 'ASIA_JAPAN'],
    description,
  });

/** Creates the schema of a currency: one of the contract, or another of ISO 4217 added by the operator. */
export const CurrencyCode = (description: string) =>
  Type.String({
    pattern: '^[A-Z]{3}$',
    examples: [...CURRENCY_CODES],
    description: `${description}. ${CURRENCY_CODES.join(', ')}, or one of a region or exchange rate that the operator added.`,
  });

export const RuleTraceSchema = NamedObject(
  'RuleTrace',
  {
    rule: Type.String({ description: 'Id of the rule that fired.' }),
    inputs: Type.Record(
      Type.String(),
      Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]),
    ),
  },
  { description: 'A decision with the id and inputs of its rule (extension).' },
);

export const WarningSchema = NamedObject('Warning', { code: Type.String(), message: Type.String() });

export const IgnoredFieldsSchema = Type.Array(
  Type.Object({ code: Type.Literal('unknown_field'), field: Type.String(), message: Type.String() }),
  { description: 'Unknown fields or parameters of the request, which were ignored (extension).' },
);

export const ModelUsedSchema = NamedObject('ModelUsed', {
  id: Type.String(),
  name: Type.String(),
  version: Type.String(),
  precision: Type.String(),
  sha256: Type.String(),
  rules_sha256: OptionalText('SHA-256 of labels, curves, judge and limits (extension).'),
});

export const RegionUsedSchema = NamedObject('RegionUsed', {
  code: Type.String(),
  name: Type.String(),
  table_version: Type.String(),
  effective_date: Type.String(),
  source: Type.String(),
  tables_sha256: OptionalText(
    "SHA-256 of all price tables that priced the inspection, with the operator's own regions (extension).",
  ),
});

/** Exchange rate used for a conversion; absent if none was made. */
const FxSchema = NamedObject('ExchangeRate', {
  from: Type.String(),
  to: Type.String(),
  rate: Type.Number(),
  date: Type.String(),
});

/** Fields of `meta` that an inspection and an assessment have alike. */
export const metaFields = {
  request_id: Type.String(),
  processing_time: Type.Number(),
  schema_version: Type.String(),
  software_version: Type.String(),
  region: Type.String(),
  labor_rate_used: Type.Number(),
  currency: Type.String(),
  fx: Type.Optional(FxSchema),
  parts_fx: Type.Optional(FxSchema),
  warnings: Type.Optional(IgnoredFieldsSchema),
};

/** Creates the schema of `{status, data}`, to which answers with facts about the request add `meta`. */
export const envelop = <D extends TSchema>(data: D) => Type.Object({ status: Type.Literal('success'), data });

/** Creates the schema of the error envelope; `code` and `type` may be those that a response can have. */
export const defineErrorEnvelope = (code: TSchema = Type.String(), type: TSchema = Type.String()) =>
  Type.Object({
    status: Type.Literal('error'),
    error: Type.Object({
      code,
      message: Type.String(),
      type,
      field: Type.Optional(Type.String()),
      details: Type.Optional(
        Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
      ),
    }),
    meta: Type.Optional(Type.Object({ request_id: Type.String() })),
  });
