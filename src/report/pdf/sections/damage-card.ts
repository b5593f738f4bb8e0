import type { Box } from '../../../domain/geometry.ts';
import { SEVERITY_COLOUR } from '../../colours.ts';
import { cardFacts } from '../../content/photos.ts';
import type { DamageRow } from '../../input.ts';
import { type CloseUp, mainEvidence } from '../../pictures.ts';
import { partWords, SEVERITY_WORDS } from '../../words.ts';
import type { PdfContext } from '../context.ts';
import type { Sheet, StructElement } from '../sheet.ts';
import { drawChip } from '../table.ts';
import { COLOUR, STYLE } from '../theme.ts';
import { fitted } from './fitted.ts';

/** A card's height, the gap between two and the width of its close-up, points. */
export const CARD = { height: 104, gap: 10, crop: 116 } as const;

/** A close-up with the damage's box on it; `at` is where the picture goes, points. */
function drawCloseUp(sheet: Sheet, { picture, region }: CloseUp, row: DamageRow, at: Box): void {
  sheet.doc.image(Buffer.from(picture.jpeg), at.x, at.y, { width: at.width, height: at.height });
  const box = row.found ? mainEvidence(row.found)?.coordinates : undefined;
  if (!box) return;
  const scale = at.width / region.width;
  const x = Math.max(at.x, at.x + (box.x - region.x) * scale);
  const y = Math.max(at.y, at.y + (box.y - region.y) * scale);
  const right = Math.min(at.x + at.width, at.x + (box.x + box.width - region.x) * scale);
  const bottom = Math.min(at.y + at.height, at.y + (box.y + box.height - region.y) * scale);
  sheet.doc
    .rect(x, y, right - x, bottom - y)
    .lineWidth(0.9)
    .strokeColor(SEVERITY_COLOUR[row.severity].fill)
    .stroke();
}

/** The close-up of one damage next to its facts, its upper left corner at `x`, `y` (points). */
export function drawCard(
  context: PdfContext,
  section: StructElement,
  row: DamageRow,
  x: number,
  y: number,
): void {
  const { sheet, pictures } = context;
  const width = (sheet.width - CARD.gap) / 2;
  const closeUp = pictures.closeUps.get(row.id);
  const cropHeight = (CARD.crop * 3) / 4;
  sheet.decorate(() =>
    sheet.doc.roundedRect(x, y, width, CARD.height, 4).lineWidth(0.6).strokeColor(COLOUR.rule).stroke(),
  );
  sheet.group(section, 'Div', (card) => {
    sheet.mark(
      card,
      'Figure',
      () => {
        const room = {
          x: x + 6,
          y: y + (CARD.height - cropHeight) / 2,
          width: CARD.crop,
          height: cropHeight,
        };
        if (closeUp) {
          const size = fitted(closeUp.picture, room.width, room.height);
          drawCloseUp(sheet, closeUp, row, {
            x: room.x + (room.width - size.width) / 2,
            y: room.y + (room.height - size.height) / 2,
            ...size,
          });
        } else {
          sheet.doc.rect(room.x, room.y, room.width, room.height).fill(COLOUR.band);
          sheet.text.put(['no picture'], STYLE.label, room.x, room.y + room.height / 2 - 5, {
            width: room.width,
            to: 'center',
          });
        }
      },
      { alt: `Close-up of damage no. ${row.number}.` },
    );
    const at = x + CARD.crop + 14;
    const room = width - CARD.crop - 20;
    const title = `${row.number}. ${partWords(row.part)}`;
    sheet.mark(card, 'P', () => {
      sheet.text.put(sheet.text.lines(title, STYLE.bold, room, 2), STYLE.bold, at, y + 5);
    });
    const titleHeight = sheet.text.heightOf(sheet.text.lines(title, STYLE.bold, room, 2), STYLE.bold);
    let line = y + 7 + titleHeight;
    sheet.mark(card, 'P', () => drawChip(sheet, row.severity, at, line, room), {
      alt: SEVERITY_WORDS[row.severity],
    });
    line += 14;
    for (const fact of cardFacts(row)) {
      if (line + 9.5 > y + CARD.height - 3) break;
      const text = sheet.text.line(fact, STYLE.label, room);
      const here = line;
      sheet.mark(card, 'P', () => sheet.text.put([text], { ...STYLE.label, colour: COLOUR.ink }, at, here));
      line += 9.8;
    }
  });
}
