import type { InspectionEnvelope } from '../../../src/contract/inspection.ts';
import { addVehicles, selectFindings } from '../../../src/engine/inspect/vehicle-results.ts';

/** Divides an inspection by vehicle: the first half of its photos shows a red one, the second a blue one. */
export function divide(inspection: InspectionEnvelope): InspectionEnvelope {
  const { data } = structuredClone(inspection);
  const { results } = data;
  if (!results) throw new Error('only an inspection with results is divided');
  const indices = data.images.map(({ index }) => index);
  const half = Math.ceil(indices.length / 2);
  const groups = [
    { group: 1, images: indices.slice(0, half), color: 'red' },
    { group: 2, images: indices.slice(half), color: 'blue' },
  ];
  const basis = { ...results.grade_basis, vehicles: groups.length };
  const whole = { ...results, mixed_vehicles: true as const, grade_basis: basis };
  const vehicles = groups.map((photos) => ({
    photos,
    results: {
      ...results,
      damages: selectFindings(results.damages, photos),
      to_check: selectFindings(results.to_check, photos),
    },
  }));
  const findUrl = (index: number) => data.images.find((one) => one.index === index)?.url ?? '';
  return {
    ...inspection,
    data: {
      ...data,
      vehicle_groups: groups.map((one) => ({ ...one, image_urls: one.images.map(findUrl) })),
      results: addVehicles(whole, vehicles),
    },
  };
}
