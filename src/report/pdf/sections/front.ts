import { headFacts, reportTitle, vehicleWords } from '../../facts.ts';
import { vehicleIdOf } from '../../input.ts';
import type { PdfContext } from '../context.ts';
import { COLOUR, STYLE } from '../theme.ts';

const LABEL_WIDTH = 66;
const GAP = 16;

/** Title, vehicle, and the facts of the report's head in two columns. */
export function drawFront({ sheet, input, generatedAt }: PdfContext): void {
  sheet.group(sheet.root, 'Sect', (section) => {
    sheet.mark(section, 'H1', () =>
      sheet.text.put(
        [sheet.text.line(reportTitle(input), STYLE.title, sheet.width)],
        STYLE.title,
        sheet.left,
        sheet.y,
      ),
    );
    sheet.y += 30;
    const subtitle = sheet.text.lines(
      [vehicleWords(input), vehicleIdOf(input)].filter(Boolean).join(' · '),
      STYLE.subtitle,
      sheet.width,
      3,
    );
    sheet.mark(section, 'P', () => sheet.text.put(subtitle, STYLE.subtitle, sheet.left, sheet.y));
    sheet.y += sheet.text.heightOf(subtitle, STYLE.subtitle) + 8;

    const column = (sheet.width - GAP) / 2;
    const facts = headFacts(input, generatedAt).map(([label, value]) => ({
      label,
      lines: sheet.text.lines(value, STYLE.cell, column - LABEL_WIDTH, 4),
    }));
    const half = Math.ceil(facts.length / 2);
    const top = sheet.y + 6;
    const heights = [facts.slice(0, half), facts.slice(half)].map((side) =>
      side.reduce((sum, fact) => sum + sheet.text.heightOf(fact.lines, STYLE.cell) + 4, 0),
    );
    const height = Math.max(...heights) + 8;
    sheet.decorate(() =>
      sheet.doc.roundedRect(sheet.left, sheet.y, sheet.width, height, 4).fill(COLOUR.band),
    );
    sheet.group(section, 'Table', (table) => {
      facts.forEach((fact, index) => {
        const inRight = index >= half;
        const before = facts
          .slice(inRight ? half : 0, index)
          .reduce((sum, one) => sum + sheet.text.heightOf(one.lines, STYLE.cell) + 4, 0);
        const x = sheet.left + 8 + (inRight ? column + GAP - 8 : 0);
        sheet.group(table, 'TR', (row) => {
          sheet.mark(row, 'TH', () => sheet.text.put([fact.label], STYLE.label, x, top + before + 0.6), {
            scope: 'Row',
          });
          sheet.mark(row, 'TD', () =>
            sheet.text.put(fact.lines, STYLE.cell, x + LABEL_WIDTH - 8, top + before),
          );
        });
      });
    });
    sheet.y += height + 6;
  });
}
