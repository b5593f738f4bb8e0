import { type Fact, listHeadFacts } from '../../facts.ts';
import type { PdfContext } from '../page-context.ts';
import { COLOUR, STYLE } from '../theme.ts';

const LABEL_WIDTH = 66;
const GAP = 16;
const LINE_GAP = 4;

/** Draws the facts of the inspection and of the report, labelled, in two columns on a band. */
export function drawFacts({ sheet, input, generatedAt }: PdfContext): void {
  const all: readonly Fact[] = listHeadFacts(input, generatedAt);
  const style = STYLE.cell;
  const column = (sheet.width - GAP) / 2;
  const facts = all.map(([label, value]) => ({
    label,
    lines: sheet.text.lines(value, style, column - LABEL_WIDTH, 4),
  }));
  const half = Math.ceil(facts.length / 2);
  const measureHeight = (some: typeof facts) =>
    some.reduce((sum, fact) => sum + sheet.text.measureHeight(fact.lines, style) + LINE_GAP, 0);
  const top = sheet.y + 6;
  const height = Math.max(measureHeight(facts.slice(0, half)), measureHeight(facts.slice(half))) + 8;
  sheet.decorate(() => sheet.doc.roundedRect(sheet.left, sheet.y, sheet.width, height, 4).fill(COLOUR.band));
  sheet.group(sheet.root, 'Table', (table) => {
    facts.forEach((fact, index) => {
      const inRight = index >= half;
      const y = top + measureHeight(facts.slice(inRight ? half : 0, index));
      const x = sheet.left + 8 + (inRight ? column + GAP - 8 : 0);
      sheet.group(table, 'TR', (row) => {
        const drop = (style.size - STYLE.label.size) * 0.9;
        sheet.mark(row, 'TH', () => sheet.text.put([fact.label], STYLE.label, x, y + drop), {
          scope: 'Row',
        });
        sheet.mark(row, 'TD', () => sheet.text.put(fact.lines, style, x + LABEL_WIDTH - 8, y));
      });
    });
  });
  sheet.y += height + 6;
}
