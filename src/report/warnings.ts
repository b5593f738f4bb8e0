import type { VisualInspection } from '../contract/inspection.ts';

/**
 * Selects the warnings that the report does not show elsewhere; several vehicles have a headline and a list of their
 * own.
 */
export function selectWarnings({
  warnings,
  vehicle_groups: groups,
}: Pick<VisualInspection, 'warnings' | 'vehicle_groups'>): VisualInspection['warnings'] {
  return groups.length > 0 ? warnings.filter(({ code }) => code !== 'several_vehicles') : warnings;
}
