import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { ROOT } from '../helpers/cli/run-cli.ts';
import { makeOwnFolder } from '../helpers/temporary-folder.ts';

/** The edits that docs/adding.md shows, by the heading they stand under. */
const EDITS = new Map(
  readFileSync(join(ROOT, 'docs/adding.md'), 'utf8')
    .split(/^## /m)
    .flatMap((section) => {
      const [, edit] = /^```diff\n(.*?)^```$/ms.exec(section) ?? [];
      return edit === undefined ? [] : [[section.slice(0, section.indexOf('\n')), edit] as const];
    }),
);
const DENT = ['assess', '--vehicle-id', 'x', '--damage', 'front_door_left:dent:moderate'];

const copy = makeOwnFolder('adding');
const run = (command: string, args: readonly string[], input?: string) =>
  execFileSync(command, args, { cwd: copy, encoding: 'utf8', input });

const ROWS = [
  ['A flag', ['regions', 'list', '--names'], /^US_\w+\n[A-Z_\n]+$/],
  ['A field', [...DENT, '--json'], /"parts_damaged": 1,/],
  ['An output format', [...DENT, '--format', 'tsv'], /^front_door_left\tdent[^\t]*\t[^\t]+\t[\d.]+\n/],
  [
    'A sentence of a report',
    [...DENT, '-o', 'out.html'],
    />The shop that takes the job sees the vehicle before it quotes\.</,
  ],
] as const;
/** What each command prints, in the order of the rows. */
let printed: readonly string[];

beforeAll(() => {
  for (const name of ['src', 'package.json', 'tsconfig.json'])
    cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  for (const name of ['node_modules', 'models']) symlinkSync(join(ROOT, name), join(copy, name));
  run('git', ['init', '--quiet']);
  for (const [heading] of ROWS) run('git', ['apply', '-'], EDITS.get(heading) ?? '');
  // One process for all of them: to read the sources takes it a second.
  const lines = JSON.stringify(ROWS.map(([, args]) => args));
  const start = `import('./src/cli/main.ts').then(async ({ main }) => {
    for (const args of ${lines}) {
      await main(['node', 'vehi', ...args]);
      process.stdout.write('\f');
    }
  })`;
  printed = run(process.execPath, ['--import', 'tsx', '-e', start]).split('\f');
}, 60_000);

test.each(ROWS.map((row, index) => [...row, index] as const))(
  '%s is added by one edit',
  (_, args, expected, index) => {
    const file = args.find((one) => one === 'out.html');
    expect(file ? readFileSync(join(copy, file), 'utf8') : printed[index]).toMatch(expected);
  },
);

test('with all four edits the types hold', { timeout: 120_000 }, () => {
  expect(run('node_modules/.bin/tsc', ['-p', '.', '--noEmit'])).toBe('');
});
