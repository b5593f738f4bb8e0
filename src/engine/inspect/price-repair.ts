import type { Damage } from '../../contract/inspection.ts';
import type { LineEdits } from '../../pricing/lines/edit-lines.ts';
import { presentCost, presentExpected, presentRepairLines } from '../present-repair.ts';
import { type Pricer, toPricingDamage } from '../pricer.ts';

/**
 * Prices the repair as one job, with and without the places to check, and lists the job for the damages as one row per
 * part. Prices equal those of an assessment of the same findings. `edits` are the reviewer's.
 */
export function priceRepair(
  damages: readonly Damage[],
  toCheck: readonly Damage[],
  pricer: Pricer,
  edits?: LineEdits,
) {
  const price = (findings: readonly Damage[]) =>
    pricer.priceVehicle(
      findings.map((finding) => ({ id: finding.damage_id, ...toPricingDamage(finding) })),
      edits,
    );
  const certain = price(damages);
  const all = toCheck.length === 0 ? certain : price([...damages, ...toCheck]);
  return {
    repair_cost: presentCost(certain, damages.length, pricer),
    if_all_confirmed: presentCost(all, damages.length + toCheck.length, pricer),
    repair_lines: presentRepairLines(certain.repairLines, damages.map(toNamed), pricer.currency),
    ...(certain.expected.length === 0
      ? {}
      : { expected_operations: certain.expected.map((line) => presentExpected(line, pricer.currency)) }),
  };
}

/** Selects what the rows of the repair name of a damage. */
const toNamed = ({ damage_id, type, subtype, also, location, measurements: size, image_url }: Damage) => ({
  id: damage_id,
  type,
  subtype,
  also,
  part: location.part,
  sizeCm: size?.length ?? size?.diameter,
  imageUrl: image_url,
});
