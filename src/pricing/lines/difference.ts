/** One line as an earlier version of the estimate had it; minor units of that version's currency. */
export interface EarlierLine {
  readonly id: string;
  readonly operation: string;
  readonly part: string;
  readonly hoursTenths: number;
  readonly amountMinor: number;
}

/** What a supplement changes on one line; a line that is not in a version has no hours and no amount there. */
interface LineDifference {
  readonly change: 'added' | 'changed' | 'removed';
  readonly id: string;
  readonly operation: string;
  readonly part: string;
  readonly hoursTenths: readonly [before: number, after: number];
  readonly amountMinor: readonly [before: number, after: number];
}

/**
 * Returns what differs between the lines that count in two versions of an estimate, line by line by their ids; the
 * differences of the amounts add up to the difference of the totals.
 */
export function differenceOf(
  before: readonly EarlierLine[],
  after: readonly EarlierLine[],
): readonly LineDifference[] {
  const earlier = new Map(before.map((line) => [line.id, line]));
  const later = new Set(after.map((line) => line.id));
  const kept = after.flatMap((line): LineDifference[] => {
    const old = earlier.get(line.id);
    const same = old?.hoursTenths === line.hoursTenths && old.amountMinor === line.amountMinor;
    if (same) return [];
    return [
      {
        change: old === undefined ? 'added' : 'changed',
        id: line.id,
        operation: line.operation,
        part: line.part,
        hoursTenths: [old?.hoursTenths ?? 0, line.hoursTenths],
        amountMinor: [old?.amountMinor ?? 0, line.amountMinor],
      },
    ];
  });
  const gone = before
    .filter((line) => !later.has(line.id))
    .map(
      ({ id, operation, part, hoursTenths, amountMinor }): LineDifference => ({
        change: 'removed',
        id,
        operation,
        part,
        hoursTenths: [hoursTenths, 0],
        amountMinor: [amountMinor, 0],
      }),
    );
  return [...kept, ...gone];
}

/** Returns the name of the version that follows: the first supplement of an estimate of record `E01` is `S01`. */
export function nextVersion(version: string): string {
  const number = /^S(\d{2})$/.exec(version)?.[1];
  return `S${String(number === undefined ? 1 : Number(number) + 1).padStart(2, '0')}`;
}
