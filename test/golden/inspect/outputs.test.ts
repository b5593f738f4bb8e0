import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { findKindByEnding, KIND_NAMES, KINDS, listWrittenKinds } from '../../../src/cli/outputs/kinds.ts';
import { runInside } from '../../helpers/cli/run-inside.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';

const dir = makeOwnFolder('outputs');
beforeAll(() => {
  writeFileSync(join(dir, 'result.json'), JSON.stringify(exampleInspection()));
  mkdirSync(join(dir, 'fleet'));
});

/** Commands with one result each; none gets as far as opening a photo or a model. */
const COMMANDS = [
  ['inspect', ['inspect', 'fleet']],
  ['assess', ['assess', '--damage', 'hood:dent']],
  ['report', ['report', 'result.json']],
  ['compare', ['compare', 'result.json', 'result.json']],
  ['a fleet', ['inspect', '--many', 'fleet']],
] as const;

describe('what is written', () => {
  test.each(COMMANDS)('%s: an unknown ending or kind is refused, and nothing is written', async (_, args) => {
    for (const [output, said] of [
      ['claim.pfd', 'claim.pfd'],
      ['jsno=claim', 'Did you mean json?'],
    ] as const) {
      const run = await runInside([...args, '-o', output], { cwd: dir });
      expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(said) });
      expect(readdirSync(dir).sort()).toEqual(['fleet', 'result.json']);
    }
  });

  test.each([
    ['an ending', ['report', 'result.json', '-o', 'claim.pfd'], 'Did you mean claim.pdf?'],
    ['a kind without a file', ['report', 'result.json', '-o', 'pdf'], 'For example --output pdf=result.pdf'],
    ['no ending', ['report', 'result.json', '-o', 'claim'], '--output json=claim'],
    [
      'boxes without photos',
      ['assess', '--damage', 'hood:dent', '-o', 'evidence=a.zip'],
      'assess cannot write ',
    ],
    ['a format', ['report', 'result.json', '--format', 'juint'], 'Did you mean junit?'],
    [
      'a format of another command',
      ['inspect', 'fleet', '--format', 'pdf'],
      /inspect has no format pdf[\s\S]*To stdout: --output pdf=-/,
    ],
    ['a format of none', ['inspect', 'fleet', '--format', 'evidence'], /Kinds: (?!.*stdout)/],
  ])('%s: the message says what to do instead', async (_, args, said) => {
    const run = await runInside(args, { cwd: dir });
    expect(run.code).toBe(2);
    expect(run.stderr).toMatch(said);
  });

  test('a report is written in every kind by the ending of its file', async () => {
    // The lines of an estimate need one, evidence the photos; estimate.test.ts and evidence.test.ts write them.
    const kinds = listWrittenKinds('report').filter((kind) => !/^lines|evidence/.test(kind));
    const files = kinds.map((kind) => `all${KINDS[kind].endings[0]}`);
    const run = await runInside(['report', 'result.json', ...files.flatMap((file) => ['-o', file])], {
      cwd: dir,
    });
    expect(run.code).toBe(0);
    for (const [index, file] of files.entries()) {
      expect(findKindByEnding(file)).toBe(kinds[index]);
      expect(readFileSync(join(dir, file)).length, file).toBeGreaterThan(100);
    }
    for (const file of files) rmSync(join(dir, file));
  });

  test('a path with an equals sign is a path', async () => {
    const run = await runInside(['report', 'result.json', '-o', './of=7.csv'], { cwd: dir });
    expect(run.code).toBe(0);
    expect(existsSync(join(dir, 'of=7.csv'))).toBe(true);
  });

  test('no ending stands for two kinds', () => {
    const endings = KIND_NAMES.flatMap((kind) => [...KINDS[kind].endings]);
    expect(new Set(endings).size).toBe(endings.length);
  });
});
