import type { InspectionResults } from '../../contract/inspection.ts';
import type { Severity } from '../../domain/damage.ts';
import type { Size } from '../../domain/geometry.ts';
import { chooseWorse } from '../../domain/grading/severity.ts';
import type { PartName } from '../../domain/parts.ts';
import type { DamageRow } from '../finding-rows.ts';
import { english } from '../translator.ts';
import {
  mirrorPart,
  type PlanShape,
  SIDE_SHAPES,
  SIDE_SIZE,
  TOP_CENTER_SHAPES,
  TOP_HALF_SHAPES,
  TOP_SIZE,
} from './shapes.ts';

/** A shape with its path and the affine matrix [a b c d e f] that maps it into the view. */
interface PlacedShape extends PlanShape {
  readonly matrix: readonly [number, number, number, number, number, number];
}

export interface PlanView {
  readonly name: 'left' | 'top' | 'right';
  readonly title: string;
  /** Size in plan units. */
  readonly size: Size;
  readonly shapes: readonly PlacedShape[];
}

const IDENTITY = [1, 0, 0, 1, 0, 0] as const;

/** Returns the three views of a vehicle in plan units, origin at the top left: a schema, the same for every body. */
export function drawViews(t = english): readonly PlanView[] {
  return [
    { name: 'left', title: t`Left side`, size: SIDE_SIZE, shapes: place(SIDE_SHAPES) },
    {
      name: 'top',
      title: t`From above (left side below)`,
      size: TOP_SIZE,
      shapes: [
        ...place(TOP_HALF_SHAPES),
        ...mirror(TOP_HALF_SHAPES, [1, 0, 0, -1, 0, TOP_SIZE.height]),
        ...place(TOP_CENTER_SHAPES),
      ],
    },
    {
      name: 'right',
      title: t`Right side`,
      size: SIDE_SIZE,
      shapes: mirror(SIDE_SHAPES, [-1, 0, 0, 1, SIDE_SIZE.width, 0]),
    },
  ];
}

function place(shapes: readonly PlanShape[]): PlacedShape[] {
  return shapes.map((shape) => ({ ...shape, matrix: IDENTITY }));
}

function mirror(shapes: readonly PlanShape[], matrix: PlacedShape['matrix']): PlacedShape[] {
  return shapes.map((shape) => {
    const mirrored = { ...shape, part: mirrorPart(shape.part), matrix };
    if (!shape.at) return mirrored;
    const [a, , , d, e, f] = matrix;
    return { ...mirrored, at: [shape.at[0] * a + e, shape.at[1] * d + f] as const };
  });
}

/** Mark of a part on the plan: worst severity and finding numbers. */
export interface PartMark {
  /** Null if the part has only places to check. */
  readonly severity: Severity | null;
  readonly numbers: readonly number[];
  /** Numbers of the part's places to check. */
  readonly toCheck: readonly number[];
}

/** Plan of the vehicle with its marks, and a text alternative. */
export interface Plan {
  readonly views: readonly PlanView[];
  readonly marks: ReadonlyMap<PartName, PartMark>;
  readonly unseen: ReadonlySet<PartName>;
  readonly words: string;
}

/** Returns false if a close-up leaves open on which side of the vehicle a finding is. */
export function isPlaced({ uncertain }: Pick<DamageRow, 'uncertain'>): boolean {
  return uncertain !== 'side';
}

/** Groups located findings by part: worst severity, damage numbers, and numbers of places to check. */
export function listPartMarks(
  rows: readonly Pick<DamageRow, 'part' | 'severity' | 'number' | 'toCheck' | 'uncertain'>[],
): ReadonlyMap<PartName, PartMark> {
  const marks = new Map<PartName, PartMark>();
  for (const { part, severity, number, toCheck } of rows.filter(isPlaced)) {
    const known = marks.get(part) ?? { severity: null, numbers: [], toCheck: [] };
    const mark = toCheck
      ? { ...known, toCheck: [...known.toCheck, number] }
      : {
          ...known,
          severity: known.severity ? chooseWorse(known.severity, severity) : severity,
          numbers: [...known.numbers, number],
        };
    marks.set(part, mark);
  }
  return marks;
}

/** Lists the parts not seen well enough: all drawn ones of a failed inspection, none without an inspection. */
export function listUnseenParts(
  results: Pick<InspectionResults, 'coverage'> | null | undefined,
): ReadonlySet<PartName> {
  if (results === null) return DRAWN_PARTS;
  const parts = results?.coverage.parts ?? [];
  const unseen = new Set(parts.filter(({ status }) => status !== 'seen').map(({ part }) => part));
  if (unseen.has('front_bumper')) unseen.add('fog_light_left').add('fog_light_right');
  return unseen;
}

/** Parts that the plan shows: all but the mechanical ones. */
export const DRAWN_PARTS: ReadonlySet<PartName> = new Set(
  drawViews().flatMap(({ shapes }) => shapes.flatMap(({ part }) => part ?? [])),
);
