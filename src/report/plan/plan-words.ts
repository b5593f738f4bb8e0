import type { PartName } from '../../domain/parts.ts';
import { compact } from '../../lib/lists.ts';
import { formatFindingNumber } from '../figures.ts';
import type { DamageRow } from '../finding-rows.ts';
import { english, joinItems } from '../translator.ts';
import { describePart } from '../words.ts';
import { DRAWN_PARTS, isPlaced, type PartMark, type Plan } from './plan.ts';

/** Explains the plan's hatching and question marks, and lists the findings that it does not show. */
export function explainPlan(
  rows: readonly Pick<DamageRow, 'number' | 'toCheck' | 'uncertain'>[],
  { marks, unseen }: Pick<Plan, 'marks' | 'unseen'>,
  t = english,
): readonly string[] {
  const undrawn = [...marks]
    .filter(([part]) => !DRAWN_PARTS.has(part))
    .map(([part, mark]) => `${describePart(part, t)} (${t`no. ${listFindingNumbers(mark).join(', ')}`})`);
  const unplaced = rows.filter((row) => !isPlaced(row)).map(formatFindingNumber);
  return compact([
    unseen.size > 0 && t`Hatched on the plan: not seen well enough to judge.`,
    rows.some(({ toCheck }) => toCheck) &&
      t`A number with a question mark is a place to check, not in the total.`,
    unplaced.length > 0 && describeUnplaced(unplaced, t),
    undrawn.length > 0 && t`Not on the plan: ${joinItems(undrawn, t)}.`,
  ]);
}

/** Lists the finding numbers of a part, those to check with a question mark. */
const listFindingNumbers = ({ numbers, toCheck }: PartMark): readonly string[] => [
  ...numbers.map(String),
  ...toCheck.map((number) => formatFindingNumber({ number, toCheck: true })),
];

/** Formats the numbers that fit on a part, those to check with a question mark: `3`, `3, 7?`, `3, 7 +5`. */
export function writeNumbersLabel(mark: PartMark): string {
  const numbers = listFindingNumbers(mark);
  const shown = numbers.slice(0, 2).join(', ');
  return numbers.length > 2 ? `${shown} +${numbers.length - 2}` : shown;
}

/** Formats the sentence that lists findings missing from the plan by number. */
export function describeUnplaced(numbers: readonly (string | number)[], t = english): string {
  return t`Not on the plan: no. ${numbers.join(', ')}; the close-up leaves open where on the vehicle it is.`;
}

export function describePlan({ marks, unseen }: Pick<Plan, 'marks' | 'unseen'>, t = english): string {
  const name = (part: PartName) => describePart(part, t);
  const damaged = [...marks].flatMap(([part, { severity, numbers }]) =>
    severity ? [t`${name(part)}: ${`${t.word(severity)} (${t`no. ${numbers.join(', ')}`})`}`] : [],
  );
  const toCheck = [...marks].flatMap(([part, { toCheck: numbers }]) =>
    numbers.length > 0 ? [`${name(part)} (${t`no. ${numbers.join(', ')}`})`] : [],
  );
  return compact([
    t`Plan of the vehicle.`,
    damaged.length > 0 && t`Damaged: ${joinItems(damaged, t)}.`,
    toCheck.length > 0 && t`To check: ${joinItems(toCheck, t)}.`,
    unseen.size > 0 && t`Not seen well enough: ${joinItems([...unseen].map(name), t)}.`,
  ]).join(' ');
}
