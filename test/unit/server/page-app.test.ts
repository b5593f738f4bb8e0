import { expect, test, vi } from 'vitest';
import { type Capture, registerCapture } from '../../../src/server/capture/capture-page.ts';
import { createPageApp } from '../../../src/server/page-app.ts';

const createApp = (onUsedLink: () => void) =>
  createPageApp({
    isOwnHost: () => true,
    session: { path: '/session', data: {} },
    noSession: 'none',
    linkTtlMs: 1000,
    onUsedLink,
  });

test.each([
  ['an open link', { 0: 200 }, 0],
  ['a used link, and the person who opened it hears of it', { 0: 200, 10: 403 }, 1],
  ['an expired link that nobody used', { 1001: 403 }, 0],
])('%s: status by the time in ms', async (_, opened, warned) => {
  const onUsedLink = vi.fn();
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  const { app, gate } = createApp(onUsedLink);
  const payload = { token: gate.newToken() };
  for (const [atMs, status] of Object.entries(opened)) {
    now.mockReturnValue(Number(atMs));
    expect((await app.inject({ method: 'POST', url: '/session', payload })).statusCode).toBe(status);
  }
  now.mockRestore();
  expect(onUsedLink).toHaveBeenCalledTimes(warned);
});

test('a photo over the limit of a capture is refused by that limit, not by the one of JSON', async () => {
  const page = createApp(() => undefined);
  registerCapture(page, {} as Capture);
  const secret = page.gate.exchange(page.gate.newToken()) ?? '';
  const answer = await page.app.inject({
    method: 'PUT',
    url: '/capture/photos/front',
    headers: { 'x-vehi-session': secret, 'content-type': 'application/octet-stream' },
    payload: Buffer.alloc(10 * 1024 * 1024 + 1),
  });
  const message = 'The request body is larger than 10240 KiB.';
  expect(answer.json().error).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', message });
});
