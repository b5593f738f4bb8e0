import type { VisualInspection } from '../../contract/inspection.ts';
import { preventsJudgment } from '../../domain/photo.ts';

/** Differences or overlaps between two inspections that affect how to read the comparison. */
export type Difference = 'same_photos' | 'other_models' | 'other_settings' | 'no_record' | 'no_photos';

/** Lists the caveats of a comparison: shared photos, other models or settings, no record, and missing photos. */
export function listDifferences(
  before: VisualInspection,
  after: VisualInspection,
  arePhotosMissing: boolean,
): readonly Difference[] {
  const haveRules = [before, after].every(({ models }) => models.every((model) => model.rules_sha256));
  const identifyModel = ({ sha256, rules_sha256: rules }: VisualInspection['models'][number]) =>
    haveRules ? `${sha256} ${rules}` : sha256;
  const models = (data: VisualInspection) => [...new Set(data.models.map(identifyModel))].sort().join();
  const settings = ({
    settings: { sensitivity, min_confidence, certain_from, to_check_from },
  }: VisualInspection) => JSON.stringify([sensitivity, min_confidence, certain_from, to_check_from]);
  const shas = new Set(before.images.map(({ sha256 }) => sha256));
  return [
    ...(after.images.some(({ sha256 }) => shas.has(sha256)) ? (['same_photos'] as const) : []),
    ...(models(before) === models(after) ? [] : (['other_models'] as const)),
    ...(settings(before) === settings(after) ? [] : (['other_settings'] as const)),
    ...(hasRecord(before) && hasRecord(after) ? [] : (['no_record'] as const)),
    ...(arePhotosMissing ? (['no_photos'] as const) : []),
  ];
}

/** Returns true if every analyzed photo that shows a vehicle has its record of parts and views. */
export function hasRecord({ images }: VisualInspection): boolean {
  return images.every(
    ({ analyzed, record, issues }) => !analyzed || record !== undefined || issues.some(preventsJudgment),
  );
}
