import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { main } from '../../../src/cli/main.ts';
import { OPTIONS } from '../../../src/config/options.ts';
import { openFolder } from '../../helpers/cli/claim-folder.ts';
import { listCommands } from '../../helpers/cli/command-tree.ts';
import { fakeTerminal } from '../../helpers/cli/fake-terminal.ts';
import { TINY_MODELS } from '../../helpers/photos/drawn-car.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';

const { folder, at, read, run: runIn, write } = openFolder('hints');
mkdirSync(at('fleet/first'), { recursive: true });
mkdirSync(at('my car'));
for (const name of ['handover.json', 'return.json', 'return/inspection.json'])
  write(name, exampleInspection({ damages: 1, photos: 1 }));
const DAMAGE = { location: 'hood', type: 'dent', severity: 'minor' };
write('jobs.csv', 'damages,bill\nhood:dent,900\nhod:dent,900\nhood:det,900\nhood:dent,1e999');
write('a.jpg', Buffer.from([0xff, 0xd8, 0xff, 0xe0]));
write('lines.json', { damages: [DAMAGE], line_edits: [{ part: 'roof', price: 1 }] });
write('unfit.json', { damages: [DAMAGE], claim: 'C-4711', line_edits: [null] });
write('hod.json', [{ ...DAMAGE, location: 'hod' }]);
write('estimate.json', { data: { assessed_damages: [], estimate: { lines: [] } } });
write('few.csv', `damages,bill\n${'hood:dent,900\n'.repeat(19)}`);
write('estimates.csv', `damages,bill\n${'estimate.json,100\n'.repeat(5)}`);

/** Runs a command line; an inspection ends at the models, which are not there. */
async function run(line: string | readonly string[], env = {}) {
  const { code, stdout, stderr } = await runIn(line, { VEHI_MODEL_DIR: at('nowhere'), ...env });
  return { code, said: (stderr || stdout).replaceAll(/\s+/g, ' ') };
}

describe('a refusal names what was found', () => {
  test.each<[given: string, code: number, said: string]>([
    ['report handover.json --photos gone -o r.csv', 2, '--photos gone is not a folder.'],
    ['review handover.json --decisions d.json --photos jobs.csv', 2, '--photos jobs.csv is not a folder.'],
    ['review handover.json --decisions d.json -o x.pdf', 2, '--output x.pdf: review cannot write pdf'],
    ['compare handover.json return.json --photos-before gone', 2, '--photos-before gone is not a folder.'],
    ['compare handover.json return.json --photos-after gone', 2, '--photos-after gone is not a folder.'],
    ['compare handover.json return.json --checklist', 2, '--checklist is made before the return, and'],
    ['assess --damage hood:dent --set vim=1', 2, '--set: vim is not a fact. Did you mean vin?'],
    ['assess --damage hood:dent --set color=red', 2, '--set: color is not a fact. One of claim_number, '],
    [
      'assess --damage hood:dent --damage hod:dent --edit 1:remove --edit 1:hours=-5',
      2,
      '2 faults: --damage hod:dent: location is "hod", which is not a recognized part. Did you mean hood? --edit 1:hours=-5: hours is -5; a number',
    ],
    ['assess lines.json --edit 1:remove --edit 1:hours=5', 2, 'hood/pdr is edited by --edit 1:remove as'],
    ['assess unfit.json --set claim_number=C-1', 3, 'claim is "C-4711"'],
    ['assess unfit.json --edit 1:hours=5', 3, 'line_edits[0] is null'],
    ['assess hod.json --edit 1:hours=-5', 3, '2 faults: damages[0].location is "hod"'],
    ['assess --damage hood:dent --fail-on bogus', 2, 'none; cost>5000 (without separators of thousands).'],
    ['assess --damage hood:dent --edit 1:hours=0x2', 2, 'hours is 0x2; a number is needed.'],
    ['assess --damage hood:dent --market-value 15.000', 2, '15.000: an amount above 0 is needed.'],
    ['assess --damage hood:dent --set year=0x7e0', 2, '--set: year is "0x7e0"; a whole number'],
    ['compare handover.json --checklist --fail-on new', 2, "'--fail-on <conditions>': leave out one"],
    ['inspect return -o l.lines.csv', 2, 'lines are those of an estimate, and none is made. Add --assess.'],
    ['inspect --many fleet -o lines=l', 2, 'Add --assess.'],
    ['compare gone.json gone.json --fail-on severe', 2, 'It is a condition of vehi inspect'],
    ['compare gone.json', 2, 'compare needs a later inspection.'],
    [`compare gone.json gone.json --decide 3=new:${'x'.repeat(501)}`, 2, 'has 501 characters. At most 500.'],
    ['config set format xml', 2, 'config set: there is no output kind "xml".'],
    ['assess estimate.json', 3, 'estimate.json is an estimate; the damages that it prices are needed.'],
    ['regions fit jobs.csv', 3, 'jobs.csv: 3 faults: line 3: damages[0].location is "hod"'],
    ['regions fit jobs.csv --from EU_GERMANI', 2, '--from EU_GERMANI is not a region of the table.'],
    ['regions fit few.csv', 3, 'few.csv has 19 jobs; at least 20 are needed.'],
    ['regions show US_TEXS', 2, 'US_TEXS is not a region of the table. Did you mean US_TEXAS?'],
    ['regions fit estimates.csv', 3, 'line 2: estimate.json is not an estimate: status is missing'],
    // Neither can be read: Linux answers an input/output error.
    ['report /proc/self/mem', 3, 'cannot read /proc/self/mem: i/o error'],
    ['verify none.zip', 3, 'none.zip is not a file.'],
    ['verify jobs.csv', 3, 'it is truncated or not a zip file'],
    ['capture car --baseline gone.json', 3, 'there is no file gone.json'],
    ['compare handover.json lines.json', 3, 'lines.json'],
    ['work', 2, '--database and --objects'],
    ['admin data purge --vehicle x --yes --data gone', 2, 'gone: there is no service data here.'],
    ['verify /proc/self/mem', 3, 'cannot read /proc/self/mem: i/o error'],
    ['report a.jpg', 3, 'a.jpg is a photo, not a result. vehi inspect a.jpg -o result.json, then'],
    ['capture a.jpg/new --host 127.0.0.1', 2, 'a.jpg/new: not a directory'],
    ...['inspect return', 'assess', 'report return.json', 'compare handover.json return.json'].map(
      (line): [string, number, string] => [`${line} -o claim.pfd`, 2, 'Did you mean claim.pdf?'],
    ),
    ['report handover.json -o jsno=claim', 2, 'Did you mean json?'],
    ['report handover.json -o pdf', 2, 'For example --output pdf=result.pdf'],
    ['report handover.json -o claim', 2, '--output json=claim'],
    ['assess --damage hood:dent -o evidence=a.zip', 2, 'assess cannot write '],
    ['report handover.json --format juint', 2, 'Did you mean junit?'],
    ['inspect return --format pdf', 2, 'junit, github, markdown. To stdout: --output pdf=-'],
    // Which cannot be printed.
    ['inspect return --format evidence', 2, 'Kinds: table, json, csv, parts, junit, github, markdown.'],
    ['report return.json --set vin=1M8GDM9AXKP0I2788', 2, '--set: vin has "I", which is in no VIN'],
    ['report return.json --set insured', 2, 'key=value is needed'],
    ['config set claim_number C-1', 2, 'vehi.json next to its photos, or in --set'],
    ['completion tcsh', 2, 'there is no script for tcsh. Shells: bash, zsh, fish.'],
  ])('%s', async (given, code, said) => {
    expect(await run(given)).toEqual({ code, said: expect.stringContaining(said) });
  });

  test.each([
    ['V', { VEHI_CERTAIN_FROM: '0.2', VEHI_TO_CHECK_FROM: '0.5' }, 'certain_from must not be the lower'],
    ['V', { VEHI_FONT: 'none.ttf' }, 'VEHI_FONT: the font none.ttf cannot be read'],
    ['V'.repeat(200), {}, '--vehicle-id has 200 characters'],
  ])('capture refuses before the first photo what inspect refuses: %s %j', async (id, env, said) => {
    const ran = await run(`capture new --host 127.0.0.1 --vehicle-id ${id}`, env);
    expect(ran).toEqual({ code: 2, said: expect.stringContaining(said) });
  });

  test('the command that goes on with a capture has its flags', async () => {
    const terminal = fakeTerminal({ cwd: folder, env: { VEHI_MODEL_DIR: TINY_MODELS } });
    const flags = ['--host', '127.0.0.1', '--now', '2026-01-01T00:00:00Z'];
    const words = ['vehi', 'capture', 'taken', '--port', '0', '--vehicle-id', 'V 9', ...flags];
    const ended = main(['node', ...words], terminal.ctx);
    await expect.poll(terminal.stderr, { timeout: 4000 }).toContain('Photos go to');
    terminal.stop();
    await ended;
    expect(terminal.stderr()).toContain(`${words.join(' ').replace('V 9', "'V 9'")} goes on`);
  });

  test('a command in a hint can be typed as it stands', async () => {
    const { said } = await run(['report', 'my car']);
    expect(said).toContain("vehi inspect 'my car' -o result.json, then give result.json.");
    const shown = await runIn('regions show US_TEXAS --json');
    expect((await runIn('regions validate -', {}, shown.stdout)).stdout).toBe(
      'stdin: 1 region: US_TEXAS\n  vehi assess damages.json --regions FILE --region US_TEXAS\n',
    );
  });

  test('stdin is one input, which no next command can read again', async () => {
    const stdin = read('handover.json');
    const twice = await runIn('compare - -', {}, stdin);
    expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining('stdin (-) is given twice')]);
    const { stdout } = await runIn('report - --format table', {}, stdin);
    expect(stdout).toContain('DAMAGE ');
    expect(stdout).not.toContain('vehi review');
  });
});

describe('what a hint says to do is not refused for the opposite reason', () => {
  test.each<[given: string, hint: RegExp, followed: string]>([
    ['inspect return --fail-on new', /of vehi compare/, 'compare handover.json return.json --fail-on new'],
    ['inspect --resume return', /--many FOLDER/, 'inspect --resume --many fleet -o out'],
    ['inspect --resume return', /or leave it out/, 'inspect return'],
    ['inspect --many return', /the folder above the vehicles/, 'inspect --many fleet'],
    ['inspect --many return', /leave --many out/, 'inspect return'],
    ['inspect return --many fleet', /vehi inspect --many \.\/fleet/, 'inspect --many fleet'],
    ['inspect --many fleet --sort x', /leave out one/, 'inspect --many fleet'],
    ['inspect --many fleet --sort x', /leave out one/, 'inspect return --sort x'],
    ['compare handover.json', /RETURN\.json/, 'compare handover.json return.json'],
    ['compare handover.json', /or --checklist before the return/, 'compare handover.json --checklist'],
    ['report return.json --set body=suv', /vehi assess RESULT\.json/, 'assess return.json --set body=suv'],
    ['capture return --baseline return/inspection.json', /another folder/, 'capture x --baseline gone.json'],
    ['review handover.json', /--decisions FILE/, 'review handover.json --decisions return.json'],
    ['assess', /--damage part:type/, 'assess --damage hood:dent'],
    ['assess', /Name a JSON file/, 'assess handover.json'],
    ['serve --database postgres://x', /example --objects/, 'serve --database postgres://x --objects ftp://y'],
    ['serve --objects file:///x', /For example --database/, 'serve --objects file:///x --database mysql://y'],
    ['admin data purge --vehicle x --data gone', /--yes/, 'admin data purge --vehicle x --data gone --yes'],
    ['admin data purge --data gone', /--vehicle or/, 'admin data purge --data gone --vehicle x'],
  ])('%s: %s', async (given, hint, followed) => {
    const refused = await run(given);
    expect(refused.said).toMatch(hint);
    const after = await run(followed);
    const [reason = ''] = refused.said.split(hint);
    expect([reason.length > 0, after.said.includes(reason)]).toEqual([true, false]);
    // A flag that the hint names is taken.
    expect(after.said).not.toMatch(
      /unknown option|is not a condition|belong together|was removed|leave it out/,
    );
  });
});

/** Flags of npm, Node.js, PostgreSQL and the style sheets, and those that every command has. */
const OTHERS = ['help', 'global', 'include', 'ignore-scripts', 'import', 'encoding', 'template'].map(
  (name) => `--${name}`,
);

test('every flag that a sentence of the product names exists, on the command that it names', () => {
  const commands = new Map(listCommands().map((one) => [one.path, one.options.map(({ long }) => long)]));
  const ofOptions = Object.values(OPTIONS).map(({ flag }) => flag.match(/--[a-z-]+/)?.[0]);
  const flags = new Set([...[...commands.values()].flat(), ...ofOptions, ...OTHERS]);
  const sources = execFileSync('git', ['ls-files', 'src/*.ts'], { encoding: 'utf8' }).trim().split('\n');
  const pages = /^src\/(web|report\/html)\/|html\.ts$|dropped\.ts$/;
  const found = sources
    .filter((file) => !pages.test(file))
    .flatMap((file) => {
      const text = readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
      const named = /(?:vehi ([a-z]+(?: [a-z]+)*)[^'`.;,)]*?)?(?<![-\w(])(--[a-z][a-z-]+)/g;
      return [...text.matchAll(named)].map(([all, words = '', flag = '']) => {
        const path = words.split(' ');
        while (path.length > 0 && !commands.has(path.join(' '))) path.pop();
        const own = path[0] ? commands.get(path.join(' ')) : undefined;
        const isWrong = !flags.has(flag) || (own && !own.includes(flag) && !OTHERS.includes(flag));
        return { isWrong, where: `${file}: ${all}` };
      });
    });
  expect(found.length).toBeGreaterThan(100);
  expect(found.filter(({ isWrong }) => isWrong)).toEqual([]);
});
