/**
 * Returns the fields that have a value, to be spread into an object whose optional fields are left out, not undefined:
 * `{ id, ...defined({ hint, field }) }`.
 */
export function defined<const T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
