import { afterAll, beforeEach, expect, test, vi } from 'vitest';

type Answer = (status: number, body: unknown) => Promise<void>;

const BOX = { x: 10, y: 10, width: 50, height: 50 };
const UNPLACED = { part: null, severity: null, type: 'dent', alternatives: [] };
const KEPT_NOT = { code: 'PHOTO_NOT_KEPT', message: 'The picture is not kept.' };

vi.stubGlobal('localStorage', { getItem: () => null });
vi.stubGlobal('addEventListener', () => undefined);
const state = await import('../../../../src/web/review/state.ts');
const { acceptBox, setPart } = await import('../../../../src/web/review/drawing.ts');
const { openReview } = await import('../../../../src/web/review/saving.ts');
const { startHistory } = await import('../../../../src/web/review/history.ts');
vi.unstubAllGlobals();

const tick = () => new Promise((done) => setTimeout(done));
const readAdded = () =>
  state.decisions.value.map((one) => 'part' in one && 'box' in one && [one.box?.x, one.part]);

/** Opens a review whose answers are awaited. */
async function open(id: string): Promise<void> {
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  void openReview(id, new AbortController().signal);
  await tick();
  state.history.value = startHistory([]);
}

/** Draws a box at `x`; the returned function answers the request for its part. */
function draw(x: number): Answer {
  let settle = (_: Response) => {};
  vi.stubGlobal(
    'fetch',
    () =>
      new Promise<Response>((resolve) => {
        settle = resolve;
      }),
  );
  state.mode.value = { kind: 'draw', box: { ...BOX, x }, key: null };
  const accepted = acceptBox();
  const answered = settle;
  return (status, body) => {
    answered(Response.json(body, { status }));
    return accepted;
  };
}

beforeEach(() => open('A'));
afterAll(() => vi.unstubAllGlobals());

test('two boxes without a part are asked for in turn; the dialog of a finding stays open before', async () => {
  const [first, second] = [draw(1), draw(2)];
  state.dialog.value = 'part';
  await first(200, { data: UNPLACED });
  await second(200, { data: UNPLACED });
  expect(state.dialog.value).toBe('part');
  state.closeDialog();
  for (const part of ['hood', 'roof'] as const) {
    expect(state.dialog.value).toBe('box');
    if (state.waitingBox.value) setPart(state.waitingBox.value, { part });
  }
  expect(state.dialog.value).toBe('none');
  expect(readAdded()).toEqual([
    [1, 'hood'],
    [2, 'roof'],
  ]);
});

test('a box that waits for its part is not added to the review that is opened next', async () => {
  await draw(1)(200, { data: UNPLACED });
  expect(state.dialog.value).toBe('box');
  await open('B');
  expect([state.dialog.value, state.waitingBox.value]).toEqual(['none', undefined]);
});

test.each([
  [200, { data: UNPLACED }],
  [200, { data: { ...UNPLACED, part: 'hood', severity: 'minor' } }],
  [410, { error: KEPT_NOT }],
  [500, { error: { code: '', message: 'Failed.' } }],
])('the answer %d %j about a box of another review changes nothing', async (status, body) => {
  const answer = draw(1);
  await open('B');
  await answer(status, body);
  expect([state.dialog.value, state.notice.value, state.newBoxes.value, readAdded()]).toEqual([
    'none',
    '',
    [],
    [],
  ]);
});
