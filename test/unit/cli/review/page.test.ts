import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { readDraft, writeDraft } from '../../../../src/cli/review/draft.ts';
import { listBrowserCommands } from '../../../../src/cli/review/page.ts';
import { resume } from '../../../../src/cli/review/review-on-page.ts';
import { VehiError } from '../../../../src/lib/errors.ts';
import { hashJson } from '../../../../src/lib/ids.ts';
import { fakeTerminal } from '../../../helpers/cli/fake-terminal.ts';
import { exampleInspection } from '../../../helpers/results/example-inspection.ts';
import { makeOwnFolder, openFiles } from '../../../helpers/temporary-folder.ts';

let files: ReturnType<typeof openFiles>;
beforeEach(() => {
  files = openFiles(makeOwnFolder('page-test'));
});

const inspection = exampleInspection({ damages: 2, photos: 2 });
const draft = {
  result_sha256: hashJson(inspection),
  saved_at: '2026-01-31T12:00:00.000Z',
  reviewer: 'Ada',
  decisions: [{ decision: 'nothing_more', image_index: 0 }],
};

describe('the draft', () => {
  test('what was written is read, and nothing else lies about', async () => {
    const { folder, at } = files;
    await writeDraft('a.review.json', draft, folder);
    expect(await readDraft(at('a.review.json'), inspection)).toEqual({ draft });
    expect(await readDraft(at('none.json'), inspection)).toEqual({ draft: null });
    expect(readdirSync(folder)).toEqual(['a.review.json']);
    await expect(writeDraft('/proc/self/a.review.json', draft, folder)).rejects.toThrow(
      'cannot write /proc/self/a.review.json: ',
    );
  });

  test('one of another result, one that is no JSON, or one that cannot be read, is set aside and not applied', async () => {
    const { at, write } = files;
    write('other.review.json', { ...draft, result_sha256: 'another' });
    write('half.review.json', '{"half": ');
    symlinkSync('loop.review.json', at('loop.review.json'));
    for (const [name, why] of [
      ['other.review.json', 'belongs to another result'],
      ['half.review.json', 'cannot be read as saved decisions'],
      ['loop.review.json', 'cannot be read as saved decisions'],
    ] as const) {
      const { draft: found, setAside } = await readDraft(at(name), inspection);
      expect([found, setAside]).toEqual([null, { why, to: expect.stringContaining(`${name}.`) }]);
      if (name.startsWith('other'))
        expect(JSON.parse(readFileSync(setAside?.to ?? '', 'utf8'))).toMatchObject({ reviewer: 'Ada' });
    }
    // In /proc, nothing can be renamed.
    await expect(readDraft('/proc/self/status', inspection)).rejects.toThrow(
      '/proc/self/status cannot be read as saved decisions, and cannot be renamed: ',
    );
  });

  /** Resumes the review of the draft; decisions are applied by this function. */
  async function resumeBy(judge: (decisions: readonly unknown[]) => void) {
    const { ctx, stderr } = fakeTerminal({ cwd: files.folder });
    const apply = async (list: unknown) => {
      judge(list as readonly unknown[]);
      return { ...inspection, review: { decisions: [], photos_checked: [], not_reviewed: [] } };
    };
    const reviewing = { inspection, apply, flags: {}, ctx } as unknown as Parameters<typeof resume>[0];
    return { saved: await resume(reviewing, 'r.review.json'), stderr };
  }

  test('resumes with its decisions and its reviewer', async () => {
    files.write('r.review.json', draft);
    const { saved, stderr } = await resumeBy(() => undefined);
    const { decisions, reviewer, saved_at: savedAt } = draft;
    expect(saved).toMatchObject({ decisions, reviewer, savedAt });
    expect(stderr()).toContain('resuming with 1 decision saved in r.review.json');
  });

  test('whose decision is refused by now is refused with the reason, and stays as it is', async () => {
    files.write('r.review.json', draft);
    const refused = resumeBy(() => {
      throw new VehiError('input', 'INVALID_DECISIONS', 'r.review.json: [0] is dent on windshield.');
    });
    await expect(refused).rejects.toMatchObject({
      code: 'INVALID_DECISIONS',
      message: 'r.review.json: [0] is dent on windshield.',
      hint: 'Put the photos back, or correct or remove the decision in r.review.json, which keeps all of them.',
    });
    expect(files.readJson('r.review.json')).toEqual(draft);
  });
});

const SEVERAL = { BROWSER: 'firefox --tab %s: :w3m' };
test.each<[string, Record<string, string>, string, string]>([
  ['over ssh', { SSH_CONNECTION: '1', DISPLAY: ':0' }, 'linux', ''],
  ['in CI', { CI: 'true', DISPLAY: ':0' }, 'linux', ''],
  ['without a display', {}, 'linux', ''],
  ['with a display', { DISPLAY: ':0' }, 'linux', 'xdg-open URL'],
  ['on Wayland', { WAYLAND_DISPLAY: 'w' }, 'linux', 'xdg-open URL'],
  ['with several', SEVERAL, 'linux', 'firefox --tab URL, w3m URL, xdg-open URL'],
  ['on macOS', {}, 'darwin', 'open URL'],
])('the browser %s', (_, env, platform, commands) => {
  const listed = listBrowserCommands(env, platform, 'URL');
  expect(listed.map((words) => words.join(' ')).join(', ')).toBe(commands);
});
