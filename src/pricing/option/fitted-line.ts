import type { Line, PlanPart } from './repair-plan.ts';

/** A line with the part that it fits, whose price it carries. */
export interface FittedLine extends Line {
  readonly fitted: PlanPart | undefined;
}

const FITTING: readonly Line['operation'][] = ['R&R', 'Sect'];

/** Returns lines, each with the part that it fits: consumables and sublet work are fitted by none, a part by one. */
export function fitParts(lines: readonly Line[], parts: readonly PlanPart[]): readonly FittedLine[] {
  const left = new Set(parts.filter(({ type }) => type !== 'consumable' && type !== 'sublet'));
  return lines.map((line) => {
    const fitted = FITTING.includes(line.operation)
      ? [...left].find(({ part }) => part === line.part)
      : undefined;
    if (fitted !== undefined) left.delete(fitted);
    return { ...line, fitted };
  });
}
