import { vi } from 'vitest';

/** Puts a `fetch` in place that waits; the returned function answers its latest request. */
export function holdFetch(): (response: Response) => void {
  let settle = (_: Response) => {};
  const wait = () =>
    new Promise<Response>((resolve) => {
      settle = resolve;
    });
  vi.stubGlobal('fetch', wait);
  return (response) => settle(response);
}
