import { SEVERITIES, type Severity } from '../../../domain/damage.ts';
import { glanceNotes } from '../../content/glance.ts';
import { moneyRange } from '../../figures.ts';
import type { DamageRow, ReportInput } from '../../input.ts';
import { PLAN_VIEWS, partMarks, planWords } from '../../plan/plan.ts';
import { partWords, SEVERITY_WORDS } from '../../words.ts';
import type { PdfContext } from '../context.ts';
import { drawDial } from '../dial.ts';
import { drawView, viewHeight } from '../plan.ts';
import type { Sheet } from '../sheet.ts';
import { drawChip } from '../table.ts';
import { COLOUR, STYLE } from '../theme.ts';

const LEFT_WIDTH = 168;

/** Condition at a glance: dial, counts by severity, cost range, and the plan of the vehicle with damaged parts tinted. */
export function drawGlance({ sheet, input, rows }: PdfContext): void {
  const marks = partMarks(rows);
  const planWidth = Math.min(300, sheet.width - LEFT_WIDTH - 20);
  const planHeight = PLAN_VIEWS.reduce((sum, view) => sum + viewHeight(view, planWidth) + 6, 0);
  sheet.group(sheet.root, 'Sect', (section) => {
    sheet.heading(section, 'Condition at a glance', 1, planHeight);
    const top = sheet.y;
    const results = input.inspection?.data.results;
    let y = top;
    if (results) {
      const { condition_score: score, overall_condition: condition } = results;
      sheet.mark(section, 'Figure', () => drawDial(sheet, score, condition, sheet.left, top), {
        alt: `Condition score ${score} of 10: ${condition}.`,
      });
      y += 122;
    } else if (input.inspection) {
      y = drawNoResults(sheet, input, section, y);
    }
    y = drawCounts(sheet, section, rows, y);
    y = drawCost(sheet, section, input, y);
    const x = sheet.right - planWidth;
    const alt = planWords(marks, partWords);
    sheet.mark(
      section,
      'Figure',
      () => {
        let at = top;
        for (const view of PLAN_VIEWS) {
          drawView(sheet, view, marks, x, at, planWidth);
          at += viewHeight(view, planWidth) + 6;
        }
      },
      { alt },
    );
    sheet.y = Math.max(y, top + planHeight) + 2;
    for (const note of glanceNotes(input, marks)) sheet.paragraph(section, note, STYLE.soft);
  });
}

function drawNoResults(
  sheet: Sheet,
  input: ReportInput,
  section: Parameters<Sheet['mark']>[0],
  y: number,
): number {
  const data = input.inspection?.data;
  const lines = sheet.text.lines(
    `No results: ${data?.failure?.message ?? `the inspection is ${data?.status}`}`,
    STYLE.bold,
    LEFT_WIDTH,
    8,
  );
  sheet.mark(section, 'P', () => sheet.text.put(lines, STYLE.bold, sheet.left, y));
  return y + sheet.text.heightOf(lines, STYLE.bold) + 10;
}

function drawCounts(
  sheet: Sheet,
  section: Parameters<Sheet['mark']>[0],
  rows: readonly DamageRow[],
  top: number,
): number {
  const count = (severity: Severity) => rows.filter((row) => row.severity === severity).length;
  let y = top;
  const title =
    rows.length === 0 ? 'No damage found' : `${rows.length} ${rows.length === 1 ? 'damage' : 'damages'}`;
  sheet.mark(section, 'P', () => sheet.text.put([title], STYLE.h2, sheet.left, y));
  y += 18;
  sheet.group(section, 'L', (list) => {
    for (const severity of SEVERITIES.toReversed()) {
      sheet.group(list, 'LI', (item) =>
        sheet.mark(
          item,
          'LBody',
          () => {
            drawChip(sheet, severity, sheet.left, y, 60);
            sheet.text.put([String(count(severity))], STYLE.bold, sheet.left + 66, y - 0.5);
          },
          { alt: `${SEVERITY_WORDS[severity]}: ${count(severity)}` },
        ),
      );
      const share = rows.length === 0 ? 0 : count(severity) / rows.length;
      const at = y;
      sheet.decorate(() => {
        sheet.doc.roundedRect(sheet.left + 86, at + 2, 78, 7, 2).fill(COLOUR.band);
        if (share > 0)
          sheet.doc.roundedRect(sheet.left + 86, at + 2, Math.max(3, 78 * share), 7, 2).fill(COLOUR.soft);
      });
      y += 16;
    }
  });
  return y + 6;
}

function drawCost(
  sheet: Sheet,
  section: Parameters<Sheet['mark']>[0],
  { inspection, assessment }: ReportInput,
  top: number,
): number {
  const estimate = assessment?.data.summary.repair_cost_summary.adjusted_total;
  const range = estimate ?? inspection?.data.results?.damage_summary.total_estimated_repair;
  if (!range) return top;
  const style = { ...STYLE.h2, size: 12 };
  const lines = sheet.text.lines(moneyRange(range.min, range.max, range.currency), style, LEFT_WIDTH, 3);
  const label = estimate ? 'Repair estimate, range' : 'Estimated repair, all damages';
  sheet.mark(section, 'P', () => {
    sheet.text.put([label], STYLE.label, sheet.left, top);
    sheet.text.put(lines, style, sheet.left, top + 11);
  });
  return top + 11 + sheet.text.heightOf(lines, style) + 6;
}
