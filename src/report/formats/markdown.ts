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
  formatWholeMoney,
  readFileName,
} from '../figures.ts';
import {
  describeBasis,
  describeGradeIfConfirmed,
  describeInspectionScope,
  describePriceIfConfirmed,
  describeScope,
  readGrade,
} from '../headline.ts';
import { checkRows, type DamageRow, listDamageRows, type ReportInput, readVehicleId } from '../input.ts';
import { describeNextPhotos } from '../next-photos.ts';
import { selectWarnings } from '../warnings.ts';
import {
  describeDamage,
  describeFindPart,
  describePart,
  describeSubject,
  humanise,
  SEVERITY_WORDS,
} from '../words.ts';
import type { Formatter } from './format.ts';

/**
 * Renders GitHub-flavoured Markdown for a pull request or a ticket: summary, damage table, estimate, what was not
 * assessed.
 */
export const formatMarkdown: Formatter = (input) => {
  const { inspection, assessment } = input;
  const rows = listDamageRows(input);
  return [
    `## Vehicle ${inspection ? 'inspection' : 'damage assessment'}: ${text(readVehicleId(input))}`,
    '',
    ...(inspection ? outcome(inspection, assessment === null) : []),
    ...filed(input),
    ...(inspection && rows.length > 0 ? foundTable(rows) : []),
    ...toCheckTable(input),
    ...(assessment ? estimate(assessment, rows) : []),
    ...(inspection ? nextPhotos(inspection) : []),
    ...(inspection ? caveats(inspection) : []),
    ...footer(inspection, assessment),
    '',
  ].join('\n');
};

/** Returns what the report is filed under, and a doubtful VIN with its reason. */
function filed(input: ReportInput): string[] {
  const facts = listClaimFacts(input).map(([label, value]) => `${label}: ${text(value)}`);
  return facts.length === 0 ? [] : [facts.join(' · '), ''];
}

function outcome({ data }: InspectionEnvelope, alone: boolean): string[] {
  const partial = data.partial ? ['**Partial result: the inspection was interrupted.**', ''] : [];
  const scope = alone ? describeInspectionScope(data) : null;
  if (data.results) return [summary(data), '', ...(scope === null ? [] : [text(scope), '']), ...partial];
  return [
    `No results (${data.status}${data.failure ? `: ${text(data.failure.message)}` : ''}).`,
    '',
    ...partial,
  ];
}

function summary(data: VisualInspection): string {
  const { results } = data;
  if (!results) return '';
  const { by_severity, total_damages } = results.damage_summary;
  const grade = readGrade(results);
  const ifConfirmed = describeGradeIfConfirmed(results);
  const counts = SEVERITIES.toReversed()
    .filter((severity) => by_severity[severity] > 0)
    .map((severity) => `${by_severity[severity]} ${severity}`)
    .join(', ');
  const damages = total_damages === 1 ? '1 damage' : `${total_damages} damages`;
  const cost = results.repair_cost;
  return [
    grade ? `**${grade.word}** (${formatNumber(grade.score)} of 10)` : '**No grade**',
    ...(ifConfirmed === null ? [] : [text(ifConfirmed.replace(/\.$/, ''))]),
    ...(total_damages > 0 ? [`${damages}: ${counts}`] : []),
    ...(cost.items > 0 ? [`repair ${formatMoneyRange(cost.min, cost.max, cost.currency)}`] : []),
    text(describeBasis(results)),
  ].join(' · ');
}

function toCheckTable(input: ReportInput): string[] {
  const rows = checkRows(input);
  const price = describePriceIfConfirmed(input.inspection?.data);
  if (rows.length === 0) return [];
  const note = `**To check** (possible damage, in no sum and no grade)${price ? ` · ${price.label}: ${price.amount}` : ''}`;
  return [note, '', ...foundTable(rows)];
}

function nextPhotos({ data }: InspectionEnvelope): string[] {
  const next = data.results?.next_photos ?? [];
  return bullets(
    'What to photograph next',
    describeNextPhotos(next).map(({ words }) => words),
  );
}

function foundTable(rows: readonly DamageRow[]): string[] {
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
  return table(header, '|---:|---|---|---|---|---:|---:|---|', lines);
}

function estimate(assessment: AssessmentEnvelope, rows: readonly DamageRow[]): string[] {
  const { data } = assessment;
  const { summary: sum } = data;
  const costs = sum.repair_cost_summary;
  const lines = rows.flatMap(({ number, part, type, subtype, assessed }) => {
    if (!assessed) return [];
    const chosen = assessed.recommended_repair;
    const option = assessed.repair_options.find((one) => one.option === chosen.option);
    return [
      [
        String(number),
        describePart(part),
        describeDamage(type, subtype),
        humanise(chosen.option),
        option ? `${formatNumber(option.labor.hours)} h` : '–',
        formatWholeMoney(chosen.estimated_cost, chosen.currency),
        formatMoneyRange(chosen.min_cost, chosen.max_cost, chosen.currency),
      ],
    ];
  });
  const total = costs.adjusted_total;
  const value = sum.impact_on_vehicle_value;
  const facts = [
    `estimate ${formatWholeMoney(total.estimated, total.currency)} net (${formatMoneyRange(total.min, total.max, total.currency)})`,
    ...(costs.expected_total === undefined
      ? []
      : [`${formatWholeMoney(costs.expected_total, total.currency)} with what usually comes with it`]),
    ...(costs.tax ? [`${formatWholeMoney(costs.tax.gross_total, costs.tax.currency)} gross, with tax`] : []),
    ...(sum.repair_timeline ? [`${sum.repair_timeline.estimated_total_days} working days`] : []),
    valueFact(value),
    ...(sum.total_loss.is_total_loss ? ['**total loss**'] : []),
  ];
  return [
    `**Repair estimate** · ${facts.join(' · ')}`,
    '',
    text(describeScope(assessment)),
    '',
    ...table(
      ['#', 'Part', 'Damage', 'Recommended', 'Labour', 'Estimate', 'Range'],
      '|---:|---|---|---|---:|---:|---:|',
      lines,
    ),
    ...bullets(
      'Adjustments for the vehicle as a whole',
      costs.adjustments
        .filter(({ estimated }) => estimated !== 0)
        .map((one) => `${one.description}: ${formatWholeMoney(one.estimated, one.currency)}`),
    ),
  ];
}

/** Returns what the damage takes off the value of the vehicle, and that the value is a default where it is. */
function valueFact(value: AssessmentEnvelope['data']['summary']['impact_on_vehicle_value']): string {
  const [before, after] = [value.estimated_market_value, value.adjusted_value].map((amount) =>
    formatWholeMoney(amount, value.currency),
  );
  return value.basis === 'request' ? `value ${before} → ${after}` : `value not given (usual here: ${before})`;
}

function caveats({ data }: InspectionEnvelope): string[] {
  const unseen = (data.results?.coverage.parts ?? []).filter(({ status }) => status !== 'seen');
  return [
    ...(unseen.length > 0
      ? [`**Not seen well enough**: ${text(unseen.map(({ part }) => describePart(part)).join('; '))}`, '']
      : []),
    ...bullets(
      'Not assessed',
      data.results?.not_assessed.map((one) => `${describeSubject(one.what)}: ${one.reason}`) ?? [],
    ),
    ...bullets(
      'More than one vehicle?',
      data.vehicle_groups.map(
        ({ group, colour, image_urls: urls }) =>
          `vehicle ${group}, ${colour}: ${urls.map(readFileName).join(', ')}`,
      ),
    ),
    ...bullets(
      'Photos rejected',
      data.rejected_images.map((one) => `${readFileName(one.url)}: ${one.message}`),
    ),
    ...bullets(
      'Warnings',
      selectWarnings(data).map((one) => one.message),
    ),
  ];
}

function footer(inspection: InspectionEnvelope | null, assessment: AssessmentEnvelope | null): string[] {
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
  return [`<sub>${facts.flatMap((fact) => (fact ? [text(fact)] : [])).join(' · ')}</sub>`];
}

function table(header: readonly string[], alignment: string, rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.map(text).join(' | ')} |`;
  return [line(header), alignment, ...rows.map(line), ''];
}

function bullets(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`**${title}**`, '', ...items.map((item) => `- ${text(item)}`), ''];
}

/**
 * Returns the text on one line, with every character escaped that Markdown or HTML would read as markup or as a
 * mention.
 */
function text(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_[\]|~]/g, '\\$&')
    .replaceAll('#', '&#35;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('@', '&#64;');
}
