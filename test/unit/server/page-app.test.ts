import { expect, test, vi } from 'vitest';
import { createPageApp } from '../../../src/server/page-app.ts';

test.each([
  ['an open link', [{ at: 0, status: 200 }], 0],
  [
    'a used link, and the person who opened it hears of it',
    [
      { at: 0, status: 200 },
      { at: 10, status: 403 },
    ],
    1,
  ],
  ['an expired link that nobody used', [{ at: 1001, status: 403 }], 0],
])('%s', async (_, opened, warned) => {
  const onUsedLink = vi.fn();
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  const { app, gate } = createPageApp({
    isOwnHost: () => true,
    session: { path: '/session', data: {} },
    noSession: 'none',
    linkTtlMs: 1000,
    onUsedLink,
  });
  const payload = { token: gate.newToken() };
  for (const { at, status } of opened) {
    now.mockReturnValue(at);
    expect((await app.inject({ method: 'POST', url: '/session', payload })).statusCode).toBe(status);
  }
  now.mockRestore();
  expect(onUsedLink).toHaveBeenCalledTimes(warned);
});
