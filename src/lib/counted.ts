/** Formats a count with its noun: `1 photo`, `3 photos`; an irregular plural is passed in full. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Lists the first names and the number of others: `a, b and 3 more`. */
export function listSome(names: readonly string[], most: number): string {
  const more = names.length - most;
  return `${names.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
