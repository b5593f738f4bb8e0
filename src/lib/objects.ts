/**
 * Returns the defined fields of an object, for spreading into one whose optional fields are omitted rather than
 * undefined: `{ id, ...defined({ hint, field }) }`.
 */
export function defined<const T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

/** Picks the named fields that an object has, in the given order. */
export function pick<T extends object, K extends keyof T>(
  object: T,
  names: readonly K[],
): { [N in K]?: Exclude<T[N], undefined> } {
  return defined(Object.fromEntries(names.map((name) => [name, object[name]]))) as {
    [N in K]?: Exclude<T[N], undefined>;
  };
}

/** Freezes a document recursively and returns it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const child of Object.values(value)) deepFreeze(child);
  return value;
}
