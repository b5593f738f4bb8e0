import { mkdirSync, readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { findKindByEnding, KINDS, listKinds } from '../../../src/cli/outputs/kinds.ts';
import { openBuilt } from '../../helpers/cli/run-inside.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';

const { folder, at, read, run, write } = openBuilt('outputs');
write('result.json', exampleInspection());
mkdirSync(at('fleet'));

describe('what is written', () => {
  // None of these gets as far as opening a photo or a model.
  test.each([
    'inspect fleet',
    'assess --damage hood:dent',
    'report result.json',
    'compare result.json result.json',
    'inspect --many fleet',
  ])('%s: an unknown ending or kind is refused, and nothing is written', async (line) => {
    for (const [output, said] of [
      ['claim.pfd', 'claim.pfd'],
      ['jsno=claim', 'Did you mean json?'],
    ] as const) {
      const ran = await run(`${line} -o ${output}`);
      expect(ran).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(said) });
      expect(readdirSync(folder).sort()).toEqual(['fleet', 'result.json']);
    }
  });

  test.each([
    ['report result.json -o claim.pfd', /Did you mean claim.pdf\?/],
    ['report result.json -o pdf', /For example --output pdf=result.pdf/],
    ['report result.json -o claim', /--output json=claim/],
    ['assess --damage hood:dent -o evidence=a.zip', /assess cannot write /],
    ['report result.json --format juint', /Did you mean junit\?/],
    ['inspect fleet --format pdf', /inspect has no format pdf[\s\S]*To stdout: --output pdf=-/],
    ['inspect fleet --format evidence', /Kinds: (?!.*stdout)/],
  ])('%s: the message says what to do instead', async (line, said) => {
    expect(await run(line)).toMatchObject({ code: 2, stderr: expect.stringMatching(said) });
  });

  test('a report is written in every kind by the ending of its file; a path with an equals sign is a path', async () => {
    // The lines of an estimate need one, evidence the photos; estimate.test.ts and evidence.test.ts write them.
    const kinds = listKinds('written', 'report').filter((kind) => !/^lines|evidence/.test(kind));
    const files = kinds.map((kind) => `all${KINDS[kind].endings[0]}`);
    expect(files.map(findKindByEnding)).toEqual(kinds);
    const all = [...files, './of=7.csv'];
    expect((await run(['report', 'result.json', ...all.flatMap((file) => ['-o', file])])).code).toBe(0);
    for (const file of all) expect(read(file).length, file).toBeGreaterThan(100);
  });
});
