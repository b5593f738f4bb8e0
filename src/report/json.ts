import type { DamageAssessment } from '../contract/assessment/assessment.ts';
import type { VisualInspection } from '../contract/inspection.ts';
import type { Result } from '../contract/result.ts';
import type { RuleTrace } from '../domain/damage.ts';

type RuleFired = RuleTrace & { readonly subject: string };

interface ReportFields {
  readonly report_id: string;
  /** ISO 8601, UTC. */
  readonly generated_at: string;
  readonly rules_fired: RuleFired[];
}

type JsonReport = {
  readonly status: 'success';
  readonly data: (VisualInspection | DamageAssessment) & ReportFields;
};

/**
 * Builds the JSON report (contract decisions, "/report"): the whole inspection or assessment plus `report_id`,
 * `generated_at` and every rule that fired, with its damage. Given both, the report is the assessment, with the
 * inspection in field `inspection`.
 */
export function makeJsonReport({ inspection, assessment }: Result, generatedAt: Date): JsonReport {
  const generated_at = generatedAt.toISOString();
  const data = assessment?.data ?? inspection?.data;
  if (!data) throw new Error('a report needs an inspection or an assessment');
  const id = 'assessment_id' in data ? data.assessment_id : data.inspection_id;
  const report = {
    ...data,
    ...(assessment && inspection ? { inspection: inspection.data } : {}),
    report_id: makeReportId(id),
    generated_at,
    rules_fired: [
      ...(inspection ? listInspectionRules(inspection.data) : []),
      ...(assessment ? listAssessmentRules(assessment.data) : []),
    ],
  };
  return { status: 'success', data: report };
}

export function makeReportId(id: string): string {
  return `rep_${id.slice(id.indexOf('_') + 1)}`;
}

export function listInspectionRules(data: VisualInspection): RuleFired[] {
  return (data.results?.damages ?? []).flatMap(({ damage_id, explain }) =>
    explain.map((trace) => ({ subject: damage_id, ...trace })),
  );
}

export function listAssessmentRules(data: DamageAssessment): RuleFired[] {
  return data.assessed_damages.flatMap(({ damage_id, explain, repair_options: options }) =>
    [...explain, ...options.flatMap((option) => option.explain)].map((trace) => ({
      subject: damage_id,
      ...trace,
    })),
  );
}
