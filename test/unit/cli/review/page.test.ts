import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readDraft, writeDraft } from '../../../../src/cli/review/draft.ts';
import { resume } from '../../../../src/cli/review/page.run.ts';
import { findBrowserCommand } from '../../../../src/cli/review/page.ts';
import type { CliContext } from '../../../../src/cli/terminal/context.ts';
import type { InspectionEnvelope } from '../../../../src/contract/inspection.ts';
import { VehiError } from '../../../../src/lib/errors.ts';
import { hashJson } from '../../../../src/lib/ids.ts';
import { exampleInspection } from '../../../helpers/results/example-inspection.ts';

const SAVED_AT = '2026-01-31T12:00:00.000Z';
const DRAFT = { saved_at: SAVED_AT, reviewer: 'Ada' };

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'vehi-page-test-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe('the draft', () => {
  const inspection = exampleInspection({ damages: 2, photos: 2 });
  const draft = {
    result_sha256: hashJson(inspection),
    saved_at: '2026-01-31T12:00:00.000Z',
    reviewer: 'Ada',
    decisions: [{ decision: 'nothing_more', image_index: 0 }],
  };

  test('what was written is read, and nothing else lies about', async () => {
    await writeDraft('a.review.json', draft, dir);
    const path = join(dir, 'a.review.json');
    expect(await readDraft(path, inspection)).toEqual({ draft, renamedTo: null });
    expect(readdirSync(dir)).toEqual(['a.review.json']);
  });

  test('one of another result, or one that is no JSON, is set aside and not applied', async () => {
    await writeDraft('a.review.json', draft, dir);
    const other = exampleInspection({ damages: 3, photos: 2 });
    const { draft: found, renamedTo } = await readDraft(join(dir, 'a.review.json'), other);
    expect(found).toBeNull();
    expect(JSON.parse(readFileSync(renamedTo ?? '', 'utf8'))).toEqual(draft);
    writeFileSync(join(dir, 'b.review.json'), '{"half": ');
    expect((await readDraft(join(dir, 'b.review.json'), inspection)).renamedTo).toContain('b.review.json.');
  });

  test('no draft is no draft', async () => {
    expect(await readDraft(join(dir, 'none.json'), inspection)).toEqual({ draft: null, renamedTo: null });
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

const REVIEW = { decisions: [], photos_checked: [], not_reviewed: [] };
let said = '';
function ctx() {
  said = '';
  const stderr = new PassThrough().on('data', (text: Buffer) => {
    said += text.toString();
  });
  return { cwd: dir, now: () => new Date(SAVED_AT), env: {}, stderr } as unknown as CliContext;
}

/** A result whose decisions are applied by this function. */
function reviewed(inspection: InspectionEnvelope, judge: (list: readonly unknown[]) => void) {
  const apply = async (list: unknown) => {
    judge(list as readonly unknown[]);
    return { ...inspection, review: REVIEW };
  };
  return { inspection, apply } as unknown as Parameters<typeof resume>[0];
}

test('a draft whose decision is refused by now opens without it, and says so', async () => {
  const inspection = exampleInspection({ damages: 2, photos: 1 });
  const [first, second] = inspection.data.results?.damages ?? [];
  const accepted = { decision: 'accept', damage_id: first?.damage_id };
  const refused = { decision: 'change', damage_id: second?.damage_id, type: 'dent' };
  const draft = { ...DRAFT, result_sha256: hashJson(inspection), decisions: [accepted, refused] };
  await writeDraft('r.review.json', draft, dir);
  const result = reviewed(inspection, (list) => {
    const at = list.findIndex((one) => (one as typeof refused).type === 'dent');
    if (at >= 0)
      throw new VehiError('input', 'INVALID_DECISIONS', `decisions: [${at}]: dent on windshield`, {
        details: { reason: 'impossible_type', part: 'windshield', type: 'dent' },
      });
  });
  const { savedReview, unavailable: waiting } = await resume(result, 'r.review.json', {}, ctx());
  const message = `The saved change of no. ${second?.number} was left out: "Dent" is not possible on "Windshield". No. ${second?.number} is open again.`;
  expect(savedReview).toMatchObject({
    decisions: [accepted],
    reviewer: 'Ada',
    savedAt: SAVED_AT,
    leftOut: [{ decision: 'change', damage_id: second?.damage_id, message }],
  });
  expect(waiting).toEqual([]);
  expect(said).toContain('resuming with 1 decision saved in r.review.json');
  expect(said).toContain(message);
});

test('a box whose photo is gone waits for it, and holds again once the photo is back', async () => {
  const inspection = exampleInspection({ damages: 1, photos: 1 });
  const box = { x: 1, y: 2, width: 3, height: 4 };
  const drawn = { decision: 'add', image_index: 0, box, type: 'dent' };
  const draft = { ...DRAFT, result_sha256: hashJson(inspection), decisions: [drawn] };
  await writeDraft('r.review.json', draft, dir);
  let isGone = true;
  const result = reviewed(inspection, (list) => {
    if (isGone && list.some((one) => (one as typeof drawn).decision === 'add'))
      throw new VehiError('input', 'PART_NEEDED', 'no photo', { details: { reason: 'photo_unreadable' } });
  });
  const { savedReview, unavailable: waiting } = await resume(result, 'r.review.json', {}, ctx());
  expect(savedReview.leftOut).toEqual([
    {
      decision: 'add',
      message: 'The saved box in IMG_0001.jpg was left out: its photo cannot be read, and no part is named.',
    },
  ]);
  expect(waiting).toEqual([drawn]);
  isGone = false;
  const again = await resume(result, 'r.review.json', {}, ctx());
  expect(again.savedReview.decisions).toEqual([drawn]);
  expect(again.savedReview).not.toHaveProperty('leftOut');
});
