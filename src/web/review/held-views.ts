/**
 * Creates a holder of decoded pictures: it opens those that are wanted ahead, first the first, and gives up all others.
 * @param open fetches and decodes a picture; what it returns is held
 */
export function holdViews<P extends { readonly ready: Promise<unknown> }>(open: (address: string) => P) {
  const held = new Map<string, P>();
  let turn = 0;
  return {
    want(addresses: readonly string[]) {
      const mine = ++turn;
      for (const address of held.keys()) if (!addresses.includes(address)) held.delete(address);
      void (async () => {
        // One after the other: the photo in view must not wait for those behind it.
        for (const address of addresses) {
          if (mine !== turn) return;
          const picture = held.get(address) ?? open(address);
          held.set(address, picture);
          // A picture that cannot be had says so when it is shown.
          await picture.ready.catch(() => undefined);
        }
      })();
    },
  };
}
