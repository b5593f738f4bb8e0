import { ASSOCIATED_MODES } from '../../domain/choices.ts';
import { CONTRACT_REPAIR_TYPES, DEPARTMENTS, OPERATIONS, REPAIR_TYPES } from '../../domain/repair.ts';
import { type Static, Type } from '../../lib/type.ts';
import { StringEnum } from '../common.ts';
import { RepairLineSchema } from '../inspection-grounds.ts';
import { AgreedPriceSchema } from './edits.ts';
import { Hours, Money } from './fields.ts';
import { EstimateLineSchema, EstimateVersionSchema, SupplementSchema } from './lines.ts';
import { OperationLineSchema, PartRequiredSchema } from './option.ts';

/** One repair of a panel (or of a component next to it) over all its damages. */
export const PanelRepairSchema = Type.Object({
  part: Type.String(),
  component: Type.Optional(Type.String()),
  damage_ids: Type.Array(Type.String()),
  option: Type.String(),
  repair_type: StringEnum(CONTRACT_REPAIR_TYPES),
  repair_category: Type.Optional(StringEnum(REPAIR_TYPES)),
  operations: Type.Array(OperationLineSchema),
  parts_required: Type.Array(PartRequiredSchema),
});
export type PanelRepair = Static<typeof PanelRepairSchema>;

/** An operation that a repair usually brings: in the first bill by its share of jobs, or in the total where that was asked. */
const AssociatedLineSchema = Type.Object({
  operation: StringEnum(OPERATIONS),
  part: Type.String(),
  because_of: Type.String(),
  department: StringEnum(DEPARTMENTS),
  hours: Hours,
  price: Money,
  total: Type.Number({ minimum: 0, description: 'Labour, price and paint materials.' }),
  currency: Type.String(),
  share_of_jobs: Type.Number({ minimum: 0, maximum: 1 }),
  counted_in: StringEnum(['range', 'total'] as const),
  source: Type.String(),
});

/** The estimate of the whole vehicle: each panel once, refinish computed across panels. */
export const VehicleEstimateSchema = Type.Object({
  panels: Type.Array(PanelRepairSchema),
  refinish: Type.Array(OperationLineSchema),
  associated: Type.Optional(Type.Array(AssociatedLineSchema)),
  lines: Type.Optional(
    Type.Array(EstimateLineSchema, {
      description:
        'The whole estimate as lines; those counted in the total add up to `adjusted_total` exactly.',
    }),
  ),
  repair_lines: Type.Optional(
    Type.Array(RepairLineSchema, {
      description: '`first_bill.estimated` as one row per part (extension).',
    }),
  ),
  agreed_prices: Type.Optional(
    Type.Array(AgreedPriceSchema, {
      description: 'Prices of parts that a person agreed on, which their lines add up to (extension).',
    }),
  ),
  version: Type.Optional(
    Type.String({ description: '`E01`, the estimate of record, or a supplement `S01` …' }),
  ),
  history: Type.Optional(Type.Array(EstimateVersionSchema)),
  supplement: Type.Optional(SupplementSchema),
  associated_operations: Type.Optional(StringEnum(ASSOCIATED_MODES)),
  paint_materials: Type.Object({
    refinish_hours: Hours,
    rate_per_hour: Money,
    total: Money,
    currency: Type.String(),
  }),
});
export type VehicleEstimate = Static<typeof VehicleEstimateSchema>;
