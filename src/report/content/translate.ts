import type { Block, Section, Table } from './blocks.ts';
import type { TradeWords } from './trade-words.ts';

/** Adds the translation to titles, column headings, cells and labels; notes are translated only. */
export function translateSection(section: Section, trade: TradeWords): Section {
  if (trade.language === undefined) return section;
  const { title, blocks } = section;
  return {
    ...section,
    title: trade.bilingual(title),
    blocks: blocks.map((block) => translate(block, trade)),
  };
}

function translate(block: Block, trade: TradeWords): Block {
  const { bilingual } = trade;
  switch (block.kind) {
    case 'heading':
      return { ...block, text: bilingual(block.text) };
    case 'table':
      return translateTable(block, trade);
    case 'figures':
      return { ...block, figures: block.figures.map((one) => ({ ...one, label: bilingual(one.label) })) };
    case 'beside_plan':
      return { ...block, blocks: block.blocks.map((one) => translate(one, trade)) };
    case 'form': {
      const [remarks, name, date, signature] = block.lines;
      return {
        ...block,
        boxes: block.boxes.map(bilingual),
        lines: [bilingual(remarks), bilingual(name), bilingual(date), bilingual(signature)],
      };
    }
    default:
      return block;
  }
}

function translateTable({ fold, ...table }: Table, trade: TradeWords): Table {
  return {
    ...table,
    columns: table.columns.map((column) => ({ ...column, title: trade.bilingual(column.title) })),
    rows: table.rows.map((row) => ({
      ...row,
      cells: row.cells.map((cell) => (typeof cell === 'string' ? trade.bilingual(cell) : cell)),
      ...(row.note === undefined ? {} : { note: trade.note(row.note) }),
    })),
    ...(fold ? { fold: (rows: number) => translateTable(fold(rows), trade) } : {}),
  };
}
