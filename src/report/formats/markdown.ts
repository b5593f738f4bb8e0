import type { AssessmentEnvelope } from '../../contract/assessment/assessment.ts';
import type { InspectionEnvelope, VisualInspection } from '../../contract/inspection.ts';
import { SEVERITIES } from '../../domain/damage.ts';
import { listClaimFacts } from '../facts.ts';
import {
  describeConversion,
  formatMoneyRange,
  formatNumber,
  formatPercent,
  formatSize,
  readFileName,
} from '../figures.ts';
import {
  describeBasis,
  describeGradeSpan,
  describeInspectionScope,
  describePriceIfConfirmed,
  readGrade,
} from '../headline.ts';
import { checkRows, type DamageRow, listDamageRows, type ReportInput, readVehicleId } from '../input.ts';
import { describeNextPhotos } from '../next-photos.ts';
import { selectWarnings } from '../warnings.ts';
import { describeDamage, describeFindPart, describePart, describeSubject, SEVERITY_WORDS } from '../words.ts';
import type { Formatter } from './format.ts';
import { escapeMarkdown, writeBullets, writeTable } from './markdown-blocks.ts';
import { writeMarkdownEstimate } from './markdown-estimate.ts';

/**
 * Renders GitHub-flavoured Markdown for a pull request or a ticket: summary, damage table, estimate, what was not
 * assessed.
 */
export const formatMarkdown: Formatter = (input) => {
  const { inspection, assessment } = input;
  const rows = listDamageRows(input);
  return [
    `## Vehicle ${inspection ? 'inspection' : 'damage assessment'}: ${escapeMarkdown(readVehicleId(input))}`,
    '',
    ...(inspection ? writeOutcome(inspection, assessment === null) : []),
    ...writeFiled(input),
    ...(inspection && rows.length > 0 ? writeFoundTable(rows) : []),
    ...toCheckTable(input),
    ...(assessment ? writeMarkdownEstimate(assessment, rows) : []),
    ...(inspection ? writeNextPhotos(inspection) : []),
    ...(inspection ? writeCaveats(inspection) : []),
    ...writeFooter(inspection, assessment),
    '',
  ].join('\n');
};

/** Returns what the report is filed under, and a doubtful VIN with its reason. */
function writeFiled(input: ReportInput): string[] {
  const facts = listClaimFacts(input).map(([label, value]) => `${label}: ${escapeMarkdown(value)}`);
  return facts.length === 0 ? [] : [facts.join(' · '), ''];
}

function writeOutcome({ data }: InspectionEnvelope, alone: boolean): string[] {
  const partial = data.partial ? ['**Partial result: the inspection was interrupted.**', ''] : [];
  const scope = alone ? describeInspectionScope(data) : null;
  if (data.results)
    return [writeSummary(data), '', ...(scope === null ? [] : [escapeMarkdown(scope), '']), ...partial];
  return [
    `No results (${data.status}${data.failure ? `: ${escapeMarkdown(data.failure.message)}` : ''}).`,
    '',
    ...partial,
  ];
}

function writeSummary(data: VisualInspection): string {
  const { results } = data;
  if (!results) return '';
  const { by_severity, total_damages } = results.damage_summary;
  const grade = readGrade(results);
  const span = describeGradeSpan(results);
  const counts = SEVERITIES.toReversed()
    .filter((severity) => by_severity[severity] > 0)
    .map((severity) => `${by_severity[severity]} ${severity}`)
    .join(', ');
  const damages = total_damages === 1 ? '1 damage' : `${total_damages} damages`;
  const cost = results.repair_cost;
  return [
    grade ? `**${grade.word}** (${formatNumber(grade.score)} of 10)` : '**No grade**',
    ...(span === null ? [] : [escapeMarkdown(span.replace(/\.$/, ''))]),
    ...(total_damages > 0 ? [`${damages}: ${counts}`] : []),
    ...(cost.items > 0 ? [`repair ${formatMoneyRange(cost.min, cost.max, cost.currency)}`] : []),
    escapeMarkdown(describeBasis(results)),
  ].join(' · ');
}

function toCheckTable(input: ReportInput): string[] {
  const rows = checkRows(input);
  const price = describePriceIfConfirmed(input.inspection?.data);
  if (rows.length === 0) return [];
  const note = `**To check** (possible damage, in no sum and no grade)${price ? ` · ${price.label}: ${price.amount}` : ''}`;
  return [note, '', ...writeFoundTable(rows)];
}

function writeNextPhotos({ data }: InspectionEnvelope): string[] {
  const next = data.results?.next_photos ?? [];
  return writeBullets(
    'What to photograph next',
    describeNextPhotos(next).map(({ words }) => words),
  );
}

function writeFoundTable(rows: readonly DamageRow[]): string[] {
  const lines = rows.map((row) => [
    String(row.number),
    describeFindPart(row),
    `${describeDamage(row.type, row.subtype)}${row.found?.detail ? ` (${row.found.detail})` : ''}`,
    SEVERITY_WORDS[row.severity],
    (row.found && formatSize(row.found)) ?? '–',
    formatPercent(row.found?.confidence),
    row.found
      ? formatMoneyRange(
          row.found.estimated_repair.min,
          row.found.estimated_repair.max,
          row.found.estimated_repair.currency,
        )
      : '–',
    row.found ? readFileName(row.found.image_url) : '–',
  ]);
  const header = ['#', 'Part', 'Damage', 'Severity', 'Size', 'Confidence', 'Repair', 'Photo'];
  return writeTable(header, '|---:|---|---|---|---|---:|---:|---|', lines);
}

function writeCaveats({ data }: InspectionEnvelope): string[] {
  const unseen = (data.results?.coverage.parts ?? []).filter(({ status }) => status !== 'seen');
  return [
    ...(unseen.length > 0
      ? [
          `**Not seen well enough**: ${escapeMarkdown(unseen.map(({ part }) => describePart(part)).join('; '))}`,
          '',
        ]
      : []),
    ...writeBullets(
      'Not assessed',
      data.results?.not_assessed.map((one) => `${describeSubject(one.what)}: ${one.reason}`) ?? [],
    ),
    ...writeBullets(
      'More than one vehicle?',
      data.vehicle_groups.map(
        ({ group, colour, image_urls: urls }) =>
          `vehicle ${group}, ${colour}: ${urls.map(readFileName).join(', ')}`,
      ),
    ),
    ...writeBullets(
      'Photos rejected',
      data.rejected_images.map((one) => `${readFileName(one.url)}: ${one.message}`),
    ),
    ...writeBullets(
      'Warnings',
      selectWarnings(data).map((one) => one.message),
    ),
  ];
}

function writeFooter(inspection: InspectionEnvelope | null, assessment: AssessmentEnvelope | null): string[] {
  const facts = [
    inspection?.data.inspection_id,
    assessment?.data.assessment_id,
    inspection &&
      `${inspection.meta.images_processed} ${inspection.meta.images_processed === 1 ? 'photo' : 'photos'}`,
    `vehi ${inspection?.meta.software_version ?? assessment?.meta.software_version}`,
    inspection?.meta.ai_model_version,
    inspection?.meta.region ?? assessment?.meta.region,
    describeConversion(inspection?.meta ?? assessment?.meta),
  ];
  return [`<sub>${facts.flatMap((fact) => (fact ? [escapeMarkdown(fact)] : [])).join(' · ')}</sub>`];
}
