/** Formats a count with its noun: `1 photo`, `3 photos`; an irregular plural is passed in full. */
export function formatCount(count: number, singular: string, plural = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`;
}

/** Lists the first names and the number of others: `a, b and 3 more`. */
export function summarizeNames(names: readonly string[], limit: number): string {
  const omitted = names.length - limit;
  return `${names.slice(0, limit).join(', ')}${omitted > 0 ? ` and ${omitted} more` : ''}`;
}
