import type { PartName } from '../../domain/parts.ts';
import { type DamageRow, formatFindingNumber } from '../finding-rows.ts';
import { describePart } from '../words.ts';
import { isPlaced, listNotDrawn, type PartMark, type Plan } from './plan.ts';

/** Explains the plan's hatching and question marks, and lists the findings that it does not show. */
export function explainPlan(
  rows: readonly Pick<DamageRow, 'number' | 'toCheck' | 'uncertain'>[],
  { marks, unseen }: Pick<Plan, 'marks' | 'unseen'>,
): readonly string[] {
  const undrawn = listNotDrawn(marks).map(
    ([part, mark]) => `${describePart(part)} (no. ${listFindingNumbers(mark).join(', ')})`,
  );
  const unplaced = rows.filter((row) => !isPlaced(row)).map(formatFindingNumber);
  return [
    ...(unseen.size > 0 ? ['Hatched on the plan: not seen well enough to judge.'] : []),
    ...(rows.some(({ toCheck }) => toCheck)
      ? ['A number with a question mark is a place to check, not in the total.']
      : []),
    ...(unplaced.length > 0 ? [describeUnplaced(unplaced)] : []),
    ...(undrawn.length > 0 ? [`Not on the plan: ${undrawn.join('; ')}.`] : []),
  ];
}

/** Lists the finding numbers of a part, those to check with a question mark. */
const listFindingNumbers = ({ numbers, toCheck = [] }: PartMark): readonly string[] => [
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
export function describeUnplaced(numbers: readonly (string | number)[]): string {
  return `Not on the plan: no. ${numbers.join(', ')}; the close-up leaves open where on the vehicle it is.`;
}

/** Describes the plan as a text alternative. */
export function describePlan(marks: ReadonlyMap<PartName, PartMark>, unseen: ReadonlySet<PartName>): string {
  const damaged = [...marks].flatMap(([part, { severity, numbers }]) =>
    severity ? [`${describePart(part)}: ${severity} (no. ${numbers.join(', ')})`] : [],
  );
  const toCheck = [...marks].flatMap(([part, { toCheck: numbers = [] }]) =>
    numbers.length > 0 ? [`${describePart(part)} (no. ${numbers.join(', ')})`] : [],
  );
  return [
    'Plan of the vehicle.',
    ...(damaged.length > 0 ? [`Damaged: ${damaged.join('; ')}.`] : []),
    ...(toCheck.length > 0 ? [`To check: ${toCheck.join('; ')}.`] : []),
    ...(unseen.size > 0
      ? [`Not seen well enough: ${[...unseen].map((part) => describePart(part)).join('; ')}.`]
      : []),
  ].join(' ');
}
