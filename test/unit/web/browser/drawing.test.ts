import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { startHistory } from '../../../../src/web/review/history.ts';
import { decide, drawing, saving, state } from './example-review.ts';
import { holdFetch } from './hold-fetch.ts';

type Answer = (status: number, body: unknown) => Promise<void>;

const BOX = { x: 10, y: 10, width: 50, height: 50 };
const UNPLACED = { part: null, severity: null, type: 'dent', alternatives: [] };
const PLACED = { ...UNPLACED, part: 'hood', severity: 'minor' };
/** An inspection and its review without photos. */
const REVIEW = { revision: 1, reviewer: '', decisions: [], review: { decisions: [] } };
const EMPTY = { ...REVIEW, images: [], vehicle_groups: [], photos: [] };
const KEPT_NOT = { code: 'PHOTO_NOT_KEPT', message: 'The picture is not kept.' };

const { acceptBox, setPart } = drawing;
const { finish, openReview, phase } = saving;

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
  const answer = holdFetch();
  state.mode.value = { kind: 'draw', box: { ...BOX, x }, key: null };
  const accepted = acceptBox();
  return (status, body) => {
    answer(Response.json(body, { status }));
    return accepted;
  };
}

/** The review that is opened next. */
const OTHER = { 'GET /B': () => EMPTY, 'GET /B/review': () => EMPTY };

/** Puts the review on the page, as the service has it. */
function showOpened(): void {
  phase.value = 'ready';
  state.snapshot.value = { ...EMPTY, decisions: state.decisions.value } as never;
}

const openOther = () => openReview('B', new AbortController().signal);

/** Puts a service in place that answers each path and method; what is undefined fails for a passing reason. */
function serve(answers: Readonly<Record<string, (body: string) => unknown>>): void {
  vi.stubGlobal('fetch', async (path: string, { method, body }: { method: string; body: string }) => {
    const data = await answers[`${method} ${path.replace('../v1/inspections/visual', '')}`]?.(body);
    if (data instanceof Response) return data;
    const headers = { 'retry-after': '0.01' };
    return data === undefined ? Response.json({}, { status: 503, headers }) : Response.json({ data });
  });
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

test.each([
  [200, { data: UNPLACED }, 'The parts model sees no vehicle here. Choose the part.'],
  [410, { error: KEPT_NOT }, 'The picture is not kept. Choose the part.'],
  [500, { error: { code: '', message: 'Failed.' } }, 'Not added: Failed.'],
])('the answer %d %j about a box of another review is said there, once', async (status, body, said) => {
  const answer = draw(1);
  const opened = open('B');
  await answer(status, body);
  await opened;
  expect([state.dialog.value, state.newBoxes.value, readAdded()]).toEqual(['none', [], []]);
  expect(state.notice.value).toMatch(new RegExp(`^Review of .+: ${said}$`));
  await open('C');
  expect(state.notice.value).toBe('');
});

test.each([
  [422, 'Not possible: no.'],
  [404, 'no.'],
])('a decision refused with %d while another review is opened is said there', async (status, said) => {
  showOpened();
  const error = { code: '', message: 'no.' };
  const refuse = () => Response.json({ error }, { status });
  serve({ 'PUT /A/review': refuse, ...OTHER });
  decide([{ decision: 'nothing_more', image_index: 3 }]);
  await openOther();
  expect(phase.value).toBe('ready');
  expect(state.notice.value).toMatch(new RegExp(`^Review of .+: ${said}$`));
});

test('a box that is being analyzed is stored with its review before another is opened', async () => {
  showOpened();
  const answer = draw(1);
  const opened = openOther();
  const put = vi.fn((body: string) => ({ ...EMPTY, ...JSON.parse(body), revision: 2 }));
  serve({ 'PUT /A/review': put, ...OTHER });
  await answer(200, { data: PLACED });
  await opened;
  expect(put).toHaveBeenCalledOnce();
  expect([state.reviewedId.value, phase.value, readAdded()]).toEqual(['B', 'ready', []]);
});

test.each([
  { kind: 'look' },
  { kind: 'merge', key: 'dmg_1' },
  { kind: 'type' },
  { kind: 'draw', box: BOX, key: null },
] as const)('an answered box leaves a mode $kind and a selection made meanwhile alone', async (mode) => {
  const answer = draw(1);
  state.selected.value = 'dmg_2';
  state.mode.value = mode;
  await answer(200, { data: PLACED });
  expect(state.decisions.value).toHaveLength(1);
  expect([state.mode.value, state.selected.value]).toEqual([mode, 'dmg_2']);
});

test('a review that is finished while another is opened does not end the other', async () => {
  let answer = (_: unknown) => {};
  const held = new Promise((done) => {
    answer = done;
  });
  showOpened();
  serve({ 'POST /A/review/finish': () => held, ...OTHER });
  state.dialog.value = 'finish';
  const finished = finish();
  await tick();
  await openOther();
  answer({});
  await finished;
  expect([phase.value, state.notice.value]).toEqual(['ready', '']);
});

test('a review of which a change is refused is not finished', async () => {
  const answer = draw(1);
  showOpened();
  const finishing = vi.fn(() => ({}));
  serve({
    'PUT /A/review': () => Response.json({ error: { code: 'X', message: 'No.' } }, { status: 422 }),
    'POST /A/review/finish': finishing,
  });
  state.dialog.value = 'finish';
  await answer(200, { data: PLACED });
  await finish();
  expect([phase.value, finishing.mock.calls]).toEqual(['ready', []]);
  expect(state.notice.value).toMatch(/^Not possible: No\..* Not finished: the last change is not saved\.$/);
});

test('a review that another page has changed is joined once the service answers', async () => {
  showOpened();
  const marked = [{ decision: 'nothing_more', image_index: 3 }] as const;
  const answer = draw(1);
  const reads = [undefined, { ...EMPTY, revision: 2, decisions: marked }];
  serve({
    'PUT /A/review': (body) => {
      const sent = JSON.parse(body);
      return sent.revision === 2 ? { ...EMPTY, ...sent, revision: 3 } : Response.json({}, { status: 409 });
    },
    'GET /A/review': () => reads.shift(),
  });
  await answer(200, { data: PLACED });
  await vi.waitFor(() => expect(state.snapshot.value?.revision).toBe(3));
  expect(state.decisions.value).toMatchObject([...marked, { decision: 'add' }]);
});

test('a review that is left while it waits for its photos asks no more', async () => {
  vi.useFakeTimers();
  const read = vi.fn(() => ({ status: 'processing' }));
  serve({ 'GET /B': read });
  const left = new AbortController();
  const opened = openReview('B', left.signal);
  await vi.advanceTimersByTimeAsync(2000);
  expect(read).toHaveBeenCalledTimes(2);
  left.abort();
  await vi.runAllTimersAsync();
  await opened;
  expect(read).toHaveBeenCalledTimes(2);
  vi.useRealTimers();
});
