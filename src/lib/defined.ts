/**
 * Returns the defined fields of an object, for spreading into one whose optional fields are omitted rather than
 * undefined: `{ id, ...defined({ hint, field }) }`.
 */
export function defined<const T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
