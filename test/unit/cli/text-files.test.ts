import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, it, test } from 'vitest';
import { main } from '../../../src/cli/main.ts';
import { readDraft } from '../../../src/cli/review/draft.ts';
import { fakeTerminal } from '../../helpers/cli/fake-terminal.ts';
import { makeOwnFolder } from '../../helpers/own-folder.ts';
import { writeDrawnCar } from '../../helpers/photos/drawn-car.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';

const dir = makeOwnFolder('text-files');
const CONFIG = join(dir, 'config/vehi/config.json');
writeFileSync(
  join(dir, 'good.json'),
  JSON.stringify(exampleInspection({ damages: 1, photos: 1, rich: false })),
);
writeFileSync(join(dir, 'bills.csv'), 'damages,bill\nbad.json,100\n');
mkdirSync(join(dir, 'car'));
await writeDrawnCar(join(dir, 'car/front.jpg'));
const BAD = Buffer.from('{"owner": "\xfc"}', 'latin1');
for (const name of ['bad.json', 'bad.csv']) writeFileSync(join(dir, name), BAD);
const run = async (words: readonly string[], env = {}, stdin?: Uint8Array) => {
  const terminal = fakeTerminal({
    cwd: dir,
    env: { XDG_CONFIG_HOME: join(dir, 'config'), ...env },
    ...(stdin ? { stdin } : {}),
  });
  await main(['node', 'vehi', ...words], terminal.ctx);
  return { stdout: terminal.stdout(), stderr: terminal.stderr(), code: terminal.code };
};

interface Row {
  readonly words: readonly string[];
  /** Where the text is, in the message. */
  readonly said?: string;
  readonly code: number;
  readonly env?: Readonly<Record<string, string>>;
  /** A file that is not UTF-8 for the time of the row. */
  readonly file?: string;
  readonly stdin?: true;
}

it.each<[string, Row]>([
  ['an assess file', { words: ['assess', 'bad.json'], said: 'bad.json: ', code: 3 }],
  ['an assess file on stdin', { words: ['assess', '-'], said: 'stdin: ', code: 3, stdin: true }],
  ['a result', { words: ['report', 'bad.json'], said: 'bad.json: ', code: 3 }],
  ['a result on stdin', { words: ['report', '-'], said: 'stdin: ', code: 3, stdin: true }],
  ['a result to compare', { words: ['compare', 'good.json', 'bad.json'], said: 'bad.json: ', code: 3 }],
  [
    'an assessment',
    { words: ['report', 'good.json', '--assessment', 'bad.json'], said: 'bad.json: ', code: 3 },
  ],
  ['decisions', { words: ['review', 'good.json', '--decisions', 'bad.json'], said: 'bad.json: ', code: 3 }],
  [
    'decisions on stdin',
    { words: ['review', 'good.json', '--decisions', '-'], said: 'stdin: ', code: 3, stdin: true },
  ],
  ['bills', { words: ['regions', 'fit', 'bad.csv'], said: 'bad.csv', code: 3 }],
  [
    'damages that a list of bills names',
    { words: ['regions', 'fit', 'bills.csv'], said: 'bad.json: ', code: 3 },
  ],
  [
    'a list of vehicles',
    { words: ['inspect', '--many', 'bad.csv', '-o', 'out'], said: 'bad.csv: ', code: 3 },
  ],
  ['a list of photos on stdin', { words: ['inspect', '-'], said: 'stdin: ', code: 3, stdin: true }],
  ['vehi.json', { words: ['inspect', 'car'], said: 'vehi.json: ', code: 3, file: 'car/vehi.json' }],
  ['a regions file to check', { words: ['regions', 'validate', 'bad.json'], said: 'bad.json: ', code: 3 }],
  ['a regions file', { words: ['regions', 'list', '--regions', 'bad.json'], said: 'bad.json: ', code: 2 }],
  [
    'a regions file of the environment',
    {
      words: ['regions', 'list'],
      env: { VEHI_REGIONS_FILE: join(dir, 'bad.json') },
      said: 'bad.json: ',
      code: 2,
    },
  ],
  [
    'the settings of a project',
    { words: ['config'], said: 'vehi.config.json', code: 2, file: 'vehi.config.json' },
  ],
  ['the settings of a user', { words: ['config'], said: 'config.json', code: 2, file: CONFIG }],
  [
    'settings to change',
    { words: ['config', 'set', 'region', 'EU_GERMANY'], said: 'config.json', code: 2, file: CONFIG },
  ],
])(
  '%s that is not UTF-8 is refused with its byte',
  async (_, { words, said = '', code, env, file, stdin }) => {
    const bad = file === undefined ? null : resolve(dir, file);
    if (bad !== null) {
      mkdirSync(dirname(bad), { recursive: true });
      writeFileSync(bad, BAD);
    }
    const given = words.map((word) =>
      word === 'bad.json' && words[0] === 'regions' ? join(dir, word) : word,
    );
    try {
      const ran = await run(given, env, stdin && BAD);
      expect(ran).toMatchObject({ code, stdout: '' });
      expect(ran.stderr).toContain(said);
      expect(ran.stderr).toContain('byte 12 (0xFC, line 1) is not UTF-8');
      expect(ran.stderr).toContain('Windows-1252');
      expect(ran.stderr).not.toContain('a bug in vehi');
      if (bad !== null) expect(readFileSync(bad)).toEqual(BAD);
    } finally {
      if (bad !== null) rmSync(bad);
    }
  },
);

test('a draft that is not UTF-8 is put aside as it is', async () => {
  const draft = join(dir, 'result.review.json');
  writeFileSync(draft, BAD);
  const { renamedTo } = await readDraft(draft, exampleInspection({ damages: 1, photos: 1, rich: false }));
  expect(readFileSync(renamedTo ?? '')).toEqual(BAD);
});

test('a value of the environment that is not UTF-8 is refused, unless it names a file', async () => {
  const env = { VEHI_INSPECTOR: 'M\uFFFDller', OTHER: 'M\uFFFDller' };
  expect(await run(['regions', 'list'], env)).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('VEHI_INSPECTOR=M\uFFFDller is not UTF-8'),
  });
  expect((await run(['regions', 'list'], { OTHER: 'M\uFFFDller' })).stderr).toBe('');
  mkdirSync(join(dir, 'model\uFFFD'));
  expect((await run(['config'], { VEHI_MODEL_DIR: 'model\uFFFD' })).stderr).toBe('');
});

test('an argument that is not UTF-8 is refused, unless it names a file', async () => {
  expect(await run(['regions', 'show', 'M\uFFFDller'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is not UTF-8'),
  });
  mkdirSync(join(dir, 'M\uFFFDller'));
  expect((await run(['inspect', 'M\uFFFDller'])).stderr).not.toContain('is not UTF-8');
});

test('config set keeps a path of the folder it was called in', async () => {
  expect((await run(['config', 'set', 'regions', './mine.json'])).code).toBe(null);
  expect((await run(['config'])).stdout).toContain(join(dir, 'mine.json'));
});
