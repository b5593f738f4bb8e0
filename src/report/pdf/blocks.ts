import type { Block, Section, Tone } from '../content/blocks.ts';
import type { Sheet, StructElement } from './sheet.ts';
import { drawTable, measureTableHeight } from './table.ts';
import { STYLE, type TextStyle } from './theme.ts';

const TONES = {
  plain: STYLE.body,
  soft: STYLE.soft,
  bold: STYLE.bold,
  item: STYLE.body,
  warning: STYLE.bold,
} as const satisfies Record<Tone | 'plain', TextStyle>;

/** A heading keeps at most this much of what follows it on its page, points. */
const MOST_KEPT = 260;

/** Draws a section: its title, then its blocks. The title keeps at most `mostKept` points of them on its page. */
export function drawSection(sheet: Sheet, section: Section, mostKept = MOST_KEPT): void {
  sheet.group(sheet.root, 'Sect', (element) => {
    sheet.heading(
      element,
      section.title,
      1,
      Math.min(mostKept, measureKeptHeight(sheet, section.blocks, section.small === true)),
    );
    section.blocks.forEach((block, index) => {
      drawBlock(sheet, element, block, section.blocks.slice(index + 1), section.small === true);
    });
  });
}

/** Estimates the height of a section on one page, points, without what stands free below its last table. */
export function estimateSectionHeight(sheet: Sheet, { blocks, small = false }: Section): number {
  return blocks.reduce((sum, block, index) => {
    if (block.kind === 'heading') return sum + SUBTITLE;
    if (block.kind === 'table')
      return (
        sum +
        measureTableHeight(sheet, block.columns, block.rows, { small }) +
        (index < blocks.length - 1 ? BELOW_TABLE : 0)
      );
    if (block.kind === 'figures') return sum;
    const style = small && !block.tone ? STYLE.fine : TONES[block.tone ?? 'plain'];
    return sum + sheet.text.measureHeight(sheet.text.lines(block.text, style, sheet.width), style) + 4;
  }, TITLE);
}

/** Height of a title and of a heading below it with what stands free around them, points. */
const TITLE = 40;
const SUBTITLE = 22;
const BELOW_TABLE = 8;

function drawBlock(
  sheet: Sheet,
  parent: StructElement,
  block: Block,
  following: readonly Block[],
  small: boolean,
): void {
  if (block.kind === 'heading')
    sheet.heading(parent, block.text, 2, measureKeptHeight(sheet, following, small));
  else if (block.kind === 'paragraph')
    sheet.paragraph(parent, block.text, small && !block.tone ? STYLE.fine : TONES[block.tone ?? 'plain'], {
      after: block.tone === 'item' ? 1 : block.tone ? 3 : small ? 3.5 : 5,
    });
  else if (block.kind === 'table')
    drawTable(sheet, parent, block.columns, block.rows, { small, kept: noteHeight(sheet, following) });
}

/**
 * Returns the height that belongs with a heading, points: what leads to the next table, and a short table whole with
 * its note.
 */
function measureKeptHeight(sheet: Sheet, following: readonly Block[], small: boolean): number {
  let height = 0;
  for (const [index, block] of following.entries()) {
    if (block.kind === 'heading') height += 20;
    else if (block.kind === 'paragraph') height += measureParagraph(sheet, block.text);
    else if (block.kind === 'table') {
      const note = noteHeight(sheet, following.slice(index + 1));
      return Math.min(
        MOST_KEPT,
        height + measureTableHeight(sheet, block.columns, block.rows, { small }) + note,
      );
    }
    if (height > 60) break;
  }
  return Math.min(MOST_KEPT, height);
}

/** Returns the height of a soft paragraph that follows a table and stays with its last row, points; else 0. */
function noteHeight(sheet: Sheet, [next]: readonly Block[]): number {
  return next?.kind === 'paragraph' && next.tone === 'soft' ? 8 + measureParagraph(sheet, next.text) : 0;
}

function measureParagraph(sheet: Sheet, text: string): number {
  return sheet.text.measureHeight(sheet.text.lines(text, STYLE.body, sheet.width), STYLE.body) + 5;
}
