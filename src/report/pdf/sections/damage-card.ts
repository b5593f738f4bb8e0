import { SEVERITY_COLOUR, TO_CHECK_COLOUR } from '../../colours.ts';
import { listCardFacts } from '../../content/photos.ts';
import type { DamageRow } from '../../input.ts';
import { findMainEvidence } from '../../pictures.ts';
import { describeFindPart, SEVERITY_WORDS } from '../../words.ts';
import { CHIP_STYLE, drawChip } from '../chip.ts';
import type { PdfContext } from '../page-context.ts';
import type { Sheet, StructElement } from '../sheet.ts';
import { COLOUR, STYLE } from '../theme.ts';
import { drawCloseUp } from './close-up.ts';

/** A card's least height, the gap between two and the width of its close-up, points. */
export const CARD = { height: 54, gap: 5, crop: 64 } as const;

const PAD = 5;
/** Where the facts of a card begin below its top, and the height of one line of them, points. */
const FACTS = { top: 19, line: 9.6 } as const;

/** Returns the height of a card of so many points in width, points: higher where its facts take more lines. */
export function measureCardHeight(sheet: Sheet, row: DamageRow, width: number): number {
  const lines = wrapFacts(sheet, row, width).flat().length;
  return Math.max(CARD.height, FACTS.top + lines * FACTS.line + PAD);
}

function wrapFacts(sheet: Sheet, row: DamageRow, width: number): readonly (readonly string[])[] {
  const room = width - CARD.crop - 2 * PAD - 2 - PAD;
  return listCardFacts(row).map((fact) => sheet.text.lines(fact, STYLE.label, room, 3));
}

/** Draws the close-up of one find next to its facts; a place to check has a dashed frame. */
export function drawCard(
  context: PdfContext,
  section: StructElement,
  row: DamageRow,
  place: { readonly x: number; readonly y: number; readonly width: number },
): void {
  const { sheet } = context;
  const { x, y, width } = place;
  sheet.decorate(() => {
    sheet.doc.roundedRect(x, y, width, measureCardHeight(sheet, row, width), 4).lineWidth(0.6);
    if (row.toCheck) sheet.doc.dash(3, { space: 2.5 });
    sheet.doc
      .strokeColor(row.toCheck ? COLOUR.soft : COLOUR.rule)
      .stroke()
      .undash();
  });
  sheet.group(section, 'Div', (card) => {
    sheet.mark(card, 'Figure', () => drawPicture(context, row, x + PAD, y + PAD), {
      alt: `Close-up of no. ${row.number}.`,
    });
    const at = x + CARD.crop + 2 * PAD + 2;
    const room = x + width - at - PAD;
    const chip = row.toCheck ? 'To check' : SEVERITY_WORDS[row.severity];
    const chipWidth = sheet.text.measureWidth(chip, CHIP_STYLE) + 10;
    const name = `${row.number}${row.toCheck ? '?' : '.'} ${describeFindPart(row)}`;
    const title = sheet.text.line(name, STYLE.bold, room - chipWidth - 4);
    sheet.mark(card, 'P', () => sheet.text.put([title], STYLE.bold, at, y + 4));
    const look = row.toCheck ? 'to_check' : row.severity;
    sheet.mark(card, 'P', () => drawChip(sheet, look, at + room - chipWidth, y + 4, chipWidth), {
      alt: chip,
    });
    let line = y + FACTS.top;
    for (const lines of wrapFacts(sheet, row, width)) {
      sheet.mark(card, 'P', () => {
        for (const text of lines) {
          sheet.text.put([text], { ...STYLE.label, colour: COLOUR.ink }, at, line);
          line += FACTS.line;
        }
      });
    }
  });
}

function drawPicture({ sheet, pictures }: PdfContext, row: DamageRow, x: number, y: number): void {
  const closeUp = pictures.closeUps.get(row.id);
  const room = { width: CARD.crop, height: CARD.height - 2 * PAD };
  if (closeUp) {
    const colour = row.toCheck ? TO_CHECK_COLOUR.fill : SEVERITY_COLOUR[row.severity].fill;
    drawCloseUp(
      sheet,
      closeUp,
      row.found && findMainEvidence(row.found)?.coordinates,
      { x, y, ...room },
      { colour, dashed: row.toCheck },
    );
    return;
  }
  sheet.doc.rect(x, y, room.width, room.height).fill(COLOUR.band);
  sheet.text.put(['no picture'], STYLE.label, x, y + room.height / 2 - 5, {
    width: room.width,
    to: 'center',
  });
}
