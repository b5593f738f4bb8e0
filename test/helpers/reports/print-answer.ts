import type { AssessmentEnvelope } from '../../../src/contract/assessment/assessment.ts';
import type { InspectionEnvelope } from '../../../src/contract/inspection.ts';
import { listAnswerSections } from '../../../src/report/content/answer.ts';
import type { AnswerDetail } from '../../../src/report/content/details.ts';
import { renderTerminal } from '../../../src/report/text/terminal.ts';

/** Returns what a terminal without colors shows of a result. */
export function printAnswer(
  input: { inspection?: InspectionEnvelope | null; assessment?: AssessmentEnvelope | null },
  { columns = 80, ...detail }: AnswerDetail & { columns?: number } = {},
): string {
  const { inspection = null, assessment = null } = input;
  return renderTerminal(listAnswerSections({ inspection, assessment }, detail), { color: 0, columns });
}
