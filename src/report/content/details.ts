import type { AssessmentEnvelope } from '../../contract/assessment/assessment.ts';
import type { Result } from '../../contract/result.ts';
import { compact } from '../../lib/lists.ts';
import { formatPercent } from '../figures.ts';
import { listDamageRows, listFindingRows } from '../finding-rows.ts';
import type { NextCommands } from '../headline.ts';
import { makeParagraph, type Section } from './blocks.ts';
import { writeCaveats } from './caveats.ts';
import { makeDamageTable } from './damages.ts';
import { listDepartments, writeTotals } from './estimate.ts';
import { writeLines } from './lines.ts';
import { writeOptions } from './options.ts';
import { describeInspectionScope } from './price-scope.ts';
import { listFormulas, writeValue } from './value.ts';

export interface AnswerDetail {
  /** Leaves out the places to check and the notes. */
  readonly quiet?: boolean | undefined;
  /** Adds every finding with its score and confidence, and the measured values behind photo remarks. */
  readonly verbose?: boolean | undefined;
  /** Lists every place to check instead of the five with the highest priority. */
  readonly all?: boolean | undefined;
  /** Adds every repair option, the lines, the totals and the value of an assessment. */
  readonly options?: boolean | undefined;
  /** Adds the rules that fired for the recommended repairs, and the formulas of the vehicle's value. */
  readonly explain?: boolean | undefined;
  readonly next?: NextCommands;
  /** Leaves out what is said once for all vehicles of a result: scope of the prices and remarks on photos. */
  readonly isOneOfSeveral?: boolean;
}

/** Lists the requested detail sections of an assessment: options, totals, lines, value. */
export function writeAssessmentSections(
  input: Result,
  assessment: AssessmentEnvelope,
  { options = false, explain = false }: AnswerDetail,
): readonly Section[] {
  if (!options && !explain) return [];
  const { summary } = assessment.data;
  const [value, totals] = [writeValue(summary), writeTotals(assessment)];
  return compact<Section>([
    writeOptions(listDamageRows(input), assessment, { onlyRecommended: !options, explain }),
    options && { ...totals, blocks: [...listDepartments(assessment), ...totals.blocks] },
    options && writeLines(assessment, input.inspection),
    explain ? { ...value, blocks: [...value.blocks, ...listFormulas(summary)] } : value,
  ]);
}

/** Lists every finding with severity, score and confidence, and all remarks with their measured values. */
export function listVerboseSections(input: Result): readonly Section[] {
  const data = input.inspection?.data;
  const rows = listFindingRows(input);
  const caveats = writeCaveats(input, new Map());
  const notes = compact([
    describeInspectionScope(data),
    data?.results && describeUnlisted(data.settings, data.results.dropped_detections.below_confidence),
    data?.results && `Confidence of the inspection as a whole: ${formatPercent(data.results.confidence)}.`,
  ]);
  const remarks = [...(caveats?.blocks ?? []), ...notes.map((text) => makeParagraph(text, 'soft'))];
  return compact<Section>([
    rows.length > 0 && {
      id: 'findings',
      title: `All findings (${rows.length})`,
      blocks: [makeDamageTable(input, rows)],
    },
    remarks.length > 0 && { id: 'caveats', title: caveats?.title ?? '', blocks: remarks },
  ]);
}

/** Formats the number of unlisted findings and the option that would list them; empty without any. */
function describeUnlisted(settings: { readonly min_confidence: number | null }, count: number): string {
  if (count === 0) return '';
  const sentence = `${count} less likely ${count === 1 ? 'finding is' : 'findings are'} not listed`;
  const more = settings.min_confidence === null ? '--sensitivity high' : 'a lower VEHI_MIN_CONFIDENCE';
  return `${sentence}: ${more} lists more.`;
}
