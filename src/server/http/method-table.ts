/** Methods of each known path, to distinguish a wrong method from an unknown URL. */
export interface MethodTable {
  add(url: string, methods: readonly string[]): void;
  listMethods(path: string): readonly string[];
}

/** Creates a table of `/a/:b` patterns. */
export function createMethodTable(): MethodTable {
  const rows: { pattern: RegExp; methods: Set<string> }[] = [];
  const methodsByUrl = new Map<string, Set<string>>();
  return {
    add(url, methods) {
      if (url.includes('*')) return;
      const existing = methodsByUrl.get(url);
      if (existing) {
        for (const method of methods) existing.add(method);
        return;
      }
      const set = new Set(methods);
      methodsByUrl.set(url, set);
      const source = url.replace(/[.]/g, '\\.').replace(/:[^/]+/g, '[^/]+');
      rows.push({ pattern: new RegExp(`^${source}$`), methods: set });
    },
    listMethods(path) {
      const allowed = rows.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => [...methods]);
      return [...new Set(allowed)].sort();
    },
  };
}
