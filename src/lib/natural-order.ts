const COLLATOR = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Compares paths in natural order: folder by folder, `IMG_9` before `IMG_10`, ignoring case. */
export function comparePaths(a: string, b: string): number {
  const left = a.split('/');
  const right = b.split('/');
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const order = COLLATOR.compare(left[i] ?? '', right[i] ?? '');
    if (order !== 0) return order;
  }
  // Equal under collation but not byte for byte: uses a fixed order, identical on all systems.
  return left.length - right.length || (a < b ? -1 : a > b ? 1 : 0);
}
