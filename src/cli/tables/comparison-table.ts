import { Chalk, type ColorSupportLevel } from 'chalk';
import { CHANGES, type Change } from '../../domain/judge/compare.ts';
import type { Comparison } from '../../engine/compare/comparison.ts';
import {
  CHANGE_WORDS,
  describeSighting,
  listCautions,
  NO_CERTAIN_DAMAGE,
} from '../../report/compare/comparison-words.ts';
import { describeVerdict } from '../../report/headline.ts';
import { describeDamage, describeFindPart } from '../../report/words.ts';
import { wrapText } from '../terminal/wrapped.ts';
import { renderPlainTable } from './plain-table.ts';

const COLOUR = {
  new: 'red',
  worse: 'yellow',
  unchanged: 'white',
  repaired: 'green',
  not_comparable: 'gray',
} as const satisfies Record<Change, string>;

/** Renders the comparison for a terminal: one line of counts, then a row per damage; readable without colour. */
export function renderComparisonTable(
  comparison: Comparison,
  colour: ColorSupportLevel,
  columns: number,
): string {
  const { before, after, pairs, counts } = comparison;
  const chalk = new Chalk({ level: colour });
  const summary = CHANGES.filter((change) => counts[change] > 0).map(
    (change) => `${counts[change]} ${CHANGE_WORDS[change].toLowerCase()}`,
  );
  const grades = [before, after].map(({ data }) => (data.results ? describeVerdict(data.results) : '–'));
  const head = wrapText(
    `${after.data.vehicle_id}: ${summary.join(', ') || NO_CERTAIN_DAMAGE}. Condition: ${grades[0]} → ${grades[1]}.`,
    columns,
  );
  const caution = listCautions(comparison).map(
    (sentence) => `${chalk.yellow(wrapText(sentence, columns))}\n`,
  );
  const top = [`${head}\n`, ...caution].join('');
  if (pairs.length === 0) return top;
  const rows = pairs.flatMap((pair) => {
    const damage = (pair.after ?? pair.before)?.damage;
    if (!damage) return [];
    return [
      [
        chalk[COLOUR[pair.change]](CHANGE_WORDS[pair.change]),
        describeFindPart(damage.location),
        describeDamage(damage.type, damage.subtype).toLowerCase(),
        describeSighting(pair, 'before'),
        describeSighting(pair, 'after'),
      ],
    ];
  });
  return `${top}\n${renderPlainTable(['change', 'part', 'damage', 'before', 'after'], rows, { chalk, columns, wrap: ['part', 'damage', 'before', 'after'] })}\n`;
}
