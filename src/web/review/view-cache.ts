/**
 * Creates a cache of decoded pictures that prefetches the requested ones in order and releases all others.
 * @param loadPicture fetches and decodes a picture
 */
export function cacheViews<P extends { readonly ready: Promise<unknown> }>(
  loadPicture: (address: string) => P,
) {
  const cached = new Map<string, P>();
  let generation = 0;
  return {
    prefetch(addresses: readonly string[]) {
      const ownGeneration = ++generation;
      for (const address of cached.keys()) if (!addresses.includes(address)) cached.delete(address);
      void (async () => {
        // One at a time, because the visible photo must not wait for prefetched ones.
        for (const address of addresses) {
          if (ownGeneration !== generation) return;
          const picture = cached.get(address) ?? loadPicture(address);
          cached.set(address, picture);
          // An error is reported when the picture is displayed.
          await picture.ready.catch(() => undefined);
        }
      })();
    },
  };
}
