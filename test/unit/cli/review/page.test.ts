import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { beforeEach, describe, expect, test } from 'vitest';
import { readDraft, writeDraft } from '../../../../src/cli/review/draft.ts';
import { listBrowserCommands } from '../../../../src/cli/review/page.ts';
import { resume } from '../../../../src/cli/review/review-on-page.ts';
import type { CliContext } from '../../../../src/cli/terminal/context.ts';
import type { InspectionEnvelope } from '../../../../src/contract/inspection.ts';
import { VehiError } from '../../../../src/lib/errors.ts';
import { hashJson } from '../../../../src/lib/ids.ts';
import { exampleInspection } from '../../../helpers/results/example-inspection.ts';
import { makeOwnFolder } from '../../../helpers/temporary-folder.ts';

const SAVED_AT = '2026-01-31T12:00:00.000Z';
const DRAFT = { saved_at: SAVED_AT, reviewer: 'Ada' };

let dir: string;
beforeEach(() => {
  dir = makeOwnFolder('page-test');
});

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
    expect(await readDraft(path, inspection)).toEqual({ draft });
    expect(readdirSync(dir)).toEqual(['a.review.json']);
    await expect(writeDraft('/proc/self/a.review.json', draft, dir)).rejects.toThrow(
      'cannot write /proc/self/a.review.json: ',
    );
  });

  test('one of another result, one that is no JSON, or one that cannot be read, is set aside and not applied', async () => {
    await writeDraft('a.review.json', draft, dir);
    const other = exampleInspection({ damages: 3, photos: 2 });
    const { draft: found, setAside } = await readDraft(join(dir, 'a.review.json'), other);
    expect(found).toBeNull();
    expect(setAside?.why).toBe('belongs to another result');
    expect(JSON.parse(readFileSync(setAside?.to ?? '', 'utf8'))).toEqual(draft);
    writeFileSync(join(dir, 'b.review.json'), '{"half": ');
    symlinkSync('loop.review.json', join(dir, 'loop.review.json'));
    for (const name of ['b.review.json', 'loop.review.json'])
      expect((await readDraft(join(dir, name), inspection)).setAside).toEqual({
        why: 'cannot be read as saved decisions',
        to: expect.stringContaining(`${name}.`),
      });
    // In /proc, nothing can be renamed.
    await expect(readDraft('/proc/self/status', inspection)).rejects.toThrow(
      '/proc/self/status cannot be read as saved decisions, and cannot be renamed: ',
    );
  });

  test('no draft is no draft', async () => {
    expect(await readDraft(join(dir, 'none.json'), inspection)).toEqual({ draft: null });
  });
});

test.each<[string, Record<string, string>, string, string]>([
  ['over ssh', { SSH_CONNECTION: '1', DISPLAY: ':0' }, 'linux', ''],
  ['in CI', { CI: 'true', DISPLAY: ':0' }, 'linux', ''],
  ['without a display', {}, 'linux', ''],
  ['with a display', { DISPLAY: ':0' }, 'linux', 'xdg-open URL'],
  ['on Wayland', { WAYLAND_DISPLAY: 'w' }, 'linux', 'xdg-open URL'],
  ['with a browser of one’s own', { BROWSER: 'firefox' }, 'linux', 'firefox URL, xdg-open URL'],
  [
    'with several',
    { BROWSER: 'firefox --tab %s: :w3m' },
    'linux',
    'firefox --tab URL, w3m URL, xdg-open URL',
  ],
  ['on macOS', {}, 'darwin', 'open URL'],
])('the browser %s', (_, env, platform, commands) => {
  expect(
    listBrowserCommands(env, platform, 'URL')
      .map((words) => words.join(' '))
      .join(', '),
  ).toBe(commands);
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

test('a draft whose decision is refused by now is refused with the reason, and stays as it is', async () => {
  const inspection = exampleInspection({ damages: 2, photos: 1 });
  const [first, second] = inspection.data.results?.damages ?? [];
  const accepted = { decision: 'accept', damage_id: first?.damage_id };
  const refused = { decision: 'change', damage_id: second?.damage_id, type: 'dent' };
  const draft = { ...DRAFT, result_sha256: hashJson(inspection), decisions: [accepted, refused] };
  await writeDraft('r.review.json', draft, dir);
  const result = reviewed(inspection, (list) => {
    if (list.length === 2)
      throw new VehiError('input', 'INVALID_DECISIONS', 'r.review.json: [1] is dent on windshield.');
  });
  await expect(resume(result, 'r.review.json', {}, ctx())).rejects.toMatchObject({
    code: 'INVALID_DECISIONS',
    message: 'r.review.json: [1] is dent on windshield.',
    hint: 'Put the photos back, or correct or remove the decision in r.review.json, which keeps all of them.',
  });
  expect(JSON.parse(readFileSync(join(dir, 'r.review.json'), 'utf8'))).toEqual(draft);
});

test('a draft resumes with its decisions and its reviewer', async () => {
  const inspection = exampleInspection({ damages: 1, photos: 1 });
  const decisions = [{ decision: 'nothing_more', image_index: 0 }];
  await writeDraft('r.review.json', { ...DRAFT, result_sha256: hashJson(inspection), decisions }, dir);
  const saved = await resume(
    reviewed(inspection, () => undefined),
    'r.review.json',
    {},
    ctx(),
  );
  expect(saved).toMatchObject({ decisions, reviewer: 'Ada', savedAt: SAVED_AT });
  expect(said).toContain('resuming with 1 decision saved in r.review.json');
});
