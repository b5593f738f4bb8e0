import type { DamageAssessment } from '../contract/assessment/assessment.ts';
import type { VisualInspection } from '../contract/inspection.ts';
import type { Result } from '../contract/result.ts';
import type { RuleTrace } from '../domain/damage.ts';
import { compact } from '../lib/lists.ts';

type RuleFired = RuleTrace & { readonly subject: string };

/** Builds the JSON report: an assessment with its inspection, or an inspection alone, and the rules that fired. */
export function makeJsonReport({ inspection, assessment }: Result, generatedAt: Date) {
  const data = assessment?.data ?? inspection?.data;
  if (!data) throw new Error('a report needs an inspection or an assessment');
  const id = 'assessment_id' in data ? data.assessment_id : data.inspection_id;
  const report = {
    ...data,
    ...(assessment && inspection ? { inspection: inspection.data } : {}),
    report_id: makeReportId(id),
    generated_at: generatedAt.toISOString(),
    rules_fired: compact([inspection?.data, assessment?.data]).flatMap(listRules),
  };
  return { status: 'success' as const, data: report };
}

export function makeReportId(id: string): string {
  return `rep_${id.slice(id.indexOf('_') + 1)}`;
}

/** Lists the rules that fired, each with its damage; those of an assessment include its repair options. */
export function listRules(data: VisualInspection | DamageAssessment): RuleFired[] {
  const damages =
    'assessed_damages' in data
      ? data.assessed_damages.map(({ damage_id, explain, repair_options: options }) => ({
          damage_id,
          explain: [...explain, ...options.flatMap((option) => option.explain)],
        }))
      : (data.results?.damages ?? []);
  return damages.flatMap(({ damage_id: subject, explain }) =>
    explain.map((trace) => ({ subject, ...trace })),
  );
}
