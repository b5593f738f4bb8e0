import { type Static, Type } from '../../lib/type.ts';
import { Nullable, StringEnum } from '../common.ts';
import { Money } from './fields.ts';
import { EstimateLineSchema, EstimateVersionSchema, SupplementSchema, VERSION_PATTERN } from './lines.ts';
import { SettlementSchema } from './settlement.ts';

/** The lines of an estimate as a separate document for other systems (`docs/estimate-lines.schema.json`). */
export const EstimateDocumentSchema = Type.Object(
  {
    format: Type.Literal('vehi-estimate-lines'),
    format_version: Type.Literal('1.0'),
    assessment_id: Type.String(),
    vehicle_id: Type.String(),
    created_at: Type.String({ format: 'date-time' }),
    version: Type.String({ pattern: VERSION_PATTERN }),
    software_version: Type.String(),
    region: Type.String(),
    currency: Type.String({ pattern: '^[A-Z]{3}$' }),
    scope: Type.String({
      description: 'Scope of the estimate: visible damage only, with the average addition after teardown.',
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
