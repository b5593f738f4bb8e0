import type {
  Damage,
  InspectionEnvelope,
  InspectionResults,
  ToCheck,
  VehicleResult,
} from '../../contract/inspection.ts';
import { deepFreeze } from '../../lib/objects.ts';
import { presentRepair, presentTrace } from '../inspect/present-finding.ts';
import { describePricedDamage, presentRepairs, sumRepairs } from '../inspect/repair-cost.ts';
import { addVehicles, selectFindings } from '../inspect/vehicle-results.ts';
import type { Pricer } from '../ports.ts';
import { isSeen } from './corrected.ts';

/** Reprices a result with `pricer`: each finding, their sum, and the vehicle as one job. */
export function repriceEnvelope(envelope: InspectionEnvelope, pricer: Pricer): InspectionEnvelope {
  const { results } = envelope.data;
  if (results === null) return envelope;
  const damages = results.damages.map((one) => setPrice(one, pricer));
  const toCheck = results.to_check.map((one) => setPrice(one, pricer));
  const reprice = <R extends InspectionResults | VehicleResult>(of: R, own: Damage[], places: ToCheck[]) => ({
    ...of,
    damages: own,
    to_check: places,
    damage_summary: {
      ...of.damage_summary,
      total_estimated_repair: { ...sumRepairs(own), currency: pricer.currency },
    },
    ...presentRepairs(own, places, pricer),
  });
  const { fx: _, parts_fx: __, ...meta } = envelope.meta;
  return deepFreeze<InspectionEnvelope>({
    ...envelope,
    meta: {
      ...meta,
      labor_rate_used: pricer.laborRate,
      ...(pricer.fx ? { fx: { ...pricer.fx } } : {}),
      ...(pricer.partsFx ? { parts_fx: { ...pricer.partsFx } } : {}),
    },
    data: {
      ...envelope.data,
      region: { ...pricer.region },
      results: addVehicles(
        reprice(results, damages, toCheck),
        (results.vehicles ?? []).map((vehicle) => ({
          photos: vehicle,
          results: reprice(vehicle, selectFindings(damages, vehicle), selectFindings(toCheck, vehicle)),
        })),
      ),
    },
  });
}

function setPrice<T extends Damage | ToCheck>(finding: T, pricer: Pricer): T {
  const range = pricer.estimate(describePricedDamage(finding));
  const explain = [...finding.explain.filter(isSeen), ...range.explain.map(presentTrace)];
  return { ...finding, estimated_repair: presentRepair(range), explain };
}
