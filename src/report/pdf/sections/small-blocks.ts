import type { Figure, Form } from '../../content/blocks.ts';
import type { Fact } from '../../facts.ts';
import { COLOR } from '../../palette.ts';
import type { Sheet, StructElement } from '../sheet.ts';
import { STYLE, type TextStyle } from '../theme.ts';

const GAP = 12;
/** Maximum type of the figures; shrinks to fit the widest value. */
const VALUE = { font: 'bold', size: 17, color: COLOR.ink } as const satisfies TextStyle;

/** Draws the figures side by side on a shaded band. */
export function drawFigures(sheet: Sheet, section: StructElement, figures: readonly Figure[]): void {
  const column = sheet.width / figures.length;
  const widest = Math.max(
    ...figures.map(({ value }) => sheet.text.measureWidth(sheet.text.clean(value), VALUE)),
  );
  const style = { ...VALUE, size: VALUE.size * Math.min(1, Math.max(0.6, (column - GAP) / (widest + 0.1))) };
  const layouts = figures.map(({ label, value, note }) => ({
    label: sheet.text.line(label, STYLE.label, column - GAP),
    value: sheet.text.line(value, style, column - GAP),
    note: sheet.text.lines(note, STYLE.label, column - GAP, 2),
  }));
  const notesHeight = Math.max(...layouts.map(({ note }) => sheet.text.measureHeight(note, STYLE.label)));
  const height = 5 + 10 + 23 + notesHeight + 5;
  const { y } = sheet;
  sheet.decorate(() => sheet.doc.roundedRect(sheet.left, y, sheet.width, height, 4).fill(COLOR.band));
  for (const [index, { label, value, note }] of layouts.entries()) {
    const x = sheet.left + index * column + 8;
    sheet.mark(section, 'P', () => {
      sheet.text.put([label], STYLE.label, x, y + 5);
      sheet.text.put([value], style, x, y + 15);
      sheet.text.put(note, STYLE.label, x, y + 38);
    });
  }
  sheet.y += height + 8;
}

const FACT = { label: 66, between: 16, below: 4 } as const;

/** Draws labeled facts in two columns on a shaded band. */
export function drawFacts(sheet: Sheet, section: StructElement, facts: readonly Fact[]): void {
  const style = STYLE.cell;
  const column = (sheet.width - FACT.between) / 2;
  const layouts = facts.map(([label, value]) => ({
    label,
    lines: sheet.text.lines(value, style, column - FACT.label, 4),
  }));
  const half = Math.ceil(layouts.length / 2);
  const measureHeight = (some: typeof layouts) =>
    some.reduce((sum, fact) => sum + sheet.text.measureHeight(fact.lines, style) + FACT.below, 0);
  const top = sheet.y + 6;
  const height = Math.max(measureHeight(layouts.slice(0, half)), measureHeight(layouts.slice(half))) + 8;
  sheet.decorate(() => sheet.doc.roundedRect(sheet.left, sheet.y, sheet.width, height, 4).fill(COLOR.band));
  sheet.group(section, 'Table', (table) => {
    layouts.forEach((fact, index) => {
      const isRight = index >= half;
      const y = top + measureHeight(layouts.slice(isRight ? half : 0, index));
      const x = sheet.left + 8 + (isRight ? column + FACT.between - 8 : 0);
      sheet.group(table, 'TR', (row) => {
        const baselineOffset = (style.size - STYLE.label.size) * 0.9;
        sheet.mark(row, 'TH', () => sheet.text.put([fact.label], STYLE.label, x, y + baselineOffset), {
          scope: 'Row',
        });
        sheet.mark(row, 'TD', () => sheet.text.put(fact.lines, style, x + FACT.label - 8, y));
      });
    });
  });
  sheet.y += height + 6;
}

const BOX = 9;
/** Check boxes per row: five with a few words each, or two that name a damage. */
const BOXES_PER_ROW = { short: 5, long: 2 };
const MAX_SHORT_BOX_LENGTH = 24;
/** Maximum lines of a box that names a damage and its price. */
const MAX_BOX_LINES = 3;
/** Space between rows of boxes, and above the remarks, in points. */
const BETWEEN_BOXES = 4.5;
const ABOVE_REMARKS = 15;
const LINE_HEIGHT = 24;
/** Height of the label below a line, with the space below, in points. */
const LABEL_HEIGHT = 18;

/** Draws check boxes and write-on lines for remarks, name, date and signature. */
export function drawForm(sheet: Sheet, section: StructElement, form: Form): void {
  const { boxes, lines } = form;
  const perRow = boxes.some((text) => text.length > MAX_SHORT_BOX_LENGTH)
    ? BOXES_PER_ROW.long
    : BOXES_PER_ROW.short;
  sheet.group(section, 'L', (list) => {
    const column = sheet.width / perRow;
    const texts = boxes.map((text) => sheet.text.lines(text, STYLE.cell, column - BOX - 8, MAX_BOX_LINES));
    for (let from = 0; from < texts.length; from += perRow) {
      const row = texts.slice(from, from + perRow);
      const height = Math.max(...row.map((lines) => sheet.text.measureHeight(lines, STYLE.cell)));
      sheet.need(height);
      for (const [index, lines] of row.entries())
        sheet.group(list, 'LI', (item) =>
          sheet.mark(item, 'LBody', () => drawCheckBox(sheet, lines, sheet.left + index * column)),
        );
      sheet.y += height + BETWEEN_BOXES;
    }
  });
  sheet.need(ABOVE_REMARKS + LINE_HEIGHT + LABEL_HEIGHT);
  sheet.y += ABOVE_REMARKS;
  const [remarks, ...others] = lines;
  const lineWidth = (sheet.width - 40) / 3;
  const write = (label: string, x: number, y: number, width: number) =>
    sheet.mark(section, 'P', () => {
      sheet.rule(y, 0.6, COLOR.soft, width, x);
      sheet.text.put([label], STYLE.label, x, y + 2);
    });
  write(remarks, sheet.left, sheet.y, sheet.width);
  sheet.y += LINE_HEIGHT + 4;
  for (const [index, label] of others.entries())
    write(label, sheet.left + index * (lineWidth + 20), sheet.y, lineWidth);
  sheet.y += LABEL_HEIGHT;
}

function drawCheckBox({ doc, text, y }: Sheet, lines: readonly string[], x: number): void {
  doc
    .rect(x, y + 1, BOX, BOX)
    .lineWidth(0.8)
    .stroke(COLOR.ink);
  text.put(lines, STYLE.cell, x + BOX + 5, y);
}
