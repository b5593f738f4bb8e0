import { chooseReportTitle, describeVehicle, type Fact, listClaimFacts, listHeadFacts } from '../../facts.ts';
import { readVehicleId } from '../../input.ts';
import type { PdfContext } from '../page-context.ts';
import type { Sheet, StructElement } from '../sheet.ts';
import { COLOUR, STYLE } from '../theme.ts';

const LABEL_WIDTH = 66;
const GAP = 16;
const LINE_GAP = 4;

/** Draws title, vehicle, what the report is filed under, and the facts of the inspection. */
export function drawFront({ sheet, input, generatedAt }: PdfContext): void {
  sheet.group(sheet.root, 'Sect', (section) => {
    sheet.mark(section, 'H1', () =>
      sheet.text.put(
        [sheet.text.line(chooseReportTitle(input), STYLE.title, sheet.width)],
        STYLE.title,
        sheet.left,
        sheet.y,
      ),
    );
    sheet.y += 30;
    const subtitle = sheet.text.lines(
      [describeVehicle(input), readVehicleId(input)].filter(Boolean).join(' · '),
      STYLE.subtitle,
      sheet.width,
      3,
    );
    sheet.mark(section, 'P', () => sheet.text.put(subtitle, STYLE.subtitle, sheet.left, sheet.y));
    sheet.y += sheet.text.measureHeight(subtitle, STYLE.subtitle) + 8;
    const claim = listClaimFacts(input);
    if (claim.length > 0) drawFacts(sheet, section, claim, true);
    drawFacts(sheet, section, listHeadFacts(input, generatedAt), false);
  });
}

/** Draws labelled facts in two columns on a band; those of the claim stand out by a frame and larger type. */
function drawFacts(sheet: Sheet, section: StructElement, all: readonly Fact[], framed: boolean): void {
  const style = framed ? STYLE.body : STYLE.cell;
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
  sheet.decorate(() => {
    const band = sheet.doc.roundedRect(sheet.left, sheet.y, sheet.width, height, 4);
    if (framed) band.lineWidth(0.8).strokeColor(COLOUR.accent).stroke();
    else band.fill(COLOUR.band);
  });
  sheet.group(section, 'Table', (table) => {
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
