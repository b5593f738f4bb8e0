import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { holdFetch } from './hold-fetch.ts';

/** Puts a browser in place whose page has the fragment `hash`. */
function openBrowser(hash = ''): void {
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined });
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('location', { hash, pathname: '/' });
  vi.stubGlobal('history', { replaceState: (_: unknown, __: string, to: string) => openBrowser(to) });
}

// The modules read the browser as they are loaded.
openBrowser();
const { link, openLink, refresh, state } = await import('../../../../src/web/capture/link.ts');
const { addPhoto, openQueue, send, waiting } = await import('../../../../src/web/capture/queue.ts');
const { callApi, linkSession, makeFileUrl, readApiError, session } = await import(
  '../../../../src/web/shared/api.ts'
);
const { makeRequest } = await import('../../../../src/web/app/inspections.tsx');
const { findDelayMs } = await import('../../../../src/web/app/requests.ts');
const { replaceQuery } = await import('../../../../src/web/app/router.ts');

beforeEach(() => openBrowser());
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const answer = (status: number, data: unknown = {}) => Response.json({ data }, { status });

test.each([
  [[null, 503, 429, 200, 200], 'open'],
  [[null, 403], 'ended'],
  [[401], 'ended'],
] as const)('a phone whose desk answers %j has a link that is %s', async (statuses, expected) => {
  vi.useFakeTimers();
  openBrowser('#token');
  link.value = 'opening';
  const left = [...statuses];
  const seen: string[] = [];
  vi.stubGlobal('fetch', async () => {
    seen.push(link.value);
    const status = left.shift();
    if (!status) throw new TypeError('network');
    return answer(status, { secret: 'secret' });
  });
  const opened = openLink();
  await vi.runAllTimersAsync();
  await opened;
  expect(link.value).toBe(expected);
  expect(left).toEqual([]);
  expect(seen.slice(0, -1)).not.toContain('ended');
});

test('of two answers about a capture, that to the later request counts', async () => {
  const settle: ((stage: string) => void)[] = [];
  vi.stubGlobal('fetch', () => new Promise((done) => settle.push((stage) => done(answer(200, { stage })))));
  const asked = [refresh(), refresh()];
  settle[1]?.('inspecting');
  await asked[1];
  settle[0]?.('open');
  await asked[0];
  expect(state.value).toMatchObject({ stage: 'inspecting' });
});

/** Puts a storage in place that opens when `open` is called. */
function holdStorage() {
  const stored = new Map<number, unknown>();
  const store = {
    getAll: () => ({ result: [...stored.values()] }),
    put: (photo: { id: number }) => stored.set(photo.id, photo),
    delete: (id: number) => stored.delete(id),
  };
  const transaction = () => {
    const ended = { objectStore: () => store, oncomplete: () => {} };
    setTimeout(() => ended.oncomplete());
    return ended;
  };
  const request = { result: { transaction }, onsuccess: () => {} };
  vi.stubGlobal('indexedDB', { open: () => request });
  return { stored, open: () => request.onsuccess() };
}

test('a photo taken while the phone opens its storage is listed and stored', async () => {
  link.value = 'opening';
  state.value = { capture_id: 'c', shots: [] } as never;
  const { stored, open } = holdStorage();
  stored.set(1, { id: 1, capture: 'c', slot: 'rear' });
  const opened = openQueue();
  await addPhoto({ slot: 'front', takes_several: false }, new File(['x'], 'a.jpg'));
  open();
  await opened;
  expect(waiting.value.map(({ slot }) => slot)).toEqual(['rear', 'front']);
  expect([...stored.values()]).toEqual(waiting.value);
});

test('a photo is sent again when the desk asks for it; one for which it does not ask waits', async () => {
  vi.useFakeTimers();
  link.value = 'open';
  state.value = { capture_id: 'c', shots: [{ slot: 'front' }] } as never;
  waiting.value = ['known_1', 'front'].map((slot, id) => ({ id, capture: 'c', slot, blob: new Blob() }));
  const asked = vi.fn(
    async (_path: string) => new Response(null, { status: 429, headers: { 'retry-after': '60' } }),
  );
  vi.stubGlobal('fetch', asked);
  void send();
  await vi.advanceTimersByTimeAsync(59_000);
  expect(asked).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(2000);
  expect(asked.mock.calls.map(([path]) => path)).toEqual(Array(2).fill('../capture/photos/front'));
  link.value = 'ended';
  await vi.runAllTimersAsync();
});

test('a refusal of a session that has ended does not end the next one', async () => {
  linkSession.value = null;
  const [before, after] = [{ key_id: 'old' }, { key_id: 'new' }] as never[];
  session.value = before ?? null;
  const settle = holdFetch();
  const asked = callApi('GET', '/inspections/visual');
  session.value = after ?? null;
  settle(answer(401));
  await expect(asked).rejects.toThrow();
  expect(session.value).toBe(after);
});

test.each([
  ['60', 60_000],
  ['1', 2000],
  [undefined, 2000],
])('a request limited with Retry-After %s is repeated after %d ms', async (after, expected) => {
  const headers = after ? { 'retry-after': after } : {};
  const limited = new Response(null, { status: 429, headers });
  expect(findDelayMs(await readApiError(limited))).toBe(expected);
});

test.each([
  ['2026-11-30', new Date(2026, 11, 1).toISOString()],
  ['12026-11-30', '12026-11-30'],
  ['275760-09-13', '275760-09-13'],
  ['2026', '2026'],
])('the list up to %s asks the API for %s', async (day, expected) => {
  replaceQuery(new URLSearchParams({ created_before: day }));
  expect(new URLSearchParams(makeRequest()).get('created_before')).toBe(expected);
});

test.each(['https://host', 'https://host/vehi', 'https://host/files/vehi'])(
  'a link of a service at %s is relative to the page',
  async (address) => {
    const file = '/files/vis_1/view-0.jpg?expires=1&signature=a-_b';
    expect(makeFileUrl(`${address}${file}`)).toBe(`..${file}`);
  },
);
