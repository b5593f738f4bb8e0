// @module-tag slow: a law over dozens of vehicles
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { gradeClaim } from '../../../../src/domain/grading/grade-claim.ts';
import { toMajor } from '../../../../src/domain/money.ts';
import {
  EQUIPMENT_FACTS,
  type Equipment,
  type EquipmentFact,
} from '../../../../src/domain/vehicle/vehicle.ts';
import { pick } from '../../../../src/lib/objects.ts';
import { estimateRepair } from '../../../../src/pricing/option/recommend.ts';
import { findTarget } from '../../../../src/pricing/option/target.ts';
import { createPricingContext } from '../../../../src/pricing/pricing-context.ts';
import { priceInspectedDamages } from '../../../../src/pricing/vehicle/price-inspected.ts';
import { findVehicleClass } from '../../../../src/pricing/vehicle/vehicle-class.ts';
import { assessed, TABLES } from '../../../helpers/pricing/assessments.ts';
import { request } from '../../../helpers/pricing/random-claims.ts';

it('one damage has one price in an inspection and in an assessment, and so has the vehicle', {
  timeout: 120_000,
}, () => {
  fc.assert(
    fc.property(request, (asked) => {
      const region = 'EU_UK';
      const currency = 'GBP';
      const { data } = assessed({ ...asked, assessment_options: { labor_rate_region: region, currency } });
      const paint = asked.vehicle.paint ?? 'unknown';
      const vehicleClass = findVehicleClass(asked.vehicle as { class?: 'economy' }, TABLES);
      const ctx = createPricingContext(TABLES, {
        region,
        currency,
        vehicleClass,
        paint: paint as 'solid',
        equipment: pick<Equipment, EquipmentFact>(asked.vehicle, EQUIPMENT_FACTS),
      });
      const claims = asked.damages.map((damage) => ({
        id: damage.damage_id,
        type: damage.type as 'dent',
        subtype: damage.subtype,
        part: damage.location as 'hood',
        severity: damage.severity,
        severityScore: damage.severity_score,
        sizeCm: damage.measurements?.length,
        count: damage.count,
      }));
      const price = priceInspectedDamages(claims, ctx);
      const { first_bill, as_seen, after_teardown } = data.summary.repair_cost_summary;
      const pairs = [
        [price.firstBill, first_bill],
        [price.asSeen, as_seen],
        [price.afterTeardown, after_teardown],
      ] as const;
      for (const [own, assessedAs] of pairs)
        expect(own && [own.min, own.est, own.max].map((minor) => toMajor(minor, currency))).toEqual(
          assessedAs && [assessedAs.min, assessedAs.estimated, assessedAs.max],
        );
      // Damages of one panel are one repair; a job may take another option than the one that is cheapest alone.
      const keys = claims.map((claim) => findTarget({ ...claim, ...gradeClaim(claim) }, ctx).key);
      const [claim] = claims;
      if (claims.length === 1 && claim !== undefined) {
        const alone = toMajor(estimateRepair({ ...claim, ...gradeClaim(claim) }, ctx).total.est, currency);
        expect(data.assessed_damages[0]?.recommended_repair.estimated_cost).toBe(alone);
      }
      for (const [i, { recommended_repair: own }] of data.assessed_damages.entries())
        expect(own).toEqual(data.assessed_damages[keys.indexOf(keys[i] ?? '')]?.recommended_repair);
    }),
    { numRuns: 50 },
  );
});

it('nothing to repair costs nothing', () => {
  const ctx = createPricingContext(TABLES, { region: 'EU_UK', currency: 'GBP' });
  const nothing = { min: 0, est: 0, max: 0 };
  expect(priceInspectedDamages([], ctx)).toEqual({
    firstBill: nothing,
    asSeen: nothing,
    afterTeardown: undefined,
    repairLines: [],
    expected: [],
  });
});
