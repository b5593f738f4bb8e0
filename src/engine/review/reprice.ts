import type { Damage, InspectionEnvelope, ToCheck } from '../../contract/inspection.ts';
import { deepFreeze } from '../../lib/objects.ts';
import { presentRepair, presentTrace } from '../inspect/present-finding.ts';
import { describePricedDamage, presentRepairs, sumRepairs } from '../inspect/repair-cost.ts';
import type { Pricer } from '../ports.ts';
import { isSeen } from './corrected.ts';

/** Reprices a result with `pricer`: each finding, their sum, and the vehicle as one job. */
export function repriceEnvelope(envelope: InspectionEnvelope, pricer: Pricer): InspectionEnvelope {
  const { results } = envelope.data;
  if (results === null) return envelope;
  const damages = results.damages.map((one) => setPrice(one, pricer));
  const toCheck = results.to_check.map((one) => setPrice(one, pricer));
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
      results: {
        ...results,
        damages,
        to_check: toCheck,
        damage_summary: {
          ...results.damage_summary,
          total_estimated_repair: { ...sumRepairs(damages), currency: pricer.currency },
        },
        ...presentRepairs(damages, toCheck, pricer),
      },
    },
  });
}

function setPrice<T extends Damage | ToCheck>(finding: T, pricer: Pricer): T {
  const range = pricer.estimate(describePricedDamage(finding));
  const explain = [...finding.explain.filter(isSeen), ...range.explain.map(presentTrace)];
  return { ...finding, estimated_repair: presentRepair(range), explain };
}
