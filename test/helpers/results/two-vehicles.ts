import type { InspectionEnvelope } from '../../../src/contract/inspection.ts';
import { gradeVehicles } from '../../../src/engine/inspect/vehicle-results.ts';

/** Divides an inspection by vehicle: the first half of its photos shows a red one, the second a blue one. */
export function divide(inspection: InspectionEnvelope): InspectionEnvelope {
  const { data } = structuredClone(inspection);
  const { results } = data;
  if (!results) throw new Error('only an inspection with results is divided');
  const indices = data.images.map(({ index }) => index);
  const half = Math.ceil(indices.length / 2);
  const findUrl = (index: number) => data.images.find((one) => one.index === index)?.url ?? '';
  const groups = [
    { group: 1, images: indices.slice(0, half), color: 'red' },
    { group: 2, images: indices.slice(half), color: 'blue' },
  ].map((one) => ({ ...one, image_urls: one.images.map(findUrl) }));
  const basis = { ...results.grade_basis, vehicles: groups.length };
  const whole = { ...results, mixed_vehicles: true as const, grade_basis: basis };
  const findings = { damages: results.damages, toCheck: results.to_check };
  const divided = gradeVehicles(groups, findings, ({ damages, toCheck }, _, group) =>
    group ? { ...results, damages, to_check: toCheck } : whole,
  );
  return { ...inspection, data: { ...data, vehicle_groups: groups, results: divided } };
}
