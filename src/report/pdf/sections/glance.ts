import { SEVERITIES, type Severity } from '../../../domain/damage.ts';
import type { PartName } from '../../../domain/parts.ts';
import type { Figure } from '../../content/blocks.ts';
import { writeGlanceNotes } from '../../content/glance.ts';
import { describeLossWarning } from '../../content/value.ts';
import {
  describeBasis,
  describeFailure,
  describeGradeSpan,
  isMixed,
  listFigures,
  readGrade,
} from '../../headline.ts';
import type { DamageRow, ReportInput } from '../../input.ts';
import { describePlan, listPartMarks, listUnseenParts, type PartMark, PLAN_VIEWS } from '../../plan/plan.ts';
import { countDamages, describePart, SEVERITY_WORDS } from '../../words.ts';
import { drawChip } from '../chip.ts';
import { drawDial } from '../dial.ts';
import { computeViewHeight, drawView } from '../draw-plan.ts';
import type { PdfContext } from '../page-context.ts';
import type { Sheet, StructElement } from '../sheet.ts';
import { COLOUR, STYLE, type TextStyle } from '../theme.ts';

const LEFT_WIDTH = 168;
/** Widths of the plan, points: the widest with which the section fits on the rest of the page. */
const PLAN_WIDTHS = [300, 270, 240] as const;
/** Height of the section's heading with the room around it, points. */
const HEADING = 40;

/** A piece of the left column; points. */
interface Piece {
  /** With the room below it. */
  readonly height: number;
  /** Draws it with its top at `y`, from the top of the page. */
  readonly draw: (section: StructElement, y: number) => void;
}

/** A sentence of the section, in the left column or, where that would be too long, over the whole width. */
interface Sentence {
  readonly text: string;
  readonly style: TextStyle;
}

/**
 * Draws the condition at a glance: dial, counts by severity, cost range, and the plan of the vehicle with damaged parts
 * tinted.
 */
export function drawGlance(context: PdfContext): void {
  const { sheet, input, rows, checks } = context;
  const marks = listPartMarks([...rows, ...checks]);
  const unseen = listUnseenParts(input);
  const note = writeGlanceNotes(input, marks, unseen).join(' ');
  const sentences = writeSentences(input);
  const [grade, figures] = [layGradePieces(context), layFigurePieces(context)];
  const said = sentences.map(({ text, style }) => layTextPiece(sheet, text, style));
  const noteHeight = note === '' ? 0 : measureParagraph(sheet, note, STYLE.soft);
  const room = sheet.bottom - sheet.y - HEADING;
  const isInColumn = measureHeight([...grade, ...said, ...figures]) + noteHeight <= room;
  const column = [...grade, ...(isInColumn ? said : []), ...figures];
  const above = isInColumn ? [] : sentences;
  const aboveHeight = above.reduce((sum, { text, style }) => sum + measureParagraph(sheet, text, style), 0);
  const heightAt = (width: number) => aboveHeight + Math.max(computePlanHeight(width), measureHeight(column));
  const fitting = (height: number) => PLAN_WIDTHS.find((width) => heightAt(width) <= height);
  const planWidth = fitting(room - noteHeight) ?? fitting(room) ?? PLAN_WIDTHS[0];
  sheet.group(sheet.root, 'Sect', (section) => {
    sheet.heading(
      section,
      'Condition at a glance',
      1,
      Math.min(heightAt(planWidth), sheet.pageRoom - HEADING),
    );
    for (const { text, style } of above) sheet.paragraph(section, text, style);
    const top = sheet.y;
    let y = top;
    for (const piece of column) {
      piece.draw(section, y);
      y += piece.height;
    }
    drawPlan(sheet, section, marks, unseen, top, planWidth);
    sheet.y = Math.max(y, top + computePlanHeight(planWidth)) + 2;
    if (note !== '') sheet.paragraph(section, note, STYLE.soft);
  });
}

function computePlanHeight(width: number): number {
  return PLAN_VIEWS.reduce((sum, view) => sum + computeViewHeight(view, width) + 6, 0);
}

function drawPlan(
  sheet: Sheet,
  section: StructElement,
  marks: ReadonlyMap<PartName, PartMark>,
  unseen: ReadonlySet<PartName>,
  top: number,
  width: number,
): void {
  const draw = () => {
    let at = top;
    for (const view of PLAN_VIEWS) {
      drawView(sheet, view, marks, unseen, sheet.right - width, at, width);
      at += computeViewHeight(view, width) + 6;
    }
  };
  sheet.mark(section, 'Figure', draw, { alt: describePlan(marks, unseen, describePart) });
}

function measureHeight(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { height }) => sum + height, 0);
}

/** Returns the height of a paragraph over the whole width with the room below it, points. */
function measureParagraph(sheet: Sheet, text: string, style: TextStyle): number {
  return sheet.text.measureHeight(sheet.text.lines(text, style, sheet.width), style) + 5;
}

/** Returns the dial, or that there is no grade, and why. */
function layGradePieces({ sheet, input }: PdfContext): readonly Piece[] {
  const { data } = input.inspection ?? {};
  const grade = data?.results && readGrade(data.results);
  const failure = describeFailure(data);
  const dial: Piece | null = grade
    ? {
        height: 122,
        draw: (section, y) =>
          sheet.mark(section, 'Figure', () => drawDial(sheet, grade, sheet.left, y), {
            alt: `Condition score ${grade.score} of 10: ${grade.word}.`,
          }),
      }
    : null;
  return [
    ...(dial ? [dial] : data ? [layTextPiece(sheet, 'No grade', STYLE.h1)] : []),
    ...(failure ? [layTextPiece(sheet, failure, STYLE.bold)] : []),
  ];
}

/** Returns what the grade may become and rests on, and how far it can be relied on. */
function writeSentences({ inspection, assessment }: ReportInput): readonly Sentence[] {
  const { results } = inspection?.data ?? {};
  const loss = describeLossWarning(assessment);
  const verdict = loss === null ? [] : [{ text: loss, style: STYLE.bold }];
  if (!results) return verdict;
  const span = describeGradeSpan(results);
  return [
    ...verdict,
    ...(span ? [{ text: span, style: STYLE.bold }] : []),
    { text: describeBasis(results), style: isMixed(results) ? STYLE.bold : STYLE.body },
  ];
}

/** Returns the counts and the prices; none where there is neither a result nor an estimate. */
function layFigurePieces({ sheet, input, rows, checks }: PdfContext): readonly Piece[] {
  if (!input.inspection?.data.results && !input.assessment) return [];
  const places = `${checks.length} ${checks.length === 1 ? 'place' : 'places'} to check`;
  const prices = listFigures(input).filter(({ label }) => label !== 'Damage');
  return [
    layCountsPiece(sheet, rows, checks.length),
    ...(checks.length === 0 ? [] : [layTextPiece(sheet, places, STYLE.bold)]),
    ...prices.map((price) => layPricePiece(sheet, price)),
  ];
}

function layTextPiece(sheet: Sheet, text: string, style: TextStyle): Piece {
  const lines = sheet.text.lines(text, style, LEFT_WIDTH, 8);
  return {
    height: sheet.text.measureHeight(lines, style) + 7,
    draw: (section, y) => sheet.mark(section, 'P', () => sheet.text.put(lines, style, sheet.left, y)),
  };
}

/** Height of the title of the counts, and of one of them, points. */
const COUNT = { title: 18, line: 16 } as const;

function layCountsPiece(sheet: Sheet, rows: readonly DamageRow[], checks: number): Piece {
  const title = countDamages(rows.length, checks);
  return {
    height: COUNT.title + SEVERITIES.length * COUNT.line + 6,
    draw: (section, top) => {
      sheet.mark(section, 'P', () => sheet.text.put([title], STYLE.h2, sheet.left, top));
      sheet.group(section, 'L', (list) => {
        for (const [index, severity] of SEVERITIES.toReversed().entries())
          drawCount(sheet, list, rows, severity, top + COUNT.title + index * COUNT.line);
      });
    },
  };
}

function drawCount(
  sheet: Sheet,
  list: StructElement,
  rows: readonly DamageRow[],
  severity: Severity,
  y: number,
): void {
  const count = rows.filter((row) => row.severity === severity).length;
  sheet.group(list, 'LI', (item) =>
    sheet.mark(
      item,
      'LBody',
      () => {
        drawChip(sheet, severity, sheet.left, y, 60);
        sheet.text.put([String(count)], STYLE.bold, sheet.left + 66, y - 0.5);
      },
      { alt: `${SEVERITY_WORDS[severity]}: ${count}` },
    ),
  );
  const share = rows.length === 0 ? 0 : count / rows.length;
  sheet.decorate(() => {
    sheet.doc.roundedRect(sheet.left + 86, y + 2, 78, 7, 2).fill(COLOUR.band);
    if (share > 0)
      sheet.doc.roundedRect(sheet.left + 86, y + 2, Math.max(3, 78 * share), 7, 2).fill(COLOUR.soft);
  });
}

/** Returns a price under its label. */
function layPricePiece(sheet: Sheet, { label, value, note }: Figure): Piece {
  const style = { ...STYLE.h2, size: 12 };
  const words = sheet.text.lines(`${label} ${note}`.trimEnd(), STYLE.label, LEFT_WIDTH, 2);
  const lines = sheet.text.lines(value, style, LEFT_WIDTH, 2);
  const above = sheet.text.measureHeight(words, STYLE.label) + 1;
  return {
    height: above + sheet.text.measureHeight(lines, style) + 6,
    draw: (section, y) =>
      sheet.mark(section, 'P', () => {
        sheet.text.put(words, STYLE.label, sheet.left, y);
        sheet.text.put(lines, style, sheet.left, y + above);
      }),
  };
}
