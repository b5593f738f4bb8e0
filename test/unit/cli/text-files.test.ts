import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, it, test } from 'vitest';
import { main } from '../../../src/cli/main.ts';
import { readDraft } from '../../../src/cli/review/draft.ts';
import { fakeTerminal } from '../../helpers/cli/fake-terminal.ts';
import { writeDrawnCar } from '../../helpers/photos/drawn-car.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';

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
  readonly env?: Readonly<Record<string, string>>;
  /** A file that is not UTF-8 for the time of the row. */
  readonly file?: string;
}
const USER: Row = { file: CONFIG };

/** The text comes by stdin where `-` is among the words. */
it.each<[what: string, words: string, said: string, code: number, row?: Row]>([
  ['an assess file', 'assess bad.json', 'bad.json: ', 3],
  ['an assess file on stdin', 'assess -', 'stdin: ', 3],
  ['a result', 'report bad.json', 'bad.json: ', 3],
  ['a result on stdin', 'report -', 'stdin: ', 3],
  ['a result to compare', 'compare good.json bad.json', 'bad.json: ', 3],
  ['an assessment', 'report good.json --assessment bad.json', 'bad.json: ', 3],
  ['decisions', 'review good.json --decisions bad.json', 'bad.json: ', 3],
  ['decisions on stdin', 'review good.json --decisions -', 'stdin: ', 3],
  ['bills', 'regions fit bad.csv', 'bad.csv', 3],
  ['damages that a list of bills names', 'regions fit bills.csv', 'bad.json: ', 3],
  ['a list of vehicles', 'inspect --many bad.csv -o out', 'bad.csv: ', 3],
  ['a list of photos on stdin', 'inspect -', 'stdin: ', 3],
  ['vehi.json', 'inspect car', 'vehi.json: ', 3, { file: 'car/vehi.json' }],
  ['a regions file to check', 'regions validate bad.json', 'bad.json: ', 3],
  ['a regions file', 'regions list --regions bad.json', 'bad.json: ', 2],
  [
    'one of the environment',
    'regions list',
    'bad.json: ',
    2,
    { env: { VEHI_REGIONS_FILE: join(dir, 'bad.json') } },
  ],
  ['the settings of a project', 'config', 'vehi.config.json', 2, { file: 'vehi.config.json' }],
  ['the settings of a user', 'config', 'config.json', 2, USER],
  ['settings to change', 'config set region EU_GERMANY', 'config.json', 2, USER],
])('%s that is not UTF-8 is refused with its byte', async (_, line, said, code, { env, file } = {}) => {
  const bad = file === undefined ? null : resolve(dir, file);
  if (bad !== null) {
    mkdirSync(dirname(bad), { recursive: true });
    writeFileSync(bad, BAD);
  }
  const words = line
    .split(' ')
    .map((word) => (word === 'bad.json' && line.startsWith('regions') ? join(dir, word) : word));
  try {
    const ran = await run(words, env, words.includes('-') ? BAD : undefined);
    expect(ran).toMatchObject({ code, stdout: '' });
    expect(ran.stderr).toContain(said);
    expect(ran.stderr).toContain('byte 12 (0xFC, line 1) is not UTF-8');
    expect(ran.stderr).toContain('Windows-1252');
    expect(ran.stderr).not.toContain('a bug in vehi');
    if (bad !== null) expect(readFileSync(bad)).toEqual(BAD);
  } finally {
    if (bad !== null) rmSync(bad);
  }
});

test('a draft that is not UTF-8 is put aside as it is', async () => {
  const draft = join(dir, 'result.review.json');
  writeFileSync(draft, BAD);
  const { setAside } = await readDraft(draft, exampleInspection({ damages: 1, photos: 1, rich: false }));
  expect(readFileSync(setAside?.to ?? '')).toEqual(BAD);
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
  expect((await run(['report', 'M\uFFFDller'])).stderr).toContain('is a folder of photos');
});

test('config set keeps a path of the folder it was called in', async () => {
  expect((await run(['config', 'set', 'data_dir', './mine'])).code).toBe(null);
  expect((await run(['config'])).stdout).toContain(join(dir, 'mine'));
});
