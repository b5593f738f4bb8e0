import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runMan } from '../../../src/cli/help/man.run.ts';
import { buildProgram } from '../../../src/cli/program.ts';
import { runHistory, runShow } from '../../../src/cli/results/history.run.ts';
import { fakeTerminal } from '../../helpers/cli/fake-terminal.ts';

const dir = mkdtempSync(join(tmpdir(), 'vehi-history-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const terminal = (columns = 200) => fakeTerminal({ columns, env: { VEHI_DATA_DIR: dir } });

it('says that nothing is kept, and what is no result', async () => {
  const empty = terminal();
  await runHistory({ limit: 20 }, empty.ctx);
  expect(empty.stdout()).toBe('No results are kept. vehi inspect --save keeps one.\n');
  const json = terminal();
  await runHistory({ limit: 20, json: true }, json.ctx);
  expect(JSON.parse(json.stdout())).toEqual({ results: [] });
  await expect(runShow('vis_1', {}, terminal().ctx)).rejects.toMatchObject({
    code: 'SOURCE_NOT_FOUND',
    message: 'no result vis_1 is kept',
  });
});

it('says which file was skipped', async () => {
  const { mkdirSync } = await import('node:fs');
  mkdirSync(join(dir, 'results'), { recursive: true });
  const file = join(dir, 'results', 'vis_broken.json');
  writeFileSync(file, '{}');
  const found = terminal();
  await runHistory({ limit: 20 }, found.ctx);
  expect(found.stderr()).toBe(`vehi: ${file} is not a stored result and was skipped\n`);
});

it.each([
  [['inspekt'], 'there is no command "inspekt".', /^Known: inspect, assess/],
  [['models', 'evaluate'], 'there is no command "models evaluate".', /^Known: list, verify, info, eval, fit/],
  [['inspect', 'me'], 'there is no command "inspect me".', /^vehi help lists/],
])('has no manual page of %j', async (words, message, hint) => {
  const { ctx } = terminal();
  await expect(runMan(words, {}, ctx, () => buildProgram(ctx, 'all'))).rejects.toMatchObject({
    kind: 'usage',
    message,
    hint: expect.stringMatching(hint),
  });
});

it('prints the page of a command with its day', async () => {
  const page = terminal();
  await runMan(['models', 'eval'], { now: '2026-03-01T23:00:00Z' }, page.ctx, () =>
    buildProgram(page.ctx, 'all'),
  );
  expect(page.stdout()).toMatch(/^\.TH VEHI\\-MODELS\\-EVAL 1 2026-03-01 "vehi [\d.]+"/);
});
