import type { AssessmentEnvelope } from '../../../src/contract/assessment/assessment.ts';

/** Returns what a vehicle computed by hand is held to: per damage option, hours and total; then the sums. */
export function collectFigures({ data }: AssessmentEnvelope) {
  const { repair_cost_summary: costs } = data.summary;
  return {
    damages: data.assessed_damages.map((damage) => {
      const option = damage.repair_options.find((one) => one.recommended);
      return [damage.recommended_repair.option, option?.labor.hours, option?.total_cost.total];
    }),
    recommended: costs.recommended_repairs_total.estimated,
    adjustments: Object.fromEntries(
      costs.adjustments
        .filter((line) => line.estimated !== 0)
        .map((line) => [line.code, [line.hours, line.estimated]]),
    ),
    adjusted: costs.adjusted_total.estimated,
    departments: Object.fromEntries(costs.departments.map((row) => [row.department, row.total])),
    days: data.summary.repair_timeline?.estimated_total_days,
  };
}
