import { CURRENCY_CODES } from '../domain/money.ts';
import { MAX_VEHICLE_ID_LENGTH } from '../domain/vehicle/vehicle.ts';
import { defined } from '../lib/objects.ts';
import { NamedObject, StringEnum, type TProperties, Type } from '../lib/type.ts';

export { StringEnum };

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

export const Count = Type.Integer({ minimum: 0 });

/** A box of at least one pixel, in whole pixels. */
export const pixelBox = {
  x: Type.Integer({ minimum: 0 }),
  y: Type.Integer({ minimum: 0 }),
  width: Type.Integer({ minimum: 1 }),
  height: Type.Integer({ minimum: 1 }),
};

export const Nullable = <T extends Parameters<typeof Type.Union>[0][number]>(
  schema: T,
  options: { readonly description?: string } = {},
) => Type.Union([schema, Type.Null()], options);

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

/** Exchange rate used for a conversion; absent if none was made. */
export const FxSchema = NamedObject('ExchangeRate', {
  from: Type.String(),
  to: Type.String(),
  rate: Type.Number(),
  date: Type.String(),
});

/** Creates the schema of `{status: "success", data, meta}` around a data schema. */
export const defineSuccessEnvelope = <D extends TProperties[string], M extends TProperties[string]>(
  data: D,
  meta: M,
) => Type.Object({ status: Type.Literal('success'), data, meta });

const makeErrorEnvelope = <C extends TProperties[string], T extends TProperties[string]>(code: C, type: T) =>
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

export const ErrorEnvelopeSchema = makeErrorEnvelope(Type.String(), Type.String());

/** Creates the schema of the error envelope with the possible codes and types of a response. */
export const toErrorEnvelope = (codes: readonly string[], types: readonly string[]) =>
  makeErrorEnvelope(StringEnum(codes), StringEnum(types));
