import type { VisualInspection } from '../contract/inspection.ts';

/** Selects warnings not shown elsewhere in the report; several vehicles have their own headline and list. */
export function selectWarnings({
  warnings,
  vehicle_groups: groups,
}: Pick<VisualInspection, 'warnings' | 'vehicle_groups'>): VisualInspection['warnings'] {
  return groups.length > 0 ? warnings.filter(({ code }) => code !== 'several_vehicles') : warnings;
}
