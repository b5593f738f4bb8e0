import type { Fact } from '../facts.ts';
import type { Plan } from '../plan/plan.ts';
import type { Say as Writer } from '../say.ts';
import type { Block, Cell, Choice, FindingRef, Row, Section, Shot, ShownPicture, Table } from './blocks.ts';

type Say = Writer['parse'];

/** Translates all texts of a section; names and codes stay. */
export function translateSection(section: Section, { code, parse: say }: Writer): Section {
  if (code === 'en') return section;
  return { ...section, title: say(section.title), blocks: section.blocks.map((one) => translate(one, say)) };
}

/** Facts whose value is free text of the caller. */
const FREE_TEXT: ReadonlySet<string> = new Set([
  'Claim',
  'Policy',
  'Insured',
  'Inspector',
  'Vehicle',
  'Plate',
]);

/** Translates a labelled fact; values that the caller gave as text stay. */
const translateFact = ([label, value]: Fact, say: Say): Fact => [
  say(label),
  FREE_TEXT.has(label) ? value : say(value),
];

function translate(block: Block, say: Say): Block {
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
      return { ...block, text: say(block.text) };
    case 'table':
      return translateTable(block, say);
    case 'figures':
      return {
        ...block,
        figures: block.figures.map(({ label, value, note, ...one }) => ({
          ...one,
          label: say(label),
          value: say(value),
          note: say(note),
        })),
      };
    case 'facts':
      return { ...block, facts: block.facts.map((fact) => translateFact(fact, say)) };
    case 'beside_plan':
      return {
        ...block,
        blocks: block.blocks.map((one) => translate(one, say)),
        plan: block.plan && translatePlan(block.plan, say),
      };
    case 'pictures': {
      const { title, pictures } = block;
      return {
        ...block,
        ...(title === undefined ? {} : { title: say(title) }),
        pictures: pictures.map((one) => translatePicture(one, say)),
      };
    }
    case 'shots':
      return { ...block, shots: block.shots.map((shot) => translateShot(shot, say)) };
    case 'pair':
      return {
        ...block,
        sides: block.sides.map((side) => ({ ...side, caption: say(side.caption) })),
        ...(block.choice ? { choice: translateChoice(block.choice, say) } : {}),
      };
    case 'form': {
      const [remarks, name, date, signature] = block.lines;
      return {
        ...block,
        boxes: block.boxes.map(say),
        lines: [say(remarks), say(name), say(date), say(signature)],
      };
    }
  }
}

const translateShot = ({ cards, notes, alt, caption, ...shot }: Shot, say: Say): Shot => ({
  ...shot,
  alt: say(alt),
  caption: say(caption),
  notes: notes.map(say),
  cards: cards.map(({ finding, title, closeUp, facts }) => ({
    finding: translateFinding(finding, say),
    title: say(title),
    closeUp: translatePicture(closeUp, say),
    facts: facts.map(say),
  })),
});

const translatePlan = ({ views, words, ...plan }: Plan, say: Say): Plan => ({
  ...plan,
  views: views.map((view) => ({ ...view, title: say(view.title) })),
  words: say(words),
});

const translatePicture = (shown: ShownPicture, say: Say): ShownPicture => ({
  ...shown,
  alt: say(shown.alt),
  caption: say(shown.caption),
  missing: say(shown.missing),
});

const translateFinding = (finding: FindingRef, say: Say): FindingRef => ({
  ...finding,
  label: say(finding.label),
});

function translateCell(cell: Cell, say: Say): Cell {
  if (typeof cell === 'string') return say(cell);
  return 'severity' in cell ? { ...cell, label: say(cell.label) } : cell;
}

function translateRow({ cells, note, finding, ...row }: Row, say: Say): Row {
  return {
    ...row,
    cells: cells.map((cell) => translateCell(cell, say)),
    ...(note === undefined ? {} : { note: say(note) }),
    ...(finding === undefined ? {} : { finding: translateFinding(finding, say) }),
  };
}

function translateTable(table: Table, say: Say): Table {
  return {
    ...table,
    columns: table.columns.map((column) => ({ ...column, title: say(column.title) })),
    rows: table.rows.map((row) => translateRow(row, say)),
  };
}

function translateChoice(choice: Choice, say: Say): Choice {
  return { ...choice, options: choice.options.map((option) => ({ ...option, label: say(option.label) })) };
}
