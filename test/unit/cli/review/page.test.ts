import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { computeDigest, readDraft, writeDraft } from '../../../../src/cli/review/draft.ts';
import { findBrowserCommand } from '../../../../src/cli/review/open-browser.ts';
import { openState } from '../../../../src/cli/review/review-state.ts';
import { createReviewSessions } from '../../../../src/cli/review/session.ts';
import { VehiError } from '../../../../src/lib/errors.ts';
import { exampleInspection } from '../../../helpers/results/example-inspection.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'vehi-page-test-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe('the session', () => {
  test('a token works once, for ten minutes; a new link ends the session before', () => {
    let now = 0;
    const sessions = createReviewSessions(() => now);
    const [first, second, late] = [sessions.newToken(), sessions.newToken(), sessions.newToken()];
    const session = sessions.exchange(first);
    if (typeof session === 'string') throw new Error(session);
    expect(sessions.holds(session.secret)).toBe(true);
    expect(sessions.showsPictures(session.pictures)).toBe(true);
    expect(sessions.holds(session.pictures)).toBe(false);
    expect(sessions.exchange(first)).toBe('used');
    expect(sessions.holds(session.secret)).toBe(true);
    sessions.exchange(second);
    expect(sessions.holds(session.secret)).toBe(false);
    now = 10 * 60_000 + 1;
    expect(sessions.exchange(late)).toBe('used');
  });

  test.each([undefined, '', 1, 'x', { token: 1 }])('%o is no token', (token) => {
    const sessions = createReviewSessions(() => 0);
    sessions.newToken();
    expect(sessions.exchange(token)).toBe('unknown');
    expect(sessions.holds(token)).toBe(false);
  });
});

describe('the draft', () => {
  const inspection = exampleInspection({ damages: 2, photos: 2 });
  const draft = {
    result_sha256: computeDigest(inspection),
    saved_at: '2026-01-31T12:00:00.000Z',
    reviewer: 'Ada',
    decisions: [{ decision: 'nothing_more', image_index: 0 }],
  };

  test('what was written is read, and nothing else lies about', async () => {
    await writeDraft('a.review.json', draft, dir);
    const path = join(dir, 'a.review.json');
    expect(await readDraft(path, inspection)).toEqual({ draft, setAside: null });
    expect(readdirSync(dir)).toEqual(['a.review.json']);
  });

  test('one of another result, or one that is no JSON, is set aside and not applied', async () => {
    await writeDraft('a.review.json', draft, dir);
    const other = exampleInspection({ damages: 3, photos: 2 });
    const { draft: found, setAside } = await readDraft(join(dir, 'a.review.json'), other);
    expect(found).toBeNull();
    expect(JSON.parse(readFileSync(setAside ?? '', 'utf8'))).toEqual(draft);
    writeFileSync(join(dir, 'b.review.json'), '{"half": ');
    expect((await readDraft(join(dir, 'b.review.json'), inspection)).setAside).toContain('b.review.json.');
  });

  test('no draft is no draft', async () => {
    expect(await readDraft(join(dir, 'none.json'), inspection)).toEqual({ draft: null, setAside: null });
  });
});

test.each([
  ['over ssh', { SSH_CONNECTION: '1', DISPLAY: ':0' }, 'linux', null],
  ['in CI', { CI: 'true', DISPLAY: ':0' }, 'linux', null],
  ['without a display', {}, 'linux', null],
  ['with a display', { DISPLAY: ':0' }, 'linux', ['xdg-open']],
  ['on Wayland', { WAYLAND_DISPLAY: 'w' }, 'linux', ['xdg-open']],
  ['with a browser of one’s own', { BROWSER: 'firefox' }, 'linux', ['firefox']],
  ['on macOS', {}, 'darwin', ['open']],
])('the browser %s', (_, env, platform, command) => {
  expect(findBrowserCommand(env, platform)).toEqual(command);
});

test('of two pages with one revision the second is refused; a list that cannot be applied changes nothing', async () => {
  const inspection = exampleInspection({ damages: 1, photos: 1 });
  const applied: unknown[] = [];
  const reviewing = {
    inspection,
    apply: async (list: unknown) => {
      if (list === 'bad') throw new Error('not a list');
      applied.push(list);
      return inspection;
    },
  } as unknown as Parameters<typeof openState>[0];
  const given = { reviewer: '', cwd: dir, now: () => new Date('2026-01-31T12:00:00Z') };
  const { state } = await openState(reviewing, join(dir, 'r.review.json'), given);
  const put = (decisions: unknown) => state.put({ revision: 1, reviewer: 'Ada', decisions });
  await expect(put('bad')).rejects.toThrow('not a list');
  expect(state.current()).toMatchObject({ revision: 1, saved_at: null });
  const [first, second] = await Promise.all([put(['a']), put(['b'])]);
  expect(first).toMatchObject({ revision: 2, reviewer: 'Ada', saved_at: '2026-01-31T12:00:00.000Z' });
  expect(second).toBe('conflict');
  expect(state.current()).toBe(first);
  expect(applied).toEqual([[], ['a']]);
});

test('a draft whose decision is refused by now opens without it, and says so', async () => {
  const inspection = exampleInspection({ damages: 2, photos: 1 });
  const [first, second] = inspection.data.results?.damages ?? [];
  const accepted = { decision: 'accept', damage_id: first?.damage_id };
  const refused = { decision: 'change', damage_id: second?.damage_id, type: 'dent' };
  const decisions = [accepted, refused];
  const saved_at = '2026-01-31T12:00:00.000Z';
  const draft = { result_sha256: computeDigest(inspection), saved_at, reviewer: 'Ada', decisions };
  await writeDraft('r.review.json', draft, dir);
  const reviewing = {
    inspection,
    apply: async (list: readonly unknown[]) => {
      const at = list.findIndex((one) => (one as typeof refused).type === 'dent');
      if (at >= 0)
        throw new VehiError('input', 'INVALID_DECISIONS', `decisions: [${at}]: dent on windshield`, {
          details: { reason: 'impossible_type', part: 'windshield', type: 'dent' },
        });
      return inspection;
    },
  } as unknown as Parameters<typeof openState>[0];
  const given = { reviewer: '', cwd: dir, now: () => new Date(saved_at) };
  const { state, resumed } = await openState(reviewing, join(dir, 'r.review.json'), given);
  expect(resumed).toBe(1);
  expect(state.current()).toMatchObject({
    decisions: [accepted],
    saved_at,
    left_out: [
      {
        decision: 'change',
        damage_id: second?.damage_id,
        message: `The saved change of no. ${second?.number} was left out: "Dent" is not possible on "Windshield". No. ${second?.number} is open again.`,
      },
    ],
  });
  await state.put({ revision: 1, reviewer: 'Ada', decisions: [accepted] });
  expect(state.current()).not.toHaveProperty('left_out');
});

test('a box whose photo is gone stays in the draft, and holds again once the photo is back', async () => {
  const inspection = exampleInspection({ damages: 1, photos: 1 });
  const box = { x: 1, y: 2, width: 3, height: 4 };
  const drawn = { decision: 'add', image_index: 0, box, type: 'dent' };
  const tick = { decision: 'nothing_more', image_index: 0 };
  const saved_at = '2026-01-31T12:00:00.000Z';
  const draft = { result_sha256: computeDigest(inspection), saved_at, reviewer: 'Ada', decisions: [drawn] };
  await writeDraft('r.review.json', draft, dir);
  let isGone = true;
  const reviewing = {
    inspection,
    apply: async (list: readonly unknown[]) => {
      if (isGone && list.some((one) => (one as typeof drawn).decision === 'add'))
        throw new VehiError('input', 'PART_NEEDED', 'no photo', { details: { reason: 'photo_unreadable' } });
      return inspection;
    },
  } as unknown as Parameters<typeof openState>[0];
  const given = { reviewer: '', cwd: dir, now: () => new Date(saved_at) };
  const open = () => openState(reviewing, join(dir, 'r.review.json'), given);
  const { state } = await open();
  expect(state.current().left_out).toEqual([
    {
      decision: 'add',
      message: 'The saved box in IMG_0001.jpg was left out: its photo cannot be read, and no part is named.',
    },
  ]);
  await state.put({ revision: 1, reviewer: 'Ada', decisions: [tick] });
  expect(state.current().decisions).toEqual([tick]);
  isGone = false;
  const again = await open();
  expect(again.state.current()).toMatchObject({ decisions: [tick, drawn] });
  expect(again.state.current()).not.toHaveProperty('left_out');
});
