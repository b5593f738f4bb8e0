type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/**
 * Returns the defined fields of an object, for spreading into one whose optional fields are omitted rather than
 * undefined: `{ id, ...defined({ hint, field }) }`.
 */
export function defined<const T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
}

/** Picks the named fields that an object has, in the given order. */
export function pick<T extends object, K extends keyof T>(
  object: T,
  names: readonly K[],
): Defined<Pick<T, K>> {
  return defined(Object.fromEntries(names.map((name) => [name, object[name]]))) as Defined<Pick<T, K>>;
}

/** Freezes a document recursively and returns it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const child of Object.values(value)) deepFreeze(child);
  return value;
}
