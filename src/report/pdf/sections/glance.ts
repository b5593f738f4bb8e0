import { SEVERITIES, type Severity } from '../../../domain/damage.ts';
import { glanceNotes } from '../../content/glance.ts';
import {
  basisSentence,
  confidenceWords,
  failureSentence,
  gradeOf,
  isMixed,
  type PriceLine,
  priceIfConfirmed,
  repairPrice,
  sentenceIfConfirmed,
} from '../../headline.ts';
import type { DamageRow } from '../../input.ts';
import { PLAN_VIEWS, partMarks, planWords, unseenParts } from '../../plan/plan.ts';
import { partWords, SEVERITY_WORDS } from '../../words.ts';
import { drawChip } from '../chip.ts';
import { drawDial } from '../dial.ts';
import { drawView, viewHeight } from '../draw-plan.ts';
import type { PdfContext } from '../page-context.ts';
import type { Sheet, StructElement } from '../sheet.ts';
import { COLOUR, STYLE, type TextStyle } from '../theme.ts';

const LEFT_WIDTH = 168;

/**
 * Draws the condition at a glance: dial, counts by severity, cost range, and the plan of the vehicle with damaged parts
 * tinted.
 */
export function drawGlance({ sheet, input, rows, checks }: PdfContext): void {
  const marks = partMarks([...rows, ...checks]);
  const unseen = unseenParts(input);
  const planWidth = Math.min(300, sheet.width - LEFT_WIDTH - 20);
  const planHeight = PLAN_VIEWS.reduce((sum, view) => sum + viewHeight(view, planWidth) + 6, 0);
  sheet.group(sheet.root, 'Sect', (section) => {
    sheet.heading(section, 'Condition at a glance', 1, planHeight);
    const top = sheet.y;
    const results = input.inspection?.data.results;
    let y = top;
    const grade = results && gradeOf(results);
    if (grade) {
      sheet.mark(section, 'Figure', () => drawDial(sheet, grade, sheet.left, top), {
        alt: `Condition score ${grade.score} of 10: ${grade.word}.`,
      });
      y += 122;
    } else if (input.inspection) y = drawText(sheet, section, 'No grade', STYLE.h1, y);
    const failure = failureSentence(input.inspection?.data);
    if (failure) y = drawText(sheet, section, failure, STYLE.bold, y);
    if (results) {
      const confirmed = sentenceIfConfirmed(results);
      if (confirmed) y = drawText(sheet, section, confirmed, STYLE.bold, y);
      const style = isMixed(results) ? STYLE.bold : STYLE.body;
      y = drawText(sheet, section, basisSentence(results), style, y);
      if (grade) y = drawText(sheet, section, confidenceWords(results), STYLE.soft, y - 4);
    }
    if (results ?? input.assessment) {
      y = drawCounts(sheet, section, rows, checks, y);
      const prices = [repairPrice(input), priceIfConfirmed(input.inspection?.data)];
      for (const price of prices) if (price) y = drawPrice(sheet, section, price, y);
    }
    const x = sheet.right - planWidth;
    const alt = planWords(marks, unseen, partWords);
    sheet.mark(
      section,
      'Figure',
      () => {
        let at = top;
        for (const view of PLAN_VIEWS) {
          drawView(sheet, view, marks, unseen, x, at, planWidth);
          at += viewHeight(view, planWidth) + 6;
        }
      },
      { alt },
    );
    sheet.y = Math.max(y, top + planHeight) + 2;
    for (const note of glanceNotes(input, marks, unseen)) sheet.paragraph(section, note, STYLE.soft);
  });
}

/** Draws a text of the left column. @returns where the next one goes, points from the top of the page */
function drawText(sheet: Sheet, section: StructElement, text: string, style: TextStyle, y: number): number {
  const lines = sheet.text.lines(text, style, LEFT_WIDTH, 8);
  sheet.mark(section, 'P', () => sheet.text.put(lines, style, sheet.left, y));
  return y + sheet.text.heightOf(lines, style) + 8;
}

function drawCounts(
  sheet: Sheet,
  section: StructElement,
  rows: readonly DamageRow[],
  checks: readonly DamageRow[],
  top: number,
): number {
  const count = (severity: Severity) => rows.filter((row) => row.severity === severity).length;
  let y = top;
  const title =
    rows.length === 0 ? 'No certain damage' : `${rows.length} ${rows.length === 1 ? 'damage' : 'damages'}`;
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
  if (checks.length === 0) return y + 6;
  const places = `${checks.length} ${checks.length === 1 ? 'place' : 'places'} to check`;
  return drawText(sheet, section, places, STYLE.bold, y + 2);
}

/** Draws a price under its label. @returns where the next one goes, points from the top of the page */
function drawPrice(sheet: Sheet, section: StructElement, { label, range }: PriceLine, top: number): number {
  const style = { ...STYLE.h2, size: 12 };
  const words = sheet.text.lines(label, STYLE.label, LEFT_WIDTH, 2);
  const below = top + sheet.text.heightOf(words, STYLE.label) + 1;
  const lines = sheet.text.lines(range, style, LEFT_WIDTH, 2);
  sheet.mark(section, 'P', () => {
    sheet.text.put(words, STYLE.label, sheet.left, top);
    sheet.text.put(lines, style, sheet.left, below);
  });
  return below + sheet.text.heightOf(lines, style) + 6;
}
