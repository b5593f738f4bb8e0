import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listThirdParty } from '../../../scripts/third-party.ts';
import { type CommandRow, EXIT_CODES_TOPIC } from '../../../src/cli/commands.ts';
import { main } from '../../../src/cli/main.ts';
import { EXIT, EXIT_WORDS, type ExitName } from '../../../src/cli/terminal/exit-codes.ts';
import { listChildren, type VehiCommand } from '../../../src/cli/vehi-command.ts';
import { listCommands, listWords } from '../../helpers/cli/command-tree.ts';
import { fakeTerminal } from '../../helpers/cli/fake-terminal.ts';
import { ROOT, runCli } from '../../helpers/cli/run-cli.ts';
import { DOCUMENTS, readDocument } from '../../helpers/documents.ts';

const EXPECTED = resolve(import.meta.dirname, 'expected');
const commands = listCommands();

/** Returns where a command's help is expected: a command that holds others shares a folder with them. */
const fileOf = (command: VehiCommand) => {
  const words = listWords(command);
  const holdsOthers = words.length > 1 || listChildren(command).length > 0;
  const folder = words.length > 0 && holdsOthers ? `${words[0]}/` : '';
  return `${folder}${['vehi', ...words].join('-')}.txt`;
};
const TOPIC_FILE = `topics/${EXIT_CODES_TOPIC}.txt`;
const rows = commands.map((command): [string, VehiCommand] => [
  ['vehi', ...listWords(command)].join(' '),
  command,
]);

async function run(words: readonly string[], columns?: number) {
  const terminal = fakeTerminal(columns === undefined ? {} : { columns });
  await main(['node', 'vehi', ...words], terminal.ctx);
  return { stdout: terminal.stdout(), stderr: terminal.stderr(), code: terminal.code };
}

test('every command has a golden help, and no golden help is without its command', () => {
  const files = readdirSync(EXPECTED, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.txt'),
  );
  expect(files.sort()).toEqual([...commands.map(fileOf), TOPIC_FILE].sort());
});

/** Returns the calls of `vehi` in the shell blocks of a document: the words after it, without pipes and comments. */
function documentedCalls(name: string): readonly string[] {
  const blocks = readDocument(name).matchAll(/```(?:sh|yaml|console)\n([\s\S]*?)```/g);
  return [...blocks].flatMap(([, block = '']) =>
    [...block.replaceAll(/\\\n\s*/g, ' ').matchAll(/(?:^|[|;&$]\s*|npx )vehi (?!@)([^\n|;&>#]+)/gm)].map(
      ([, words = '']) => words.trim(),
    ),
  );
}

const documentsWithCalls = DOCUMENTS.filter((name) => documentedCalls(name).length > 0);

test.each(documentsWithCalls)('%s names only commands and flags that exist', (name) => {
  for (const call of documentedCalls(name)) {
    const command = commands.findLast(
      (known) => listWords(known).length > 0 && `${call} `.startsWith(`${listWords(known).join(' ')} `),
    );
    expect(command, call).toBeDefined();
    const known = [...(command?.options ?? []), ...(commands[0]?.options ?? [])];
    const flags = known.flatMap(({ long, short }) => [long, short, '--help']);
    for (const flag of call.match(/(?<=\s)-(?:-[a-z][a-z-]*|[a-z]\b)/g) ?? [])
      expect(flags, call).toContain(flag);
  }
});

test('documents name commands', () => {
  expect(DOCUMENTS.flatMap(documentedCalls).length).toBeGreaterThan(40);
});

describe('--help', () => {
  test.each(rows)('%s', async (_, command) => {
    const { stdout, stderr, code } = await run([...listWords(command), '--help']);
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    await expect(stdout).toMatchFileSnapshot(resolve(EXPECTED, fileOf(command)));
  });

  test.each(rows)('%s leads with examples and ends with its exit codes', (_, command) => {
    const help = command.helpInformation();
    expect(help).toMatch(/^Examples:\n {2}\S/);
    expect((command.row.examples ?? []).some((one) => lineOf(one).includes(pathWords(command)))).toBe(true);
    if (listChildren(command).length === 0) expect(help).toMatch(/\nExit codes: 0 \S/);
    expect(command.summary() || command.description()).not.toBe('');
  });

  test.each([60, 80, 100])('fits into %i columns', async (columns) => {
    let judged = 0;
    for (const command of commands) {
      const { stdout } = await run([...listWords(command), '--help'], columns);
      const [, ...rest] = stdout.split('\n\n');
      // Examples are lines to copy, usage is one line of commander, and a term may leave too little room to wrap.
      const terms = Math.max(
        ...stdout.split('\n').map((line) => /^ {2}(-.*?|\S+) {2,}/.exec(line)?.[0].length ?? 0),
      );
      if (columns - terms < 40) continue;
      judged++;
      const long = rest
        .join('\n\n')
        .split('\n')
        .filter((line) => line.length > columns && !line.startsWith('Usage:'));
      expect(long, fileOf(command)).toEqual([]);
    }
    expect(judged).toBeGreaterThan(commands.length / 2);
    const lines = (await run(['help', EXIT_CODES_TOPIC], columns)).stdout.split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
  });

  test.each(rows.filter(([line]) => /^vehi( inspect| admin keys create)?$/.test(line)))(
    'the built program prints the same: %s',
    async (_, command) => {
      const built = await runCli([...listWords(command), '--help']);
      expect(built.stdout).toBe(readFileSync(resolve(EXPECTED, fileOf(command)), 'utf8'));
      expect([built.stderr, built.code]).toEqual(['', 0]);
    },
  );
});

describe('each example is a line the tree accepts', () => {
  const examples = commands.flatMap((command) =>
    (command.row.examples ?? []).map((example): [string] => [lineOf(example)]),
  );
  test.each([...new Set(examples.map(([line]) => line))])('%s', (line) => {
    const calls = callsIn(line);
    expect(calls.length).toBeGreaterThan(0);
    for (const words of calls) accept(words);
  });
});

function lineOf(example: NonNullable<CommandRow['examples']>[number]): string {
  return typeof example === 'string' ? example : example[0];
}

function pathWords(command: VehiCommand): string {
  return ['vehi', ...listWords(command)].join(' ');
}

/** The calls of vehi in a shell line, as words; redirections left out. */
function callsIn(line: string): string[][] {
  return line
    .split(/\||\$\(|\)/)
    .map((part) => part.trim().replace(/\s*>.*$/, ''))
    .filter((part) => /^vehi\b/.test(part))
    .map((part) =>
      (part.match(/"[^"]*"|'[^']*'|\S+/g) ?? []).slice(1).map((word) => word.replace(/^["']|["']$/g, '')),
    );
}

/** Finds the command, its flags and values, and as many operands as it takes. */
function accept(words: readonly string[]): void {
  let command = commands[0] as VehiCommand;
  let rest = [...words];
  for (;;) {
    const child = listChildren(command).find((one) => one.name() === rest[0]);
    if (!child) break;
    command = child;
    rest = rest.slice(1);
  }
  const parsed = command.parseOptions(rest);
  expect(parsed.unknown, words.join(' ')).toEqual([]);
  const most = command.registeredArguments.some((one) => one.variadic)
    ? 99
    : command.registeredArguments.length;
  const least = command.registeredArguments.filter((one) => one.required).length;
  expect(parsed.operands.length, words.join(' ')).toBeGreaterThanOrEqual(least);
  expect(parsed.operands.length, words.join(' ')).toBeLessThanOrEqual(most);
}

describe('vehi help', () => {
  test('the exit codes are those of the code', async () => {
    const { stdout, stderr, code } = await run(['help', EXIT_CODES_TOPIC]);
    expect({ stderr, code }).toEqual({ stderr: '', code: null });
    await expect(stdout).toMatchFileSnapshot(resolve(EXPECTED, TOPIC_FILE));
    for (const name of Object.keys(EXIT) as ExitName[])
      expect(stdout).toMatch(
        new RegExp(`^ +${EXIT[name]} +${EXIT_WORDS[name].slice(0, 20).replace(/[()]/g, '.')}`, 'm'),
      );
  });

  test('alone it is the help of vehi; of a command that command’s', async () => {
    expect((await run(['help'])).stdout).toBe((await run(['--help'])).stdout);
    expect((await run(['help', 'regions', 'show'])).stdout).toBe(
      (await run(['regions', 'show', '--help'])).stdout,
    );
  });

  test.each([
    ['help exit-code', 'Did you mean vehi help exit-codes?'],
    ['help inspekt', 'Did you mean vehi help inspect?'],
    ['help regions shw', 'Did you mean vehi help regions show?'],
    ['help something-else', 'There is help on exit-codes, inspect, '],
    ['help inspect more', 'Leave the last word out: vehi help inspect'],
    ['help exit-codes more', 'no help on "exit-codes more".\n  Leave the last word out'],
    ['inspct', 'Did you mean inspect?'],
    ['inspect --regon x', 'Did you mean --region?'],
    ['regions lst', 'Did you mean list?'],
    ['config st', 'Did you mean set?'],
    ['config set regin x', 'Did you mean region?'],
  ])('vehi %s is refused with what was meant', async (line, hint) => {
    const { stdout, stderr, code } = await run(line.split(' '));
    expect(stderr).toContain(hint);
    expect([stdout, code]).toEqual(['', 2]);
  });

  test('the documented exit codes are those of the code', () => {
    const readme = readFileSync(resolve(ROOT, 'docs/using/ci.md'), 'utf8');
    const table = readme.slice(readme.indexOf('## Exit codes'), readme.indexOf('## GitHub'));
    const codes = [...table.matchAll(/^\| ([\d, ]+) \|/gm)].flatMap(([, cell]) =>
      (cell ?? '').split(', ').map(Number),
    );
    expect(codes).toEqual(Object.values(EXIT));
  });
});

test('THIRD-PARTY.txt names every production dependency with its license', () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(resolve(ROOT, 'package.json'), 'utf8'));
  const lines = listThirdParty();
  const names = lines.map((line) => line.split(' ')[0]);
  expect(names).toEqual(expect.arrayContaining(Object.keys(dependencies)));
  expect(names).not.toContain(Object.keys(devDependencies).find((name) => name === 'vitest'));
  expect(lines.find((line) => line.startsWith('pdfkit '))).toMatch(/ MIT$/);
});
