import type { Card, Shot } from '../../content/blocks.ts';
import { COLOR } from '../../palette.ts';
import { drawChip, measureChip } from '../chip.ts';
import type { Sheet, StructElement } from '../sheet.ts';
import { STYLE } from '../theme.ts';
import { drawBoxed, fitInside } from './boxed-photo.ts';
import { drawShown } from './pictures.ts';

const GAP = 14;
/** Maximum height of a photo in points. */
const PHOTO_HEIGHT = 112;
/** Gap below the last card of a photo, in points. */
const BELOW_CARDS = 5;
/** Minimum card height, gap below, close-up width and padding, in points. */
const CARD = { height: 54, gap: 5, crop: 64, pad: 5 } as const;
/** Offset of the facts from the top of a card, and their line height, in points. */
const FACTS = { top: 19, line: 9.6 } as const;

/** An unbreakable element of a column: a photo with its caption, or a card. Sizes in points. */
interface Piece {
  readonly height: number;
  draw(section: StructElement, x: number, y: number): void;
}

const measureColumnWidth = (sheet: Sheet) => (sheet.width - GAP) / 2;
const measure = (pieces: readonly Piece[]) => pieces.reduce((sum, { height }) => sum + height, 0);

/**
 * Draws each photo on the left with its cards on the right; cards that exceed a page continue on the next. Photos whose
 * findings have their cards at other photos come last, two side by side.
 */
export function drawShots(sheet: Sheet, section: StructElement, shots: readonly Shot[]): void {
  const right = sheet.left + measureColumnWidth(sheet) + GAP;
  const layOut = (hasCards: boolean) =>
    shots.filter(({ cards }) => cards.length > 0 === hasCards).map((shot) => layOutShot(sheet, shot));
  const [own, others] = [layOut(true), layOut(false)];
  const pairs = others.flatMap((shot, index) =>
    index % 2 === 0 ? [[...shot, ...(others[index + 1] ?? [])]] : [],
  );
  for (const [photo, ...pieces] of [...own, ...pairs]) {
    if (!photo) continue;
    sheet.need(Math.min(sheet.contentHeight, Math.max(photo.height, measure(pieces))));
    photo.draw(section, sheet.left, sheet.y);
    let end = sheet.y + photo.height;
    for (const piece of pieces) {
      if (sheet.need(piece.height)) end = sheet.y;
      piece.draw(section, right, sheet.y);
      sheet.y += piece.height;
    }
    sheet.y = Math.max(sheet.y, end);
  }
}

function layOutShot(sheet: Sheet, shot: Shot): Piece[] {
  const { photo, picture, alt, findings, cards } = shot;
  const width = measureColumnWidth(sheet);
  const caption = sheet.text.lines(shot.caption, STYLE.bold, width, 2);
  const notes = shot.notes.flatMap((note) => sheet.text.lines(note, STYLE.label, width));
  const size = picture ? fitInside(photo, width, PHOTO_HEIGHT) : { width, height: 0 };
  const above = sheet.text.measureHeight(caption, STYLE.bold) + 2;
  const headHeight = above + size.height + sheet.text.measureHeight(notes, STYLE.label) + 4;
  const draw = (section: StructElement, x: number, y: number) => {
    sheet.mark(section, 'H2', () => sheet.text.put(caption, STYLE.bold, x, y));
    const at = { x, y: y + above, ...size };
    if (picture)
      sheet.mark(section, 'Figure', () => drawBoxed(sheet, picture, photo, findings, at), {
        alt: `${sheet.text.clean(alt)}.`,
      });
    const below = y + above + (picture ? size.height + 3 : 0);
    sheet.mark(section, 'P', () => sheet.text.put(notes, STYLE.label, x, below));
  };
  const pieces = [{ height: headHeight, draw }, ...cards.map((card) => layOutCard(sheet, card, width))];
  return pieces.map((one, index) => ({
    ...one,
    height: one.height + (index < cards.length ? 0 : BELOW_CARDS),
  }));
}

/** Lays out the close-up of a finding next to its facts; a place to check has a dashed border. */
function layOutCard(sheet: Sheet, { finding, title, closeUp, facts }: Card, width: number): Piece {
  const { crop, pad } = CARD;
  const textWidth = width - crop - 3 * pad - 2;
  const wrapped = facts.map((fact) => sheet.text.lines(fact, STYLE.label, textWidth, 3));
  const chipWidth = measureChip(sheet, finding.label);
  const name = sheet.text.lines(title, STYLE.bold, textWidth - chipWidth - 4, 2);
  const top = FACTS.top + sheet.text.measureHeight(name.slice(1), STYLE.bold);
  const height = Math.max(CARD.height, top + wrapped.flat().length * FACTS.line + pad);
  const draw = (section: StructElement, x: number, y: number) => {
    sheet.decorate(() => {
      sheet.doc.roundedRect(x, y, width, height, 4).lineWidth(0.6);
      if (finding.look === 'to_check') sheet.doc.dash(3, { space: 2.5 });
      sheet.doc.stroke(finding.look === 'to_check' ? COLOR.soft : COLOR.rule).undash();
    });
    sheet.group(section, 'Div', (card) => {
      const frame = { x: x + pad, y: y + pad, width: crop, height: CARD.height - 2 * pad };
      sheet.mark(card, 'Figure', () => drawShown(sheet, closeUp, frame), { alt: `${closeUp.alt}.` });
      const textX = x + crop + 2 * pad + 2;
      sheet.mark(card, 'P', () => sheet.text.put(name, STYLE.bold, textX, y + 4));
      sheet.mark(card, 'P', () => drawChip(sheet, finding, textX + textWidth - chipWidth, y + 4, chipWidth), {
        alt: finding.label,
      });
      let line = y + top;
      for (const lines of wrapped)
        sheet.mark(card, 'P', () => {
          for (const text of lines) {
            sheet.text.put([text], { ...STYLE.label, color: COLOR.ink }, textX, line);
            line += FACTS.line;
          }
        });
    });
  };
  return { height: height + CARD.gap, draw };
}
