import type { AssessmentEnvelope } from '../../contract/assessment.ts';
import { FORMATTERS, isFormatName } from '../../report/formats/index.ts';
import { assessmentTable } from '../tables/assessment-table.ts';
import type { OutputKind, View } from './inspection-output.ts';

/** The text of an assessment in one kind; ends with a line break. */
export function renderAssessment(
  envelope: AssessmentEnvelope,
  kind: OutputKind,
  view: View & { readonly explain: boolean },
): string {
  if (kind === 'json') return `${JSON.stringify(envelope, null, 2)}\n`;
  if (isFormatName(kind))
    return FORMATTERS[kind]({ inspection: null, assessment: envelope }, { failOn: view.failOn });
  return assessmentTable(envelope, view);
}
