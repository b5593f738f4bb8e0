/** Durations in milliseconds. */
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Converts milliseconds to seconds with two decimal places. */
export const toSeconds = (durationMs: number): number => Math.round(durationMs / 10) / 100;
