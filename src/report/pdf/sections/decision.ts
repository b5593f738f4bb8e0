import type { Result } from '../../../contract/result.ts';
import { writeDecisionForm } from '../../content/decision.ts';
import type { Sheet } from '../sheet.ts';
import { COLOUR, STYLE } from '../theme.ts';

const BOX = 9;
const BOXES_IN_A_ROW = 5;
const LINE_HEIGHT = 24;
/** Height of the words below a line, points. */
const LABEL_BELOW = 12;
/** Height of the section below its heading, and with it, points. */
const HEIGHT = 30 + LINE_HEIGHT + 4 + LABEL_BELOW;
export const DECISION_HEIGHT = HEIGHT + 38;

/**
 * Draws space for the decision: boxes to tick, lines for remarks, name, date and signature; never split over two pages.
 */
export function drawDecision(sheet: Sheet, input: Result): void {
  const { title, boxes, lines } = writeDecisionForm(input);
  sheet.group(sheet.root, 'Sect', (section) => {
    sheet.heading(section, title, 1, HEIGHT);
    sheet.group(section, 'L', (list) => {
      const room = sheet.width / BOXES_IN_A_ROW;
      boxes.forEach((text, index) => {
        const x = sheet.left + index * room;
        const { y } = sheet;
        sheet.group(list, 'LI', (item) =>
          sheet.mark(item, 'LBody', () => {
            sheet.doc
              .rect(x, y + 1, BOX, BOX)
              .lineWidth(0.8)
              .strokeColor(COLOUR.ink)
              .stroke();
            sheet.text.put([text], STYLE.cell, x + BOX + 5, y);
          }),
        );
      });
    });
    sheet.y += 30;
    const [remarks, name, date, signature] = lines;
    const third = (sheet.width - 40) / 3;
    const write = (label: string, x: number, y: number, width: number) =>
      sheet.mark(section, 'P', () => {
        sheet.doc
          .moveTo(x, y)
          .lineTo(x + width, y)
          .lineWidth(0.6)
          .strokeColor(COLOUR.soft)
          .stroke();
        sheet.text.put([label], STYLE.label, x, y + 2);
      });
    write(remarks, sheet.left, sheet.y, sheet.width);
    sheet.y += LINE_HEIGHT + 4;
    write(name, sheet.left, sheet.y, third);
    write(date, sheet.left + third + 20, sheet.y, third);
    write(signature, sheet.left + 2 * (third + 20), sheet.y, third);
    sheet.y += LABEL_BELOW;
  });
}
