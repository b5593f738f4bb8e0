import { type Static, Type } from 'typebox';
import { DEPARTMENTS, OPERATIONS } from '../domain/repair.ts';
import { PART_SOURCE_VALUES } from './assessment-values.ts';
import { Nullable, StringEnum } from './common.ts';

const Money = Type.Number({ minimum: 0 });
const Signed = Type.Number();

export const TAX_CLASS_VALUES = ['labour', 'parts', 'materials', 'sublet', 'fee'] as const;
export const SETTLEMENT_CODES = [
  'repair',
  'towing',
  'storage',
  'rental',
  'betterment',
  'prior_damage',
  'deductible',
] as const;

/** One line of an estimate; the amounts of the lines counted in the total add up to the adjusted total exactly. */
export const EstimateLineSchema = Type.Object({
  line_id: Type.String({ description: 'The same in every version of the estimate, such as `hood/rpr`.' }),
  number: Type.Integer({ minimum: 1, description: 'Place among the lines as worked out; kept when edited.' }),
  group: StringEnum(['part', 'refinish', 'materials', 'fee', 'expected', 'added', 'rounding'] as const, {
    description:
      'A part; paint over all panels; paint materials; what the repair usually brings; added by a person; rounding.',
  }),
  operation: StringEnum(OPERATIONS),
  part: Type.String(),
  because_of: Type.Optional(
    Type.String({ description: 'The panel it belongs to; absent for the whole vehicle.' }),
  ),
  damage_ids: Type.Array(Type.String()),
  department: StringEnum(DEPARTMENTS),
  hours: Type.Number({ minimum: 0 }),
  rate_per_hour: Nullable(Money),
  labor: Type.Number({ minimum: 0, description: 'Hours x rate, or the fixed price of the work.' }),
  price: Nullable(
    Type.Number({ description: 'Part, material, sublet work or fee; null where there is none.' }),
  ),
  part_source: Nullable(StringEnum(PART_SOURCE_VALUES)),
  amount: Type.Number({ description: 'Labour and price; negative only on the rounding line.' }),
  tax_class: StringEnum(TAX_CLASS_VALUES, { description: 'Of the price; the hours are always labour.' }),
  taxable: Type.Number({ description: 'What of the amount the tax of the region falls on.' }),
  currency: Type.String(),
  counted_in: StringEnum(['total', 'range', 'none'] as const, {
    description: 'The total; the upper end of the range alone; neither, as a person removed it.',
  }),
  share_of_jobs: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  basis: StringEnum(['table', 'judgement', 'formula', 'override'] as const),
  note: Type.String(),
  source: Type.String(),
  set_by: StringEnum(['rule', 'person'] as const),
  computed: Type.Optional(
    Type.Object(
      {
        hours: Type.Number(),
        price: Type.Number(),
        counted_in: StringEnum(['total', 'range', 'none'] as const),
      },
      { description: 'What stood there before a person changed it.' },
    ),
  ),
  reason: Type.Optional(Type.String()),
});
export type EstimateLine = Static<typeof EstimateLineSchema>;

/** A version of an estimate: `E01` is the estimate of record, `S01` its first supplement. */
export const EstimateVersionSchema = Type.Object({
  version: Type.String({ pattern: '^(E01|S\\d{2})$' }),
  assessment_id: Type.String({ minLength: 1, maxLength: 128 }),
  created_at: Type.String({ minLength: 1, maxLength: 64 }),
  net_total: Money,
  gross_total: Money,
});
export type EstimateVersion = Static<typeof EstimateVersionSchema>;

export const LineDifferenceSchema = Type.Object({
  change: StringEnum(['added', 'changed', 'removed'] as const),
  line_id: Type.String(),
  operation: Type.String(),
  part: Type.String(),
  hours_before: Type.Number(),
  hours_after: Type.Number(),
  amount_before: Signed,
  amount_after: Signed,
  difference: Signed,
});
export type LineDifference = Static<typeof LineDifferenceSchema>;

/** What a supplement changes; the differences of the lines add up to that of the totals exactly. */
export const SupplementSchema = Type.Object({
  of: EstimateVersionSchema,
  lines: Type.Array(LineDifferenceSchema),
  net_difference: Signed,
  gross_difference: Signed,
  currency: Type.String(),
});
export type Supplement = Static<typeof SupplementSchema>;

const Reason = Type.Optional(Type.String({ minLength: 1, maxLength: 500 }));
const Price = Type.Number({ minimum: 0, maximum: 1e9, description: 'Response currency.' });
const Hours = Type.Number({ minimum: 0, maximum: 500 });

const Deduction = Type.Object(
  {
    of: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'A part, or the id of a line.' }),
    ),
    percentage: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
    amount: Type.Optional(Price),
    reason: Reason,
  },
  { additionalProperties: false },
);
const PerDay = Type.Object(
  { days: Type.Number({ minimum: 0, maximum: 3650 }), per_day: Price },
  { additionalProperties: false },
);

/** Terms of the settlement (request extension); amounts in the response currency, as billed with tax. */
export const SettlementTermsSchema = Type.Object(
  {
    deductible: Type.Optional(Price),
    betterment: Type.Optional(Type.Array(Deduction, { maxItems: 50 })),
    prior_damage: Type.Optional(Type.Array(Deduction, { maxItems: 50 })),
    towing: Type.Optional(Price),
    storage: Type.Optional(PerDay),
    rental: Type.Optional(PerDay),
  },
  { additionalProperties: false },
);

export type SettlementTermsGiven = Static<typeof SettlementTermsSchema>;

/** Who pays what: insurer and owner together pay the repair with tax and what goes with it, to the minor unit. */
export const SettlementSchema = Type.Object({
  lines: Type.Array(
    Type.Object({
      code: StringEnum(SETTLEMENT_CODES),
      description: Type.String(),
      amount: Type.Number({ minimum: 0, description: 'What it adds to the bill.' }),
      insurer: Signed,
      owner: Signed,
      reason: Type.Optional(Type.String()),
    }),
  ),
  total: Type.Number({ minimum: 0, description: 'The repair with tax, towing, storage and rental.' }),
  insurer_pays: Money,
  owner_pays: Money,
  currency: Type.String(),
  terms: Type.Optional(SettlementTermsSchema),
});
export type Settlement = Static<typeof SettlementSchema>;

/** A person's change of one line, or a line that a person adds (request extension). */
export const LineEditSchema = Type.Union([
  Type.Object(
    {
      line: Type.Union([Type.String({ minLength: 1, maxLength: 200 }), Type.Integer({ minimum: 1 })], {
        description: '`line_id` or `number` of a line of the estimate.',
      }),
      hours: Type.Optional(Hours),
      price: Type.Optional(Price),
      action: Type.Optional(
        StringEnum(['remove', 'accept'] as const, {
          description: '`remove` takes the line out; `accept` brings an expected one into the total.',
        }),
      ),
      reason: Reason,
    },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      add: Type.Object(
        {
          operation: StringEnum(OPERATIONS),
          part: Type.String({ minLength: 1, maxLength: 80 }),
          department: Type.Optional(StringEnum(DEPARTMENTS)),
          hours: Type.Optional(Hours),
          price: Type.Optional(Price),
          tax_class: Type.Optional(StringEnum(TAX_CLASS_VALUES)),
        },
        { additionalProperties: false },
      ),
      reason: Reason,
    },
    { additionalProperties: false },
  ),
]);

/** The earlier version that a supplement follows (request extension): that of its own answer, as it is. */
export const SupplementToSchema = Type.Object({
  ...EstimateVersionSchema.properties,
  currency: Type.String({ minLength: 3, maxLength: 3 }),
  history: Type.Optional(Type.Array(EstimateVersionSchema, { maxItems: 99 })),
  lines: Type.Array(
    Type.Object({
      line_id: Type.String({ minLength: 1, maxLength: 200 }),
      operation: Type.String({ minLength: 1, maxLength: 16 }),
      part: Type.String({ minLength: 1, maxLength: 80 }),
      hours: Type.Number(),
      amount: Type.Number(),
    }),
    { maxItems: 2000 },
  ),
});

/** The lines of an estimate as a document of its own, for other systems (`docs/estimate-lines.schema.json`). */
export const EstimateDocumentSchema = Type.Object(
  {
    format: Type.Literal('vehi-estimate-lines'),
    format_version: Type.Literal('1.0'),
    assessment_id: Type.String(),
    vehicle_id: Type.String(),
    created_at: Type.String({ format: 'date-time' }),
    version: Type.String({ pattern: '^(E01|S\\d{2})$' }),
    software_version: Type.String(),
    region: Type.String(),
    currency: Type.String({ pattern: '^[A-Z]{3}$' }),
    scope: Type.String({
      description: 'What the estimate holds: visible damage only, and what teardown adds.',
    }),
    claim: Type.Optional(Type.Record(Type.String(), Type.String())),
    vehicle: Type.Record(Type.String(), Type.Unknown()),
    lines: Type.Array(EstimateLineSchema),
    totals: Type.Object({
      net: Money,
      net_low: Money,
      net_high: Money,
      tax: Nullable(
        Type.Object({
          name: Type.String(),
          rate_percentage: Type.Number(),
          base: StringEnum(['everything', 'parts_and_materials'] as const),
          taxable: Money,
          amount: Money,
        }),
      ),
      gross: Money,
    }),
    supplement: Type.Optional(SupplementSchema),
    history: Type.Array(EstimateVersionSchema),
    settlement: Type.Optional(SettlementSchema),
  },
  {
    description:
      'An estimate as lines. The amounts of the lines with `counted_in` "total" add up to `totals.net` exactly.',
  },
);
export type EstimateDocument = Static<typeof EstimateDocumentSchema>;
