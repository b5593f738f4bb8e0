import { isCounted } from './line.ts';
import type { PricedLine } from './priced-line.ts';

/** One line of an earlier version; minor units. */
export interface EarlierLine {
  readonly id: string;
  readonly operation: string;
  readonly part: string;
  readonly hoursTenths: number;
  readonly amountMinor: number;
}

/** An earlier version of the estimate, in the currency of the new one; minor units. */
export interface EarlierEstimate {
  readonly version: string;
  readonly netMinor: number;
  readonly grossMinor: number;
  readonly lines: readonly EarlierLine[];
}

/** What a supplement changes on one line; a line that is not in a version has no hours and no amount there. */
interface LineDifference {
  readonly change: 'added' | 'changed' | 'removed';
  readonly id: string;
  readonly operation: string;
  readonly part: string;
  readonly hoursTenths: readonly [before: number, after: number];
  readonly amountMinor: readonly [before: number, after: number];
  readonly differenceMinor: number;
}

/** What a supplement changes: line by line, and in the totals. Minor units. */
export interface EstimateDifference {
  readonly lines: readonly LineDifference[];
  readonly netMinor: number;
  readonly grossMinor: number;
}

/** Returns what differs between two versions of an estimate; the lines' differences add up to that of the totals. */
export function compareVersions(
  earlier: EarlierEstimate,
  now: { readonly lines: readonly PricedLine[]; readonly netMinor: number; readonly grossMinor: number },
): EstimateDifference {
  return {
    lines: compareLines(earlier.lines, now.lines.filter(isCounted)),
    netMinor: now.netMinor - earlier.netMinor,
    grossMinor: now.grossMinor - earlier.grossMinor,
  };
}

/** Returns what differs between the lines that count, by their ids. */
function compareLines(
  before: readonly EarlierLine[],
  after: readonly EarlierLine[],
): readonly LineDifference[] {
  const [earlier, later] = [before, after].map((lines) => new Map(lines.map((line) => [line.id, line])));
  const differ = ({ id, operation, part }: EarlierLine): LineDifference[] => {
    const [old, now] = [earlier?.get(id), later?.get(id)];
    const hoursTenths = [old?.hoursTenths ?? 0, now?.hoursTenths ?? 0] as const;
    const amountMinor = [old?.amountMinor ?? 0, now?.amountMinor ?? 0] as const;
    const isSame = hoursTenths[0] === hoursTenths[1] && amountMinor[0] === amountMinor[1];
    if (old !== undefined && now !== undefined && isSame) return [];
    const change = old === undefined ? 'added' : now === undefined ? 'removed' : 'changed';
    const differenceMinor = amountMinor[1] - amountMinor[0];
    return [{ change, id, operation, part, hoursTenths, amountMinor, differenceMinor }];
  };
  return [...after.flatMap(differ), ...before.filter(({ id }) => !later?.has(id)).flatMap(differ)];
}

/** Returns the name of the version after another: the estimate of record is `E01`, its first supplement `S01`. */
export function nameNextVersion(version: string | undefined): string {
  if (version === undefined) return 'E01';
  const number = /^S(\d{2})$/.exec(version)?.[1];
  return `S${String(number === undefined ? 1 : Number(number) + 1).padStart(2, '0')}`;
}
