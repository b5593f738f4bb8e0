import type { Block, Section, Tone } from '../content/blocks.ts';
import { computeViewHeight, drawView } from './draw-plan.ts';
import { drawPair, measurePair } from './sections/pair.ts';
import { drawPictures, measurePictures } from './sections/pictures.ts';
import { drawShots, measureFirstShot } from './sections/shots.ts';
import { drawFacts, drawFigures, drawForm, measureForm } from './sections/small-blocks.ts';
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

/** Selects the style of a paragraph; small type applies only to paragraphs without emphasis. */
function chooseStyle(tone: Tone | undefined, small: boolean): TextStyle {
  if (small && tone === undefined) return STYLE.fine;
  return small && tone === 'soft' ? STYLE.label : TONES[tone ?? 'plain'];
}

/** Maximum height kept together with a heading, in points. */
const MAX_KEPT_HEIGHT = 260;
/** Minimum space for the first rows of a longer table to start on the page, in points. */
const MIN_START_HEIGHT = 110;

/** Layout options of a block. */
interface BlockLayout {
  /** Width in points; default: width of the page. */
  readonly width?: number;
  readonly small?: boolean;
  /** Maximum height in points; default: the remaining space on the page. */
  readonly maxHeight?: number;
  /** Blocks after this one. */
  readonly following?: readonly Block[];
}

/**
 * Draws a section: its title, then its blocks. The title keeps at most `maxKept` points of them on its page. Pictures
 * leave `after` points below them if possible.
 */
export function drawSection(sheet: Sheet, section: Section, maxKept = MAX_KEPT_HEIGHT, after = 0): void {
  const { title, blocks, small = false } = section;
  const [only] = blocks;
  // Keeps photos together that fit on the next page but not on this one.
  if (only?.kind === 'pictures' && measureTitle(title) + measureMinHeight(sheet, only) <= sheet.contentHeight)
    sheet.need(measureTitle(title) + measureMinHeight(sheet, only));
  sheet.group(sheet.root, 'Sect', (element) => {
    if (title !== '') {
      const kept = measureKeptHeight(sheet, blocks, small);
      sheet.heading(element, title, 1, only?.kind === 'shots' ? kept : Math.min(maxKept, kept));
    }
    blocks.forEach((block, index) => {
      const maxHeight = sheet.bottom - sheet.y - after;
      drawBlock(sheet, element, block, { following: blocks.slice(index + 1), small, maxHeight });
    });
  });
}

/** Draws a page with a section anchored at the bottom; blocks that can shrink get the remaining space. */
export function drawFittedPage(
  sheet: Sheet,
  drawTop: (element: StructElement) => void,
  page: Section,
  footer: Section,
) {
  const footHeight =
    measureTitle(footer.title) + footer.blocks.reduce((sum, one) => sum + measureMinHeight(sheet, one), 0);
  sheet.group(sheet.root, 'Sect', (element) => {
    drawTop(element);
    page.blocks.forEach((block, index) => {
      const below = page.blocks
        .slice(index + 1)
        .reduce((sum, one) => sum + measureMinHeight(sheet, one, true), 0);
      drawBlock(sheet, element, block, {
        small: true,
        maxHeight: sheet.bottom - footHeight - sheet.y - below,
      });
    });
  });
  sheet.y = Math.max(sheet.y, sheet.bottom - footHeight);
  drawSection(sheet, footer);
  sheet.newPage();
}

/** Estimates the height of a section on one page in points, without the spacing below its last table. */
export function estimateSectionHeight(sheet: Sheet, { title, blocks, small = false }: Section): number {
  return blocks.reduce((sum, block, index) => {
    const isLast = index === blocks.length - 1;
    return sum + measureMinHeight(sheet, block, small) - (block.kind === 'table' && isLast ? BELOW_TABLE : 0);
  }, measureTitle(title));
}

/** Height of a title including its spacing, in points. */
const measureTitle = (title: string) => (title === '' ? 0 : 40);
const BELOW_TABLE = 8;

/** Returns the minimum height of a full-width block in points. */
function measureMinHeight(sheet: Sheet, block: Block, small = false): number {
  switch (block.kind) {
    case 'heading':
      return 22;
    case 'paragraph':
      return measureParagraph(sheet, block.text, chooseStyle(block.tone, small));
    case 'table':
      return measureTableHeight(sheet, block.columns, block.rows, { small }) + BELOW_TABLE;
    case 'pictures':
      return measurePictures(sheet, block).minHeight;
    case 'shots':
      return measureFirstShot(sheet, block.shots);
    case 'pair':
      return measurePair(sheet, block.sides);
    case 'form':
      return measureForm(block);
    case 'figures':
    case 'facts':
    case 'beside_plan':
      return 0;
  }
}

function drawBlock(sheet: Sheet, parent: StructElement, block: Block, layout: BlockLayout): void {
  const { small = false, following = [], maxHeight = sheet.bottom - sheet.y, width = sheet.width } = layout;
  switch (block.kind) {
    case 'heading':
      sheet.heading(parent, block.text, 2, measureKeptHeight(sheet, following, small));
      break;
    case 'paragraph':
      sheet.paragraph(parent, block.text, chooseStyle(block.tone, small), {
        after: block.tone === 'item' ? 1 : block.tone ? 3 : small ? 3.5 : 5,
        width,
      });
      break;
    case 'table': {
      const fits = (rows: number) => {
        const folded = block.fold?.(rows) ?? block;
        return (
          measureTableHeight(sheet, folded.columns, folded.rows, { small, width }) + BELOW_TABLE <= maxHeight
        );
      };
      const counts = block.fold ? [...block.rows.keys()].toReversed() : [];
      const table = block.fold && !fits(block.rows.length) ? block.fold(counts.find(fits) ?? 0) : block;
      drawTable(sheet, parent, table.columns, table.rows, {
        small,
        width,
        kept: measureNote(sheet, following),
      });
      break;
    }
    case 'figures':
      drawFigures(sheet, parent, block.figures);
      break;
    case 'facts':
      drawFacts(sheet, parent, block.facts);
      break;
    case 'beside_plan':
      drawBesidePlan(sheet, parent, block, maxHeight);
      break;
    case 'pictures':
      drawPictures(sheet, parent, block, [maxHeight, sheet.bottom - sheet.y]);
      break;
    case 'shots':
      drawShots(sheet, parent, block.shots);
      break;
    case 'pair':
      drawPair(sheet, parent, block.sides);
      break;
    case 'form':
      drawForm(sheet, parent, block);
      break;
  }
}

/** Width of the plan in points. */
const PLAN_WIDTH = 176;
const GAP = 12;

/** Draws blocks with the views of the plan stacked at their right. */
function drawBesidePlan(
  sheet: Sheet,
  parent: StructElement,
  { blocks, plan }: Extract<Block, { kind: 'beside_plan' }>,
  maxHeight: number,
): void {
  const top = sheet.y;
  const width = plan ? sheet.width - PLAN_WIDTH - GAP : sheet.width;
  for (const block of blocks)
    drawBlock(sheet, parent, block, { width, small: true, maxHeight: maxHeight - (sheet.y - top) });
  const views = plan?.views ?? [];
  const step = (view: (typeof views)[number]) => computeViewHeight(view, PLAN_WIDTH) + 2;
  const draw = () => {
    let at = top;
    for (const view of views) {
      if (plan) drawView(sheet, view, plan, { x: sheet.right - PLAN_WIDTH, y: at, width: PLAN_WIDTH });
      at += step(view);
    }
  };
  if (plan) sheet.mark(parent, 'Figure', draw, { alt: plan.words });
  sheet.y = Math.max(sheet.y, top + views.reduce((sum, view) => sum + step(view), 0)) + 4;
}

/** Computes the height kept with a heading in points, up to the next table; a short table counts with its note. */
function measureKeptHeight(sheet: Sheet, following: readonly Block[], small: boolean): number {
  let height = 0;
  for (const [index, block] of following.entries()) {
    if (block.kind === 'pictures') return height + measurePictures(sheet, block).firstRow;
    if (block.kind === 'shots' || block.kind === 'pair' || block.kind === 'form')
      return height + measureMinHeight(sheet, block);
    if (block.kind === 'heading') height += 20;
    else if (block.kind === 'paragraph') height += measureParagraph(sheet, block.text);
    else if (block.kind === 'table') {
      const note = measureNote(sheet, following.slice(index + 1));
      const total = height + measureTableHeight(sheet, block.columns, block.rows, { small }) + note;
      return total <= MAX_KEPT_HEIGHT ? total : height + MIN_START_HEIGHT;
    }
    if (height > 60) break;
  }
  return Math.min(MAX_KEPT_HEIGHT, height);
}

/** Returns the height of a soft paragraph after a table, kept with the table's last row, in points; 0 without one. */
function measureNote(sheet: Sheet, [next]: readonly Block[]): number {
  return next?.kind === 'paragraph' && next.tone === 'soft' ? 8 + measureParagraph(sheet, next.text) : 0;
}

function measureParagraph(sheet: Sheet, text: string, style: TextStyle = STYLE.body): number {
  return sheet.text.measureHeight(sheet.text.lines(text, style, sheet.width), style) + 5;
}
