import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { expect, it, test } from 'vitest';
import { readDraft } from '../../../src/cli/review/draft.ts';
import { openFolder } from '../../helpers/cli/claim-folder.ts';
import { writeDrawnCar } from '../../helpers/photos/drawn-car.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';

const { at, run, write } = openFolder('text-files');
const CONFIG = 'config/vehi/config.json';
write('good.json', exampleInspection({ damages: 1, photos: 1, rich: false }));
write('bills.csv', 'damages,bill\nbad.json,100\n');
mkdirSync(at('car'));
await writeDrawnCar(at('car/front.jpg'));
const BAD = Buffer.from('{"owner": "\xfc"}', 'latin1');
for (const name of ['bad.json', 'bad.csv']) write(name, BAD);
const OWN = { XDG_CONFIG_HOME: at('config') };

/** The text comes by stdin where `-` is among the words, or is that of a file for the time of the row. */
it.each<[what: string, words: string, said: string, code: number, file?: string]>([
  ['an assess file', 'assess bad.json', 'bad.json: ', 3],
  ['an assess file on stdin', 'assess -', 'stdin: ', 3],
  ['a result', 'report bad.json', 'bad.json: ', 3],
  ['decisions', 'review good.json --decisions bad.json', 'bad.json: ', 3],
  ['bills', 'regions fit bad.csv', 'bad.csv', 3],
  ['damages that a list of bills names', 'regions fit bills.csv', 'bad.json: ', 3],
  ['a list of vehicles', 'inspect --many bad.csv -o out', 'bad.csv: ', 3],
  ['a list of photos on stdin', 'inspect -', 'stdin: ', 3],
  ['vehi.json', 'inspect car', 'vehi.json: ', 3, 'car/vehi.json'],
  ['a regions file to check', 'regions validate bad.json', 'bad.json: ', 3],
  ['a regions file', `regions list --regions ${at('bad.json')}`, 'bad.json: ', 2],
  ['the settings of a project', 'config', 'vehi.config.json', 2, 'vehi.config.json'],
  ['the settings of a user', 'config', 'config.json', 2, CONFIG],
  ['settings to change', 'config set region EU_GERMANY', 'config.json', 2, CONFIG],
])('%s that is not UTF-8 is refused with its byte', async (_, line, said, code, file) => {
  write(file ?? 'bad.json', BAD);
  try {
    const ran = await run(line, OWN, line.endsWith(' -') ? BAD : '');
    expect(ran).toMatchObject({ code, stdout: '' });
    expect(ran.stderr).toContain(said);
    expect(ran.stderr).toContain('byte 12 (0xFC, line 1) is not UTF-8');
    expect(ran.stderr).not.toContain('a bug in vehi');
    expect(readFileSync(at(file ?? 'bad.json'))).toEqual(BAD);
  } finally {
    if (file !== undefined) rmSync(at(file));
  }
});

test('a draft that is not UTF-8 is put aside as it is', async () => {
  write('result.review.json', BAD);
  const { setAside } = await readDraft(
    at('result.review.json'),
    exampleInspection({ damages: 1, photos: 1, rich: false }),
  );
  expect(readFileSync(setAside?.to ?? '')).toEqual(BAD);
});

test('an argument or variable of ours that is not UTF-8 is refused, unless it names a file', async () => {
  const name = 'M\uFFFDller';
  const refused = async (ran: ReturnType<typeof run>, what: string) =>
    expect(await ran).toMatchObject({ code: 2, stderr: expect.stringContaining(`${what} is not UTF-8`) });
  await refused(run(['regions', 'show', name]), `the argument ${name}`);
  await refused(run(['regions', 'list'], { VEHI_INSPECTOR: name }), `VEHI_INSPECTOR=${name}`);
  expect((await run(['regions', 'list'], { OTHER: name })).stderr).toBe('');
  mkdirSync(at(name));
  expect((await run(['config'], { VEHI_MODEL_DIR: name })).stderr).toBe('');
  expect((await run(['report', name])).stderr).toContain('is a folder of photos');
});

test('config set keeps a path of the folder it was called in', async () => {
  expect((await run('config set data_dir ./mine', OWN)).code).toBe(0);
  expect((await run('config', { ...OWN, VEHI_DATA_DIR: '' })).stdout).toContain(at('mine'));
});
