import { type Static, type TProperties, Type } from 'typebox';

/** A nullable version of a schema. */
export const Nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()]);

/** A union of string literals from an `as const` list. */
export const StringEnum = <const T extends readonly string[]>(values: T) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values] });

export const RuleTraceSchema = Type.Object(
  {
    rule: Type.String({ description: 'Id of the rule that fired.' }),
    inputs: Type.Record(
      Type.String(),
      Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]),
    ),
  },
  { description: 'A decision with the id of its rule and the values it looked at (extension).' },
);

/** Exchange rate used for a conversion; absent where no conversion was made. */
export const FxSchema = Type.Object({
  from: Type.String(),
  to: Type.String(),
  rate: Type.Number(),
  date: Type.String(),
});
export type Fx = Static<typeof FxSchema>;

/** `{status: "success", data, meta}` around a data schema. */
export const successEnvelope = <D extends TProperties[string], M extends TProperties[string]>(
  data: D,
  meta: M,
) => Type.Object({ status: Type.Literal('success'), data, meta });

export const ErrorEnvelopeSchema = Type.Object({
  status: Type.Literal('error'),
  error: Type.Object({
    code: Type.String(),
    message: Type.String(),
    type: Type.String(),
    field: Type.Optional(Type.String()),
    details: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  }),
  meta: Type.Optional(Type.Object({ request_id: Type.String() })),
});
export type ErrorEnvelope = Static<typeof ErrorEnvelopeSchema>;
