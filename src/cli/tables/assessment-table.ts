import { Chalk, type ChalkInstance, type ColorSupportLevel } from 'chalk';
import type { AssessmentEnvelope } from '../../contract/assessment/assessment.ts';
import type { AssessedDamage } from '../../contract/assessment/damage.ts';
import type { RepairOption } from '../../contract/assessment/option.ts';
import { describeLoss } from '../../report/content/value.ts';
import {
  describeConversion,
  formatAssessedSize,
  formatMoney,
  formatMoneyRange,
  formatWholeMoney,
} from '../../report/figures.ts';
import { describeCalibration, describeDamage, describePart, humanise } from '../../report/words.ts';
import { foldLines } from '../terminal/wrapped.ts';
import { renderTotalsBlock } from './assessment-totals.ts';
import { renderLinesBlocks } from './lines-table.ts';
import { renderPlainTable } from './plain-table.ts';
import { SEVERITY_PAINT } from './severity-paint.ts';

interface AssessmentTableOptions {
  readonly colour: ColorSupportLevel;
  readonly columns: number;
  readonly quiet: boolean;
  /** Also the operations of the recommended repairs and the rules that fired. */
  readonly explain: boolean;
}

/** Renders an assessment for people: options per damage, totals by department, days, value. */
export function renderAssessmentTable(envelope: AssessmentEnvelope, options: AssessmentTableOptions): string {
  const chalk = new Chalk({ level: options.colour });
  const { data } = envelope;
  const blocks = [
    renderHeading(envelope, chalk),
    ...data.assessed_damages.map((damage) => renderDamage(damage, chalk, options)),
    renderTotalsBlock(envelope, { chalk, columns: options.columns }),
    ...(options.quiet
      ? []
      : [
          renderDepartments(envelope, chalk),
          ...renderLinesBlocks(envelope, { chalk, columns: options.columns }),
        ]),
    renderValue(envelope, chalk, options.explain),
    ...(options.quiet ? [] : [renderNotes(envelope, chalk)]),
  ];
  return `${foldLines(blocks.filter(Boolean).join('\n\n'), options.columns)}\n`;
}

function renderHeading({ data, meta }: AssessmentEnvelope, chalk: ChalkInstance): string {
  const { summary } = data;
  const count = summary.total_damages_assessed;
  const converted = describeConversion(meta);
  return [
    `${chalk.bold(data.vehicle_id)}  ${count} damage${count === 1 ? '' : 's'}, ${SEVERITY_PAINT[summary.overall_severity](chalk)(summary.overall_severity)} ${summary.overall_severity_score.toFixed(1)}/10`,
    chalk.dim(
      `${meta.region}, ${formatMoney(meta.labor_rate_used, meta.currency)} an hour, table ${data.region.table_version}, ${data.vehicle.class_used} car`,
    ),
    ...(converted === undefined ? [] : [chalk.dim(`Converted: ${converted}`)]),
  ].join('\n');
}

function renderDamage(damage: AssessedDamage, chalk: ChalkInstance, options: AssessmentTableOptions): string {
  const raised = damage.severity_given === undefined ? '' : chalk.dim(` (given: ${damage.severity_given})`);
  const size = formatAssessedSize(damage);
  const title =
    `${chalk.bold(describePart(damage.location))}: ${describeDamage(damage.type, damage.subtype).toLowerCase()}${size === undefined ? '' : `, ${size}`}, ` +
    `${SEVERITY_PAINT[damage.severity](chalk)(damage.severity)} ${damage.severity_score.toFixed(1)}${raised}  ${chalk.dim(damage.damage_id)}`;
  const shown = options.quiet
    ? damage.repair_options.filter((option) => option.recommended)
    : damage.repair_options;
  const wide = options.columns >= 100 && !options.quiet;
  const days = shown.some((option) => option.timeline !== undefined);
  const head = [
    '',
    'option',
    'hours',
    'labour',
    'parts',
    'total',
    ...(days ? ['days'] : []),
    ...(wide ? ['why not'] : []),
  ];
  const table = renderPlainTable(
    head,
    shown.map((option) => [
      option.recommended ? chalk.green('*') : ' ',
      option.recommended ? chalk.bold(humanise(option.option)) : humanise(option.option),
      option.labor.hours.toFixed(1),
      formatWholeMoney(option.total_cost.labor, option.total_cost.currency),
      formatWholeMoney(option.total_cost.parts, option.total_cost.currency),
      formatWholeMoney(option.total_cost.total, option.total_cost.currency),
      ...(days ? [String(option.timeline?.estimated_days ?? '')] : []),
      ...(wide ? [chalk.dim(option.not_recommended_reason?.message ?? '')] : []),
    ]),
    { chalk, right: ['hours', 'labour', 'parts', 'total', 'days'] },
  );
  const overrides = (damage.overrides ?? []).map(
    ({ field, computed, value: now, reason }) =>
      `  ${chalk.yellow('override')} ${field}: ${computed} -> ${now}${reason === undefined ? '' : ` (${reason})`}`,
  );
  const recommended = damage.repair_options.find((option) => option.recommended);
  const why =
    options.explain && recommended ? renderExplanation(damage, recommended, chalk, options.columns) : [];
  return [title, indentText(table), ...overrides, ...why].join('\n');
}

function renderExplanation(
  damage: AssessedDamage,
  option: RepairOption,
  chalk: ChalkInstance,
  columns: number,
): string[] {
  const lines = renderPlainTable(
    ['op', 'part', 'source', 'price', 'body', 'refn', 'mech', 'struct', 'basis'],
    option.operations.map((line) => [
      line.operation,
      describePart(line.part),
      line.type ?? '',
      line.price === null ? '' : formatMoney(line.price, option.total_cost.currency),
      ...[line.body_hours, line.refinish_hours, line.mechanical_hours, line.structural_hours].map((hours) =>
        hours === 0 ? '' : hours.toFixed(1),
      ),
      `${line.basis}: ${line.note}`,
    ]),
    {
      chalk,
      right: ['price', 'body', 'refn', 'mech', 'struct'],
      columns: columns - EXPLAINED.length,
      wrap: ['part', 'source', 'basis'],
    },
  );
  const rules = [...damage.explain, ...option.explain].map(
    ({ rule, inputs }) =>
      `    ${rule} ${Object.entries(inputs)
        .map(([name, input]) => `${name}=${input}`)
        .join(' ')}`,
  );
  return [indentText(lines, EXPLAINED), chalk.dim(rules.join('\n'))];
}

/** What stands before the operations of a repair. */
const EXPLAINED = '    ';

const indentText = (text: string, by = '  ') =>
  text
    .split('\n')
    .map((line) => `${by}${line}`.trimEnd())
    .join('\n');

function renderDepartments({ data }: AssessmentEnvelope, chalk: ChalkInstance): string {
  const rows = data.summary.repair_cost_summary.departments.map((row) => [
    humanise(row.department),
    row.hours === 0 ? '' : row.hours.toFixed(1),
    row.rate_per_hour === null ? '' : formatMoney(row.rate_per_hour, row.currency),
    formatMoney(row.total, row.currency),
  ]);
  return renderPlainTable(['Departments', 'hours', 'rate', 'total'], rows, {
    chalk,
    right: ['hours', 'rate', 'total'],
  });
}

function renderValue({ data }: AssessmentEnvelope, chalk: ChalkInstance, explain: boolean): string {
  const { impact_on_vehicle_value: impact, total_loss: loss } = data.summary;
  const amount = (one: number) => formatWholeMoney(one, impact.currency);
  const before = amount(impact.estimated_market_value);
  const basis = impact.basis === 'request' ? before : `not given; ${before}, usual here, stands in`;
  const verdict = {
    total_loss: chalk.bgRed.white.bold('TOTAL LOSS'),
    near_threshold: chalk.yellow('Near the total-loss threshold'),
    no_total_loss: 'No total loss',
    unknown: 'Total loss unknown, no market value was given',
  }[loss.verdict];
  const less =
    impact.rule === 'none'
      ? ''
      : `; less ${amount(impact.value_reduction)} for the damage: ${amount(impact.adjusted_value)}`;
  const loses = `${impact.rule === 'none' ? 'Loss of value ' : ''}${impact.formula}`;
  return [
    `${chalk.bold('Value')}  ${basis}${less}`,
    ...(explain ? [impact.value_formula, loses, loss.formula] : [loses]).map((formula) =>
      chalk.dim(`  ${formula.replaceAll(' x ', ' × ')}`),
    ),
    `${verdict}: ${describeLoss(loss)}`,
  ].join('\n');
}

function renderNotes({ data }: AssessmentEnvelope, chalk: ChalkInstance): string {
  const { supplement_risk: risk, adas_notes: adas } = data.summary;
  const share = (one: number) => `${Math.round(one * 100)}`;
  const lines = [
    ...data.warnings.map((warning) => warning.message),
    `Supplement risk ${risk.level}: ${share(risk.probability_min)} to ${share(risk.probability_max)} % of such jobs, ${formatMoneyRange(risk.additional_cost.min, risk.additional_cost.max, risk.additional_cost.currency)}${risk.adapted === undefined ? '' : `; ${risk.adapted}`}`,
    ...adas.map(
      (note) =>
        `${describePart(note.part)}: ${note.note} ${formatMoneyRange(note.amount.min, note.amount.max, note.amount.currency)}; ${describeCalibration(note)}`,
    ),
  ];
  return `${chalk.bold('Notes')}\n${lines.map((line) => `  ${line}`).join('\n')}`;
}
