/** Opens pictures ahead, and holds them decoded as long as they are wanted. */
interface HeldViews {
  /** Wants these pictures from now on, first the first; others are given up. */
  want(addresses: readonly string[]): void;
}

/** Creates a holder of decoded pictures. @param open fetches and decodes a picture; what it returns is held */
export function holdViews<P extends { readonly ready: Promise<unknown> }>(
  open: (address: string) => P,
): HeldViews {
  const held = new Map<string, P>();
  let turn = 0;
  return {
    want(addresses) {
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
