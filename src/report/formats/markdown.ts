import type { AssessmentEnvelope } from '../../contract/assessment.ts';
import type { InspectionEnvelope, InspectionResults } from '../../contract/inspection.ts';
import { SEVERITIES } from '../../domain/damage.ts';
import { fileName, money, moneyRange, percent, plain, sizeText } from '../figures.ts';
import { type DamageRow, damageRows, vehicleIdOf } from '../input.ts';
import { CONDITION_WORDS, damageWords, humanise, partWords, SEVERITY_WORDS, subjectWords } from '../words.ts';
import type { Formatter } from './format.ts';

/** GitHub-flavoured Markdown for a pull request or a ticket: summary, damage table, estimate, what was not assessed. */
export const formatMarkdown: Formatter = (input) => {
  const { inspection, assessment } = input;
  const rows = damageRows(input);
  return [
    `## Vehicle ${inspection ? 'inspection' : 'damage assessment'}: ${text(vehicleIdOf(input))}`,
    '',
    ...(inspection ? outcome(inspection) : []),
    ...(inspection && rows.length > 0 ? foundTable(rows) : []),
    ...(assessment ? estimate(assessment, rows) : []),
    ...(inspection ? caveats(inspection) : []),
    ...footer(inspection, assessment),
    '',
  ].join('\n');
};

function outcome({ data }: InspectionEnvelope): string[] {
  const partial = data.partial ? ['**Partial result: the inspection was interrupted.**', ''] : [];
  if (data.results) return [summary(data.results), '', ...partial];
  return [
    `No results (${data.status}${data.failure ? `: ${text(data.failure.message)}` : ''}).`,
    '',
    ...partial,
  ];
}

function summary({ damage_summary: sum, overall_condition, condition_score }: InspectionResults): string {
  const counts = SEVERITIES.toReversed()
    .filter((severity) => sum.by_severity[severity] > 0)
    .map((severity) => `${sum.by_severity[severity]} ${severity}`)
    .join(', ');
  const damages = sum.total_damages === 1 ? '1 damage' : `${sum.total_damages} damages`;
  const repair = sum.total_estimated_repair;
  return [
    `**${CONDITION_WORDS[overall_condition]}** (${plain(condition_score)} of 10)`,
    sum.total_damages === 0 ? 'no damage found' : `${damages}: ${counts}`,
    `repair ${moneyRange(repair.min, repair.max, repair.currency)}`,
  ].join(' · ');
}

function foundTable(rows: readonly DamageRow[]): string[] {
  const lines = rows.map((row) => [
    String(row.number),
    partWords(row.part),
    damageWords(row.type, row.subtype),
    SEVERITY_WORDS[row.severity],
    (row.found && sizeText(row.found)) ?? '–',
    percent(row.found?.confidence),
    row.found
      ? moneyRange(
          row.found.estimated_repair.min,
          row.found.estimated_repair.max,
          row.found.estimated_repair.currency,
        )
      : '–',
    row.found ? fileName(row.found.image_url) : '–',
  ]);
  const header = ['#', 'Part', 'Damage', 'Severity', 'Size', 'Confidence', 'Repair', 'Photo'];
  return table(header, '|---:|---|---|---|---|---:|---:|---|', lines);
}

function estimate({ data }: AssessmentEnvelope, rows: readonly DamageRow[]): string[] {
  const { summary: sum } = data;
  const costs = sum.repair_cost_summary;
  const lines = rows.flatMap(({ number, part, type, subtype, assessed }) => {
    if (!assessed) return [];
    const chosen = assessed.recommended_repair;
    const option = assessed.repair_options.find((one) => one.option === chosen.option);
    return [
      [
        String(number),
        partWords(part),
        damageWords(type, subtype),
        humanise(chosen.option),
        option ? `${plain(option.labor.hours)} h` : '–',
        money(chosen.estimated_cost, chosen.currency),
        moneyRange(chosen.min_cost, chosen.max_cost, chosen.currency),
      ],
    ];
  });
  const total = costs.adjusted_total;
  const value = sum.impact_on_vehicle_value;
  const facts = [
    `estimate ${money(total.estimated, total.currency)} (${moneyRange(total.min, total.max, total.currency)})`,
    ...(sum.repair_timeline ? [`${sum.repair_timeline.estimated_total_days} working days`] : []),
    `value ${money(value.estimated_market_value, value.currency)} → ${money(value.adjusted_value, value.currency)}`,
    ...(sum.total_loss.is_total_loss ? ['**total loss**'] : []),
  ];
  return [
    `**Repair estimate** · ${facts.join(' · ')}`,
    '',
    ...table(
      ['#', 'Part', 'Damage', 'Recommended', 'Labour', 'Estimate', 'Range'],
      '|---:|---|---|---|---:|---:|---:|',
      lines,
    ),
    ...bullets(
      'Adjustments for the vehicle as a whole',
      costs.adjustments.map((one) => `${one.description}: ${money(one.estimated, one.currency)}`),
    ),
  ];
}

function caveats({ data }: InspectionEnvelope): string[] {
  return [
    ...bullets(
      'Not assessed',
      data.results?.not_assessed.map((one) => `${subjectWords(one.what)}: ${one.reason}`) ?? [],
    ),
    ...bullets(
      'Photos rejected',
      data.rejected_images.map((one) => `${fileName(one.url)}: ${one.message}`),
    ),
    ...bullets(
      'Warnings',
      data.warnings.map((one) => one.message),
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

/** Text on one line, with every character escaped that Markdown or HTML would read as markup or as a mention. */
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
