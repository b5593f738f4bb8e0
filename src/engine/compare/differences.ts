import type { ComparisonAnswer } from '../../contract/comparison.ts';
import type { Photo, VisualInspection } from '../../contract/inspection.ts';
import type { VisitName } from '../../domain/compare/changes.ts';
import { preventsJudgment } from '../../domain/photo.ts';

/** Differences or overlaps between two inspections that affect how to read the comparison. */
export type Difference = ComparisonAnswer['data']['differences'][number];

/** Lists the caveats of a comparison; `copies` are in both visits, `withoutFiles` are visits of which no file is found. */
export function listDifferences(
  before: VisualInspection,
  after: VisualInspection,
  copies: readonly Photo[],
  withoutFiles: readonly VisitName[],
): readonly Difference[] {
  const haveRules = [before, after].every(({ models }) => models.every((model) => model.rules_sha256));
  const identifyModel = ({ sha256, rules_sha256: rules }: VisualInspection['models'][number]) =>
    haveRules ? `${sha256} ${rules}` : sha256;
  const models = (data: VisualInspection) => [...new Set(data.models.map(identifyModel))].sort().join();
  const settings = ({
    settings: { sensitivity, min_confidence, certain_from, to_check_from },
  }: VisualInspection) => JSON.stringify([sensitivity, min_confidence, certain_from, to_check_from]);
  return [
    ...(copies.length > 0 ? (['same_photos'] as const) : []),
    ...(models(before) === models(after) ? [] : (['other_models'] as const)),
    ...(settings(before) === settings(after) ? [] : (['other_settings'] as const)),
    ...(hasRecord(before) && hasRecord(after) ? [] : (['no_record'] as const)),
    ...(withoutFiles.length > 0 ? (['no_photos'] as const) : []),
  ];
}

/** Returns true if every analyzed photo that shows a vehicle has its record of parts and views. */
export function hasRecord({ images }: VisualInspection): boolean {
  return images.every(
    ({ analyzed, record, issues }) => !analyzed || record !== undefined || issues.some(preventsJudgment),
  );
}
