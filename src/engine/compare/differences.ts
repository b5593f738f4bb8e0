import type { VisualInspection } from '../../contract/inspection.ts';
import type { Difference } from '../../domain/judge/compare.ts';
import { keepsRecord } from './photo-record.ts';

/** Lists the caveats of a comparison: shared photos, other models or settings, no record, and missing photos. */
export function listDifferences(
  before: VisualInspection,
  after: VisualInspection,
  photosMissing: boolean,
): readonly Difference[] {
  const ruled = [before, after].every(({ models }) => models.every((model) => model.rules_sha256));
  const models = (data: VisualInspection) =>
    data.models.map(({ sha256, rules_sha256: rules }) => (ruled ? `${sha256} ${rules}` : sha256));
  const same = (one: readonly string[], other: readonly string[]) =>
    JSON.stringify([...new Set(one)].sort()) === JSON.stringify([...new Set(other)].sort());
  const settings = ({ settings: of }: VisualInspection) =>
    JSON.stringify([of.sensitivity, of.min_confidence, of.certain_from, of.to_check_from]);
  const shas = new Set(before.images.map(({ sha256 }) => sha256));
  return [
    ...(after.images.some(({ sha256 }) => shas.has(sha256)) ? (['same_photos'] as const) : []),
    ...(same(models(before), models(after)) ? [] : (['other_models'] as const)),
    ...(settings(before) === settings(after) ? [] : (['other_settings'] as const)),
    ...(keepsRecord(before) && keepsRecord(after) ? [] : (['no_record'] as const)),
    ...(photosMissing ? (['no_photos'] as const) : []),
  ];
}
