const COLLATOR = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/**
 * Compares paths for sorting as a person would: folder by folder, `IMG_9` before `IMG_10`, capitals like small letters.
 */
export function comparePaths(a: string, b: string): number {
  const left = a.split('/');
  const right = b.split('/');
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const order = COLLATOR.compare(left[i] ?? '', right[i] ?? '');
    if (order !== 0) return order;
  }
  // Equal to the eye but not byte for byte: any fixed order will do, as long as it is the same everywhere.
  return left.length - right.length || (a < b ? -1 : a > b ? 1 : 0);
}
