import type { Result } from '../../contract/result.ts';
import type { Severity } from '../../domain/damage.ts';
import { chooseWorse } from '../../domain/judge/severity.ts';
import type { PartName } from '../../domain/parts.ts';
import type { DamageRow } from '../input.ts';
import {
  mirrorPart,
  type PlanShape,
  SIDE_SHAPES,
  SIDE_SIZE,
  TOP_CENTRE_SHAPES,
  TOP_HALF_SHAPES,
  TOP_SIZE,
} from './shapes.ts';

/** One shape ready to draw: the path in its own frame, and the matrix [a b c d e f] that puts it into the view. */
interface PlacedShape extends PlanShape {
  readonly matrix: readonly [number, number, number, number, number, number];
}

export interface PlanView {
  readonly name: 'left' | 'top' | 'right';
  readonly title: string;
  /** Plan units. */
  readonly size: { readonly width: number; readonly height: number };
  readonly shapes: readonly PlacedShape[];
}

const IDENTITY = [1, 0, 0, 1, 0, 0] as const;

/** The three views, each in plan units with origin top-left. */
export const PLAN_VIEWS: readonly PlanView[] = [
  { name: 'left', title: 'Left side', size: SIDE_SIZE, shapes: place(SIDE_SHAPES) },
  {
    name: 'top',
    title: 'From above (left side below)',
    size: TOP_SIZE,
    shapes: [
      ...place(TOP_HALF_SHAPES),
      ...mirror(TOP_HALF_SHAPES, [1, 0, 0, -1, 0, TOP_SIZE.height]),
      ...place(TOP_CENTRE_SHAPES),
    ],
  },
  {
    name: 'right',
    title: 'Right side',
    size: SIDE_SIZE,
    shapes: mirror(SIDE_SHAPES, [-1, 0, 0, 1, SIDE_SIZE.width, 0]),
  },
];

function place(shapes: readonly PlanShape[]): PlacedShape[] {
  return shapes.map((shape) => ({ ...shape, matrix: IDENTITY }));
}

function mirror(shapes: readonly PlanShape[], matrix: PlacedShape['matrix']): PlacedShape[] {
  return shapes.map((shape) => {
    const turned = { ...shape, part: mirrorPart(shape.part), matrix };
    if (!shape.at) return turned;
    const [a, , , d, e, f] = matrix;
    return { ...turned, at: [shape.at[0] * a + e, shape.at[1] * d + f] as const };
  });
}

/** What the plan shows of one part: its worst severity and the numbers of its finds. */
export interface PartMark {
  /** Null where there are only places to check. */
  readonly severity: Severity | null;
  readonly numbers: readonly number[];
  /** Numbers of its places to check. */
  readonly toCheck?: readonly number[] | undefined;
}

/** Returns whether it is known where on the vehicle a find is: a close-up may leave front or rear, left or right open. */
export function isPlaced({ uncertain }: Pick<DamageRow, 'uncertain'>): boolean {
  return uncertain === undefined || uncertain === 'part';
}

/**
 * Returns the parts with finds that are placed: their worst severity, the numbers of their damages and of their places to
 * check.
 */
export function listPartMarks(rows: readonly DamageRow[]): ReadonlyMap<PartName, PartMark> {
  const marks = new Map<PartName, PartMark>();
  for (const { part, severity, number, toCheck } of rows.filter(isPlaced)) {
    const known = marks.get(part) ?? { severity: null, numbers: [], toCheck: [] };
    const mark = toCheck
      ? { ...known, toCheck: [...(known.toCheck ?? []), number] }
      : {
          ...known,
          severity: known.severity ? chooseWorse(known.severity, severity) : severity,
          numbers: [...known.numbers, number],
        };
    marks.set(part, mark);
  }
  return marks;
}

/**
 * Returns the parts that the photos do not show well enough to judge them: all of those drawn where an inspection has no
 * results. Fog lights are judged with the bumper they are in.
 */
export function listUnseenParts({ inspection }: Result): ReadonlySet<PartName> {
  if (inspection?.data.results === null) return DRAWN;
  const parts = inspection?.data.results.coverage.parts ?? [];
  const unseen = new Set(parts.filter(({ status }) => status !== 'seen').map(({ part }) => part));
  if (unseen.has('front_bumper')) unseen.add('fog_light_left').add('fog_light_right');
  return unseen;
}

const DRAWN: ReadonlySet<PartName> = new Set(
  PLAN_VIEWS.flatMap(({ shapes }) => shapes.flatMap(({ part }) => part ?? [])),
);

/** Returns damaged parts that the drawing does not have (mechanical ones), to be listed next to it. */
export function listNotDrawn(marks: ReadonlyMap<PartName, PartMark>): readonly PartName[] {
  return [...marks.keys()].filter((part) => !DRAWN.has(part));
}

/** Returns the numbers as they fit on a part, those to check with a question mark: `3`, `3, 7?`, `3, 7 +5`. */
export function writeNumbersLabel({ numbers: certain, toCheck = [] }: PartMark): string {
  const numbers = [...certain.map(String), ...toCheck.map((number) => `${number}?`)];
  const shown = numbers.slice(0, 2).join(', ');
  return numbers.length > 2 ? `${shown} +${numbers.length - 2}` : shown;
}

/** Says which finds the plan does not show, by their numbers as they are written. */
export function describeUnplaced(numbers: readonly (string | number)[]): string {
  return `Not on the plan: no. ${numbers.join(', ')}; the close-up leaves open where on the vehicle it is.`;
}

/** Describes the plan in words, for those who cannot see it. */
export function describePlan(
  marks: ReadonlyMap<PartName, PartMark>,
  unseen: ReadonlySet<PartName>,
  words: (part: PartName) => string,
): string {
  const damaged = [...marks].flatMap(([part, { severity, numbers }]) =>
    severity ? [`${words(part)}: ${severity} (no. ${numbers.join(', ')})`] : [],
  );
  const toCheck = [...marks].flatMap(([part, { toCheck: numbers = [] }]) =>
    numbers.length > 0 ? [`${words(part)} (no. ${numbers.join(', ')})`] : [],
  );
  return [
    'Plan of the vehicle.',
    ...(damaged.length > 0 ? [`Damaged: ${damaged.join('; ')}.`] : []),
    ...(toCheck.length > 0 ? [`To check: ${toCheck.join('; ')}.`] : []),
    ...(unseen.size > 0 ? [`Not seen well enough: ${[...unseen].map(words).join('; ')}.`] : []),
  ].join(' ');
}
