import type { Result } from '../../../contract/result.ts';
import { SEVERITY_COLOUR, TO_CHECK_COLOUR } from '../../colours.ts';
import type { Figure } from '../../content/blocks.ts';
import {
  CROP_TITLES,
  MOST_CROPS,
  type Plan,
  writeFirstPage,
  writeFront,
  writeVerdict,
} from '../../content/first-page.ts';
import { countPartRows, writeRepair } from '../../content/repair.ts';
import { listFigures } from '../../headline.ts';
import type { DamageRow } from '../../input.ts';
import { findMainEvidence } from '../../pictures.ts';
import { describeFindPart } from '../../words.ts';
import { computeViewHeight, drawView } from '../draw-plan.ts';
import type { PdfContext } from '../page-context.ts';
import type { Sheet, StructElement } from '../sheet.ts';
import { drawTable, measureTableHeight } from '../table.ts';
import { COLOUR, STYLE, type TextStyle } from '../theme.ts';
import { drawCloseUp } from './close-up.ts';
import { DECISION_HEIGHT, drawDecision } from './decision.ts';

/** Points. */
const PLAN_WIDTH = 176;
const GAP = 12;
/** The worst places next to each other, the height of a crop where there is room and its least, points. */
const WORST = { count: MOST_CROPS.worst, height: 90, least: 52, captionLines: 1 } as const;
/** The places to check next to each other, and the height of a thumbnail, points. */
const CHECKS = { count: MOST_CROPS.toCheck, height: 40, captionLines: 2 } as const;
/** Height of the words above a row of pictures, and of a line of those below each, points. */
const ROW_TITLE = 15;
const CAPTION = 9.6;
/** Room below a row of pictures, points. */
const BELOW_ROW = 6;

/** Draws the first page: whose car, the three figures, the repair next to the plan, the worst places, the decision. */
export function drawFirstPage(context: PdfContext): void {
  const { sheet, input, pictures } = context;
  const { plan, worst, toCheck, seen } = writeFirstPage(input, pictures);
  const seenHeight = sheet.text.measureHeight(sheet.text.lines(seen, STYLE.label, sheet.width), STYLE.label);
  sheet.group(sheet.root, 'Sect', (section) => {
    drawFront(context, section);
    drawFigures(sheet, section, listFigures(input));
    const end = sheet.bottom - DECISION_HEIGHT - seenHeight - 8;
    const rowHeight = (picture: number, count: number, captionLines = 1) =>
      count === 0 ? 0 : ROW_TITLE + picture + captionLines * CAPTION + 1 + BELOW_ROW;
    const below = rowHeight(CHECKS.height, toCheck.length, CHECKS.captionLines);
    const most = end - sheet.y - below - rowHeight(WORST.least, worst.length);
    drawRepairAndPlan(context, section, plan, most);
    const room = end - below - sheet.y - rowHeight(0, worst.length);
    drawCrops(context, section, CROP_TITLES.worst, worst, {
      ...WORST,
      height: Math.min(WORST.height, room),
    });
    drawCrops(context, section, CROP_TITLES.toCheck, toCheck, CHECKS);
    sheet.paragraph(section, seen, STYLE.label);
  });
  sheet.y = Math.max(sheet.y, sheet.bottom - DECISION_HEIGHT);
  drawDecision(sheet, input);
  sheet.newPage();
}

/** Draws vehicle, what the report is filed under, and whether a person reviewed it. */
function drawFront({ sheet, input, generatedAt }: PdfContext, section: StructElement): void {
  const { title, filed, status } = writeFront(input, generatedAt);
  const put = (tag: string, text: string, style: TextStyle, mostLines: number, after: number) => {
    const lines = sheet.text.lines(text, style, sheet.width, mostLines);
    sheet.mark(section, tag, () => sheet.text.put(lines, style, sheet.left, sheet.y));
    sheet.y += sheet.text.measureHeight(lines, style) + after;
  };
  put('H1', title, STYLE.title, 2, 2);
  if (filed !== '') put('P', filed, STYLE.soft, 4, 2);
  put('P', status, STYLE.bold, 1, 8);
}

/** Type of the figures: as large as the widest of them allows. */
const VALUE = { font: 'bold', size: 17, colour: COLOUR.ink } as const satisfies TextStyle;

/** Draws the figures next to each other on a band. */
function drawFigures(sheet: Sheet, section: StructElement, figures: readonly Figure[]): void {
  if (figures.length === 0) return;
  const column = sheet.width / figures.length;
  const widest = Math.max(
    ...figures.map(({ value }) => sheet.text.measureWidth(sheet.text.clean(value), VALUE)),
  );
  const style = { ...VALUE, size: VALUE.size * Math.min(1, Math.max(0.6, (column - GAP) / (widest + 0.1))) };
  const laid = figures.map(({ label, value, note }) => ({
    label: sheet.text.line(label, STYLE.label, column - GAP),
    value: sheet.text.line(value, style, column - GAP),
    note: sheet.text.lines(note, STYLE.label, column - GAP, 2),
  }));
  const notes = Math.max(...laid.map(({ note }) => sheet.text.measureHeight(note, STYLE.label)));
  const height = 5 + 10 + 23 + notes + 5;
  const { y } = sheet;
  sheet.decorate(() => sheet.doc.roundedRect(sheet.left, y, sheet.width, height, 4).fill(COLOUR.band));
  for (const [index, { label, value, note }] of laid.entries()) {
    const x = sheet.left + index * column + 8;
    sheet.mark(section, 'P', () => {
      sheet.text.put([label], STYLE.label, x, y + 5);
      sheet.text.put([value], style, x, y + 15);
      sheet.text.put(note, STYLE.label, x, y + 38);
    });
  }
  sheet.y += height + 8;
}

/** Draws the repair, at most so many points high, and right of it the plan with the numbers. */
function drawRepairAndPlan(
  { sheet, input }: PdfContext,
  section: StructElement,
  plan: Plan | null,
  mostHeight: number,
): void {
  const width = plan ? sheet.width - PLAN_WIDTH - GAP : sheet.width;
  const top = sheet.y;
  for (const { text, bold } of writeVerdict(input)) {
    const style = bold ? STYLE.bold : STYLE.body;
    const lines = sheet.text.lines(text, style, width, 6);
    sheet.mark(section, 'P', () => sheet.text.put(lines, style, sheet.left, sheet.y));
    sheet.y += sheet.text.measureHeight(lines, style) + 5;
  }
  const table = plan === null ? null : fitRepair(sheet, input, width, mostHeight - (sheet.y - top));
  if (table) drawTable(sheet, section, table.columns, table.rows, { small: true, width });
  const bottom = sheet.y;
  if (plan) drawPlan(sheet, section, plan, top);
  sheet.y = Math.max(bottom, sheet.y) + 4;
}

/** Draws the views of the plan below each other at the right. */
function drawPlan(sheet: Sheet, section: StructElement, plan: Plan, top: number): void {
  const { views, marks, unseen, words } = plan;
  const step = (view: Plan['views'][number]) => computeViewHeight(view, PLAN_WIDTH) + 2;
  const draw = () => {
    let at = top;
    for (const view of views) {
      drawView(sheet, view, marks, unseen, sheet.right - PLAN_WIDTH, at, PLAN_WIDTH);
      at += step(view);
    }
  };
  sheet.mark(section, 'Figure', draw, { alt: words });
  sheet.y = top + views.reduce((sum, view) => sum + step(view), 0);
}

/** Returns the repair with as many parts as fit; the others share a row. */
function fitRepair(sheet: Sheet, input: Result, width: number, room: number) {
  for (let parts = countPartRows(input); parts >= 0; parts--) {
    const table = writeRepair(input, { parts, photos: false })?.blocks.find(({ kind }) => kind === 'table');
    if (table?.kind !== 'table') return null;
    const height = measureTableHeight(sheet, table.columns, table.rows, { small: true, width });
    if (height <= room || parts === 0) return table;
  }
  return null;
}

/** Draws close-ups in a row, each with its number and part. */
function drawCrops(
  context: PdfContext,
  section: StructElement,
  title: string,
  finds: readonly DamageRow[],
  {
    count,
    height,
    captionLines,
  }: { readonly count: number; readonly height: number; readonly captionLines: number },
): void {
  const { sheet, pictures } = context;
  if (finds.length === 0) return;
  sheet.mark(section, 'P', () => sheet.text.put([title], STYLE.head, sheet.left, sheet.y));
  sheet.y += ROW_TITLE;
  const width = (sheet.width - (count - 1) * BELOW_ROW) / count;
  for (const [index, row] of finds.entries()) {
    const closeUp = pictures.closeUps.get(row.id);
    const x = sheet.left + index * (width + BELOW_ROW);
    const { y } = sheet;
    const name = `${row.number}${row.toCheck ? '?' : ''} ${describeFindPart(row)}`;
    const colour = row.toCheck ? TO_CHECK_COLOUR.fill : SEVERITY_COLOUR[row.severity].fill;
    if (!closeUp) continue;
    sheet.mark(
      section,
      'Figure',
      () =>
        drawCloseUp(
          sheet,
          closeUp,
          row.found && findMainEvidence(row.found)?.coordinates,
          { x, y, width, height },
          { colour, dashed: row.toCheck },
        ),
      { alt: `Close-up of no. ${row.number}.` },
    );
    sheet.mark(section, 'P', () =>
      sheet.text.put(
        sheet.text.lines(name, STYLE.label, width, captionLines),
        STYLE.label,
        x,
        y + height + 1,
        {
          width,
          to: 'center',
        },
      ),
    );
  }
  sheet.y += height + captionLines * CAPTION + 1 + BELOW_ROW;
}
