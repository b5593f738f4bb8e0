/**
 * Creates a cache of decoded pictures that prefetches the requested ones in order and releases all others.
 * @param open fetches and decodes a picture
 */
export function cacheViews<P extends { readonly ready: Promise<unknown> }>(open: (address: string) => P) {
  const held = new Map<string, P>();
  let generation = 0;
  return {
    want(addresses: readonly string[]) {
      const ownGeneration = ++generation;
      for (const address of held.keys()) if (!addresses.includes(address)) held.delete(address);
      void (async () => {
        // One at a time, because the visible photo must not wait for prefetched ones.
        for (const address of addresses) {
          if (ownGeneration !== generation) return;
          const picture = held.get(address) ?? open(address);
          held.set(address, picture);
          // An error is reported when the picture is displayed.
          await picture.ready.catch(() => undefined);
        }
      })();
    },
  };
}
