import type { VisualInspection } from '../contract/inspection.ts';

/**
 * Returns the warnings that nothing else of a report says: several vehicles are in its headline and have a list of
 * their own.
 */
export function selectWarnings({
  warnings,
  vehicle_groups: groups,
}: Pick<VisualInspection, 'warnings' | 'vehicle_groups'>): VisualInspection['warnings'] {
  return groups.length > 0 ? warnings.filter(({ code }) => code !== 'several_vehicles') : warnings;
}
