import type { AssessedDamage, RepairOption } from '../../../contract/assessment.ts';
import { ABSENT, money, moneyRange, plain } from '../../figures.ts';
import { damageWords, humanise, partWords } from '../../words.ts';
import type { PdfContext } from '../context.ts';
import { type Column, drawTable, type Row, tableHeight } from '../table.ts';
import { STYLE } from '../theme.ts';

const COLUMNS: readonly Column[] = [
  { title: 'Option', share: 30 },
  { title: 'Hours', share: 8, align: 'right' },
  { title: 'Labour', share: 14, align: 'right' },
  { title: 'Parts', share: 14, align: 'right' },
  { title: 'Total', share: 14, align: 'right' },
  { title: 'Range', share: 26, align: 'right' },
  { title: 'Days', share: 7, align: 'right' },
];

/** Per damage the repair options, the recommended one first, and why the others were not chosen. */
export function drawOptions({ sheet, input, rows }: PdfContext): void {
  if (!input.assessment) return;
  sheet.group(sheet.root, 'Sect', (section) => {
    sheet.heading(section, 'Repair options by damage', 1, 100);
    for (const { number, assessed } of rows) {
      if (!assessed) continue;
      const what = damageWords(assessed.type, assessed.subtype).toLowerCase();
      const options = assessed.repair_options
        .toSorted((a, b) => Number(b.recommended) - Number(a.recommended))
        .map(optionRow);
      const title = `${number}. ${partWords(assessed.location)}: ${assessed.severity} ${what} (${plain(assessed.severity_score)} of 10)`;
      sheet.heading(section, title, 2, Math.min(260, tableHeight(sheet, COLUMNS, options) + 30));
      sheet.paragraph(section, impactText(assessed), STYLE.soft, { after: 3 });
      for (const text of overrideTexts(assessed)) sheet.paragraph(section, text, STYLE.bold, { after: 3 });
      drawTable(sheet, section, COLUMNS, options);
    }
  });
}

function impactText({ impact_assessment: impact, severity_given: given }: AssessedDamage): string {
  const raised = given === undefined ? '' : ` Severity was given as ${given} and raised by rule.`;
  return `Impact: structure ${impact.structural}, looks ${impact.cosmetic}, safety ${impact.safety}, value −${plain(impact.value_reduction_percentage)} %.${raised}`;
}

function overrideTexts({ overrides = [] }: AssessedDamage): string[] {
  return overrides.map((one) => {
    const reason = one.reason ? ` (${one.reason})` : '';
    return `Changed by the adjuster: ${one.field} ${one.computed ?? ABSENT} → ${one.value}${reason}`;
  });
}

function optionRow(option: RepairOption): Row {
  const { total_cost: cost, cost_range: range } = option;
  const parts = option.parts_required.map(
    (part) =>
      `${humanise(part.part).toLowerCase()}${part.oem_price === undefined ? '' : ` ${money(part.oem_price, part.currency)}`}`,
  );
  const reason = option.not_recommended_reason ? `Not chosen: ${option.not_recommended_reason.message}` : '';
  const partList = parts.length > 0 ? `Parts: ${parts.join(', ')}.` : '';
  return {
    bold: option.recommended,
    cells: [
      `${option.recommended ? '✓ ' : ''}${humanise(option.option)}`,
      option.labor.hours.toFixed(1),
      money(cost.labor, cost.currency),
      money(cost.parts, cost.currency),
      money(cost.total, cost.currency),
      moneyRange(range.min, range.max, range.currency),
      option.timeline ? String(option.timeline.estimated_days) : ABSENT,
    ],
    note: [option.description, partList, reason].filter(Boolean).join(' '),
  };
}
