import { isCounted } from './line.ts';
import type { PricedLine } from './priced-line.ts';

/** A line of an earlier version, in minor units. */
export interface EarlierLine {
  readonly id: string;
  readonly operation: string;
  readonly part: string;
  readonly hoursTenths: number;
  readonly amountMinor: number;
}

/** An earlier version of the estimate, converted to the new version's currency; minor units. */
export interface EarlierEstimate {
  readonly version: string;
  readonly netMinor: number;
  readonly grossMinor: number;
  readonly lines: readonly EarlierLine[];
}

/** Change of one line by a supplement; a line absent from a version has zero hours and amount there. */
interface LineDifference {
  readonly change: 'added' | 'changed' | 'removed';
  readonly id: string;
  readonly operation: string;
  readonly part: string;
  readonly hoursTenths: readonly [before: number, after: number];
  readonly amountMinor: readonly [before: number, after: number];
  readonly differenceMinor: number;
}

/** Changes made by a supplement, per line and in the totals, in minor units. */
export interface EstimateDifference {
  readonly lines: readonly LineDifference[];
  readonly netMinor: number;
  readonly grossMinor: number;
}

/** Compares two versions of an estimate; the line differences add up to the difference of the totals. */
export function compareVersions(
  earlier: EarlierEstimate,
  current: { readonly lines: readonly PricedLine[]; readonly netMinor: number; readonly grossMinor: number },
): EstimateDifference {
  return {
    lines: compareLines(earlier.lines, current.lines.filter(isCounted)),
    netMinor: current.netMinor - earlier.netMinor,
    grossMinor: current.grossMinor - earlier.grossMinor,
  };
}

/** Compares the counted lines by id. */
function compareLines(
  before: readonly EarlierLine[],
  after: readonly EarlierLine[],
): readonly LineDifference[] {
  const [earlier, later] = [before, after].map((lines) => new Map(lines.map((line) => [line.id, line])));
  const compareLine = ({ id, operation, part }: EarlierLine): LineDifference[] => {
    const [previous, current] = [earlier?.get(id), later?.get(id)];
    const hoursTenths = [previous?.hoursTenths ?? 0, current?.hoursTenths ?? 0] as const;
    const amountMinor = [previous?.amountMinor ?? 0, current?.amountMinor ?? 0] as const;
    const isSame = hoursTenths[0] === hoursTenths[1] && amountMinor[0] === amountMinor[1];
    if (previous !== undefined && current !== undefined && isSame) return [];
    const change = previous === undefined ? 'added' : current === undefined ? 'removed' : 'changed';
    const differenceMinor = amountMinor[1] - amountMinor[0];
    return [{ change, id, operation, part, hoursTenths, amountMinor, differenceMinor }];
  };
  return [...after.flatMap(compareLine), ...before.filter(({ id }) => !later?.has(id)).flatMap(compareLine)];
}

/** Returns the next version: `E01` for the estimate of record, `S01` for its first supplement. */
export function nameNextVersion(version: string | undefined): string {
  if (version === undefined) return 'E01';
  const number = /^S(\d{2})$/.exec(version)?.[1];
  return `S${String(number === undefined ? 1 : Number(number) + 1).padStart(2, '0')}`;
}
