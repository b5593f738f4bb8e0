import type { Block, Section, Tone } from '../content/blocks.ts';
import { computeViewHeight, drawView } from './draw-plan.ts';
import { drawPair } from './sections/pair.ts';
import { drawPictures, takeFirstRow } from './sections/pictures.ts';
import { drawShots } from './sections/shots.ts';
import { drawFacts, drawFigures, drawForm } from './sections/small-blocks.ts';
import type { Sheet, StructElement } from './sheet.ts';
import { drawTable } from './table.ts';
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

/** Maximum height kept on a page with its heading, in points; of a longer table, only the first rows are kept. */
const MAX_KEPT_HEIGHT = 120;
const FIRST_ROWS = 4;
/** Height of text that satisfies a heading's need for content below it, in points. */
const ENOUGH_TEXT = 60;

interface BlockLayout {
  /** Width in points; default: width of the page. */
  readonly width?: number;
  readonly small?: boolean;
  readonly following?: readonly Block[];
}

/** Draws a section: its title, with the start of the first block on its page, then its blocks. */
export function drawSection(sheet: Sheet, { title, blocks, small = false }: Section): void {
  sheet.group(sheet.root, 'Sect', (element) => {
    if (title !== '') sheet.heading(element, title, 1, measureStart(sheet, element, blocks, small));
    blocks.forEach((block, index) => {
      drawBlock(sheet, element, block, { following: blocks.slice(index + 1), small });
    });
  });
}

/** Draws the first page: a title, a section, and another section at its foot. Omits pictures that do not fit. */
export function drawFirstPage(
  sheet: Sheet,
  drawTop: (element: StructElement) => void,
  page: Section,
  footer: Section,
): void {
  sheet.group(sheet.root, 'Sect', (element) => {
    drawTop(element);
    const draw = (block: Block) => drawBlock(sheet, element, block, { small: true });
    const bottom = sheet.bottom - sheet.measure(() => drawSection(sheet, footer));
    page.blocks.forEach((block, index) => {
      const rest = page.blocks.slice(index + 1).filter(({ kind }) => kind !== 'pictures');
      const height = sheet.measure(() => [block, ...rest].forEach(draw));
      if (block.kind !== 'pictures' || sheet.y + height <= bottom) draw(block);
    });
    sheet.y = Math.max(sheet.y, bottom);
  });
  drawSection(sheet, footer);
  sheet.newPage();
}

/** Measures the content kept on the page of a heading, in points: text, or the start of the first other block. */
function measureStart(sheet: Sheet, parent: StructElement, blocks: readonly Block[], small: boolean): number {
  const measure = (block: Block) => sheet.measure(() => drawBlock(sheet, parent, block, { small }));
  let height = 0;
  for (const block of blocks) {
    const whole = measure(block);
    const isText = block.kind === 'paragraph' || block.kind === 'heading';
    const mayStay = block.kind === 'pictures' ? sheet.contentHeight - ENOUGH_TEXT : MAX_KEPT_HEIGHT;
    height += whole <= mayStay ? whole : measure(takeStart(block));
    if (!isText || height > ENOUGH_TEXT) break;
  }
  return height;
}

/** Returns the start of a block that may be broken across pages. */
function takeStart(block: Block): Block {
  switch (block.kind) {
    case 'table':
      return { ...block, rows: block.rows.slice(0, FIRST_ROWS) };
    case 'pictures':
      return takeFirstRow(block);
    case 'shots':
      return { ...block, shots: block.shots.slice(0, 1) };
    default:
      return block;
  }
}

function drawBlock(sheet: Sheet, parent: StructElement, block: Block, layout: BlockLayout): void {
  const { small = false, following = [], width = sheet.width } = layout;
  switch (block.kind) {
    case 'heading':
      sheet.heading(parent, block.text, 2, measureStart(sheet, parent, following, small));
      break;
    case 'paragraph':
      sheet.paragraph(parent, block.text, chooseStyle(block.tone, small), {
        after: block.tone === 'item' ? 1 : block.tone ? 3 : small ? 3.5 : 5,
        width,
      });
      break;
    case 'table':
      drawTable(sheet, parent, block.columns, block.rows, { small, width });
      break;
    case 'figures':
      drawFigures(sheet, parent, block.figures);
      break;
    case 'facts':
      drawFacts(sheet, parent, block.facts);
      break;
    case 'beside_plan':
      drawBesidePlan(sheet, parent, block);
      break;
    case 'pictures':
      drawPictures(sheet, parent, block);
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

/** Draws the views of the plan, stacked at the right, and blocks next to them. */
function drawBesidePlan(
  sheet: Sheet,
  parent: StructElement,
  { blocks, plan }: Extract<Block, { kind: 'beside_plan' }>,
): void {
  const page = sheet.doc.page;
  let bottom = sheet.y;
  if (plan) {
    const placed = plan.views.map((view) => {
      const y = bottom;
      bottom += computeViewHeight(view, PLAN_WIDTH) + 2;
      return { view, at: { x: sheet.right - PLAN_WIDTH, y, width: PLAN_WIDTH } };
    });
    const draw = () => {
      for (const { view, at } of placed) drawView(sheet, view, plan, at);
    };
    sheet.mark(parent, 'Figure', draw, { alt: plan.words });
  }
  const width = plan ? sheet.width - PLAN_WIDTH - GAP : sheet.width;
  for (const block of blocks) drawBlock(sheet, parent, block, { width, small: true });
  if (sheet.doc.page === page) sheet.y = Math.max(sheet.y, bottom) + 4;
}
