import { stripVTControlCharacters } from 'node:util';
import { Chalk, type ChalkInstance } from 'chalk';
import type { AssessmentEnvelope } from '../../contract/assessment/assessment.ts';
import { VehiError } from '../../lib/errors.ts';
import { formatCount } from '../../lib/format-count.ts';
import { toJsonText } from '../../lib/json.ts';
import { formatDateTime, formatMoneyRange, formatNumber } from '../../report/figures.ts';
import { readVehicleId } from '../../report/finding-rows.ts';
import { describeAmountScope, readGrade } from '../../report/headline.ts';
import { renderPlainTable } from '../../report/text/plain-table.ts';
import { wrapText } from '../../report/text/terminal-lines.ts';
import { isMixed } from '../../report/words.ts';
import { readCreatedAt, readResultId, type StoredResult } from '../../storage/results.ts';
import { renderResult } from '../outputs/kinds.ts';
import { createScreenView, nameNextCommands } from '../outputs/view.ts';
import { countColumns } from '../terminal/columns.ts';
import type { CliContext } from '../terminal/context.ts';
import type { FlagsOf } from '../terminal/options.ts';
import { write } from '../terminal/output.ts';
import { openResultStore } from './results.ts';

type HistoryFlags = FlagsOf<'history'>;

/** Runs `vehi history`: lists the stored results, or shows one. @throws VehiError usage for an unknown id */
export async function runHistory(
  id: string | undefined,
  flags: HistoryFlags,
  ctx: CliContext,
): Promise<void> {
  if (id !== undefined) return showResult(id, flags, ctx);
  const { results, unreadable } = await openResultStore(ctx).list();
  for (const file of unreadable)
    await write(ctx.stderr, `vehi: ${file} is not a stored result and was skipped\n`);
  const shown = results
    .filter((result) => flags.vehicleId === undefined || readVehicleId(result) === flags.vehicleId)
    .filter((result) => flags.kind === undefined || nameKind(result) === flags.kind)
    .slice(0, flags.limit)
    .map(describeEntry);
  if (flags.json) return write(ctx.stdout, toJsonText({ results: shown }));
  if (shown.length === 0) return write(ctx.stdout, 'No results are saved. vehi inspect --save saves one.\n');
  return write(
    ctx.stdout,
    `${renderHistory(shown, new Chalk({ level: ctx.colour.stdout }), countColumns(ctx))}\n${describeScopes(shown, countColumns(ctx))}`,
  );
}

/** Lists the distinct scopes of the amounts shown. */
function describeScopes(entries: readonly ReturnType<typeof describeEntry>[], columns: number): string {
  const scopes = [...new Set(entries.flatMap(({ cost_scope }) => cost_scope ?? []))];
  return scopes.map((scope) => `\n${wrapText(scope, columns)}\n`).join('');
}

/** Renders a row per result, in two lines on a narrow terminal because ids and times must not be cut. */
function renderHistory(
  entries: readonly ReturnType<typeof describeEntry>[],
  chalk: ChalkInstance,
  columns: number,
): string {
  const rows = entries.map((one) => [
    one.id,
    one.vehicle_id,
    formatDateTime(one.created_at),
    one.outcome,
    one.repair,
  ]);
  const head = ['id', 'vehicle', 'made', 'outcome', 'repair'];
  const wide = renderPlainTable(head, rows, { chalk, right: ['repair'] });
  if (wide.split('\n').every((line) => stripVTControlCharacters(line).length <= columns)) return wide;
  const stacked = rows.map(([id = '', vehicle = '', made = '', outcome = '', repair = '']) => [
    `${id}\n${made}`,
    `${vehicle}\n${repair}`,
    outcome,
  ]);
  const wrap = ['vehicle\nrepair', 'outcome'];
  return renderPlainTable(['id\nmade', ...wrap], stacked, { chalk, columns, wrap });
}

function nameKind({ inspection }: StoredResult): 'inspection' | 'assessment' {
  return inspection ? 'inspection' : 'assessment';
}

function describeEntry(result: StoredResult) {
  const { inspection, assessment, savedAt } = result;
  const common = {
    id: readResultId(result),
    kind: nameKind(result),
    vehicle_id: readVehicleId(result),
    created_at: readCreatedAt(result),
    saved_at: savedAt,
    cost_scope: describeAmountScope(result),
  };
  if (!inspection) {
    const { summary } = (assessment as AssessmentEnvelope).data;
    const { first_bill: total } = summary.repair_cost_summary;
    return {
      ...common,
      outcome: `${formatCount(summary.total_damages_assessed, 'damage')}, ${summary.overall_severity}`,
      repair: formatMoneyRange(total.min, total.max, total.currency),
    };
  }
  const { results, failure, status } = inspection.data;
  if (!results) return { ...common, outcome: failure?.code ?? status, repair: '–' };
  const total = results.repair_cost;
  const grade = readGrade(results);
  const toCheck = results.to_check.length > 0 ? `, ${results.to_check.length} to check` : '';
  return {
    ...common,
    outcome: `${grade ? `${grade.word} (${formatNumber(grade.score)}${isMixed(results) ? ', vehicles mixed' : ''})` : 'no grade'}, ${formatCount(results.damage_summary.total_damages, 'damage')}${toCheck}`,
    repair: formatMoneyRange(total.min, total.max, total.currency),
  };
}

async function showResult(id: string, flags: HistoryFlags, ctx: CliContext): Promise<void> {
  if (flags.vehicleId !== undefined || flags.kind !== undefined)
    throw new VehiError(
      'usage',
      'INVALID_REQUEST',
      'an id names one result; --vehicle-id and --kind list some.',
      {
        hint: 'Leave out the id, or the flags.',
      },
    );
  const stored = await openResultStore(ctx).get(id);
  if (!stored) {
    throw new VehiError('usage', 'SOURCE_NOT_FOUND', `no result ${id} is saved.`, {
      hint: 'vehi history lists the saved results.',
    });
  }
  const page = { pageSize: undefined, language: undefined, extraFont: undefined } as const;
  const view = createScreenView({ failOn: 'none', page, now: ctx.now, next: nameNextCommands(id) }, ctx);
  await write(ctx.stdout, await renderResult(flags.json ? 'json' : 'table', stored, view));
}
