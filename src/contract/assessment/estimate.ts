import { ASSOCIATED_MODES } from '../../domain/repair.ts';
import { NamedObject, type Static, Type } from '../../lib/type.ts';
import { StringEnum } from '../common.ts';
import { RepairLineSchema } from '../repair.ts';
import { AgreedPriceSchema } from './edits.ts';
import { EstimateLineSchema } from './lines.ts';

/** Estimate of the whole vehicle as lines: each panel once, refinish computed across panels. */
export const VehicleEstimateSchema = NamedObject('VehicleEstimate', {
  lines: Type.Array(EstimateLineSchema, {
    description: 'Lines counted in the total add up to `adjusted_total` exactly.',
  }),
  repair_lines: Type.Array(RepairLineSchema, {
    description: '`first_bill.estimated` as one row per part (extension).',
  }),
  agreed_prices: Type.Optional(
    Type.Array(AgreedPriceSchema, {
      description: 'Agreed prices of parts; the lines of each part add up to them (extension).',
    }),
  ),
  associated_operations: StringEnum(ASSOCIATED_MODES),
});
export type VehicleEstimate = Static<typeof VehicleEstimateSchema>;
