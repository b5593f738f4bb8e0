import { Chalk, type ColorSupportLevel } from 'chalk';
import { CHANGES, type Change } from '../../domain/judge/compare.ts';
import type { Comparison } from '../../engine/compare/comparison.ts';
import { CHANGE_WORDS, differenceSentences, sideWords } from '../../report/compare/comparison-words.ts';
import { verdictWords } from '../../report/headline.ts';
import { damageWords, partWords } from '../../report/words.ts';
import { wrapped } from '../terminal/wrapped.ts';
import { plainTable } from './plain-table.ts';

const COLOUR = {
  new: 'red',
  worse: 'yellow',
  unchanged: 'white',
  repaired: 'green',
  not_comparable: 'gray',
} as const satisfies Record<Change, string>;

/** Renders the comparison for a terminal: one line of counts, then a row per damage; readable without colour. */
export function comparisonTable(comparison: Comparison, colour: ColorSupportLevel, columns: number): string {
  const { before, after, pairs, counts } = comparison;
  const chalk = new Chalk({ level: colour });
  const summary = CHANGES.filter((change) => counts[change] > 0).map(
    (change) => `${counts[change]} ${CHANGE_WORDS[change].toLowerCase()}`,
  );
  const grades = [before, after].map(({ data }) => (data.results ? verdictWords(data.results) : '–'));
  const head = wrapped(
    `${after.data.vehicle_id}: ${summary.join(', ') || 'no damage before or after'}. Condition: ${grades[0]} → ${grades[1]}.`,
    columns,
  );
  const caution = differenceSentences(comparison).map(
    (sentence) => `${chalk.yellow(wrapped(sentence, columns))}\n`,
  );
  const top = [`${head}\n`, ...caution].join('');
  if (pairs.length === 0) return top;
  const rows = pairs.flatMap((pair) => {
    const damage = (pair.after ?? pair.before)?.damage;
    if (!damage) return [];
    return [
      [
        chalk[COLOUR[pair.change]](CHANGE_WORDS[pair.change]),
        partWords(damage.location.part),
        damageWords(damage.type, damage.subtype).toLowerCase(),
        sideWords(pair, 'before'),
        sideWords(pair, 'after'),
      ],
    ];
  });
  return `${top}\n${plainTable(['change', 'part', 'damage', 'before', 'after'], rows, { chalk, columns, wrap: ['part', 'damage', 'before', 'after'] })}\n`;
}
