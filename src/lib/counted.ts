/** Returns a number with its noun: `1 photo`, `3 photos`; an irregular plural is given whole. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Returns the first names and how many there are besides: `a, b and 3 more`. */
export function listSome(names: readonly string[], most: number): string {
  const more = names.length - most;
  return `${names.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
