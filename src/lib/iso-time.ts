/**
 * A date, or a time with or without offset, with the date, `hh:mm`, seconds and zone as groups. A space before the
 * offset is a `+` that the query did not encode.
 */
export const ISO_TIME_PATTERN =
  '^(\\d{4}-\\d{2}-\\d{2})(?:[Tt ](\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,9})?)?)([Zz]|[+ -]\\d{2}:?\\d{2})?)?$';

/** Returns whether `YYYY-MM-DD` is a day of the calendar; JavaScript would read 30 February as 2 March. */
export function isCalendarDay(text: string): boolean {
  return /^\d/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text;
}

/**
 * Parses an ISO 8601 date or time; undefined for any other text, or a day that does not exist. A date means 00:00 UTC, and
 * a time without offset is UTC, so the time zone of the machine does not matter.
 */
export function parseIsoTime(text: string): Date | undefined {
  const [, day = '', time = '00:00', zone = 'Z'] = new RegExp(ISO_TIME_PATTERN).exec(text) ?? [];
  if (!isCalendarDay(day)) return undefined;
  const date = new Date(`${day}T${time.slice(0, 12)}${zone.toUpperCase().replace(' ', '+')}`);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
