/** Creates a table of the methods of each `/a/:b` pattern, to distinguish a wrong method from an unknown URL. */
export function createMethodTable() {
  const rows = new Map<string, Set<string>>();
  return {
    add(url: string, methods: readonly string[]) {
      if (url.includes('*')) return;
      const pattern = `^${url.replace(/[.]/g, '\\.').replace(/:[^/]+/g, '[^/]+')}$`;
      rows.set(pattern, new Set([...(rows.get(pattern) ?? []), ...methods]));
    },
    listMethods(path: string): readonly string[] {
      const allowed = [...rows].filter(([pattern]) => new RegExp(pattern).test(path));
      return [...new Set(allowed.flatMap(([, methods]) => [...methods]))].sort();
    },
  };
}
