import { DAY_MS, HOUR_MS } from '../../lib/durations.ts';

/** Lengths of the day and hour prefixes of ISO 8601 times. */
export const UNIT_LENGTHS = { day: 10, hour: 13 } as const;
export type Unit = keyof typeof UNIT_LENGTHS;

/** A time range counted by whole units or record by record; undefined bounds are open. */
interface TimeRange {
  readonly unit: Unit | 'record';
  readonly from: string | undefined;
  readonly to: string | undefined;
}

type Bounds = [fromMs: number | undefined, toMs: number | undefined];

const formatIso = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString());
const roundUp = (ms: number, unitMs: number) => Math.ceil(ms / unitMs) * unitMs;
const roundDown = (ms: number, unitMs: number) => Math.floor(ms / unitMs) * unitMs;

/** Splits the range from `after` (inclusive) to `before` (exclusive) into whole days, whole hours, and remainders. */
export function splitTimeRange(after: string | undefined, before: string | undefined): TimeRange[] {
  const startMs = after === undefined ? undefined : Date.parse(after);
  const endMs = before === undefined ? undefined : Date.parse(before);
  const ranges: [TimeRange['unit'], ...Bounds][] = [];
  const roundInward = (unitMs: number, from?: number, to?: number): Bounds => [
    from === undefined ? undefined : roundUp(from, unitMs),
    to === undefined ? undefined : roundDown(to, unitMs),
  ];
  const isEmpty = ([from, to]: Bounds) => from !== undefined && to !== undefined && from >= to;
  const hours = roundInward(HOUR_MS, startMs, endMs);
  const days = roundInward(DAY_MS, startMs, endMs);
  if (isEmpty(hours)) ranges.push(['record', startMs, endMs]);
  else {
    ranges.push(['record', startMs, hours[0]], ['record', hours[1], endMs]);
    if (isEmpty(days)) ranges.push(['hour', ...hours]);
    else ranges.push(['hour', hours[0], days[0]], ['day', ...days], ['hour', days[1], hours[1]]);
  }
  return ranges
    .filter(([unit, from, to]) => unit === 'day' || (from !== undefined && to !== undefined && from < to))
    .map(([unit, from, to]) => ({ unit, from: formatIso(from), to: formatIso(to) }));
}
