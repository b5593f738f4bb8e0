import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listThirdParty } from '../../../scripts/third-party.ts';
import { EXIT_CODES_TOPIC } from '../../../src/cli/commands.ts';
import { main } from '../../../src/cli/main.ts';
import { EXIT } from '../../../src/cli/terminal/exit-codes.ts';
import { listChildren, type VehiCommand } from '../../../src/cli/vehi-command.ts';
import { findFaults, listCalls, listCommands } from '../../helpers/cli/command-tree.ts';
import { fakeTerminal } from '../../helpers/cli/fake-terminal.ts';
import { ROOT, runCli } from '../../helpers/cli/run-cli.ts';
import { DOCUMENTS, readDocument } from '../../helpers/documents.ts';

const EXPECTED = resolve(import.meta.dirname, 'expected');
const TOPIC_FILE = `topics/${EXIT_CODES_TOPIC}.txt`;
const commands = listCommands();

/** Returns where a command's help is expected: a command that holds others shares a folder with them. */
const fileOf = (command: VehiCommand) => {
  const words = command.path.split(' ').filter(Boolean);
  const holdsOthers = words.length > 1 || listChildren(command).length > 0;
  const folder = words.length > 0 && holdsOthers ? `${words[0]}/` : '';
  return `${folder}${['vehi', ...words].join('-')}.txt`;
};
const rows = commands.map((command): [string, VehiCommand] => [`vehi ${command.path}`.trim(), command]);

async function run(line: string, columns?: number) {
  const terminal = fakeTerminal(columns === undefined ? {} : { columns });
  await main(['node', 'vehi', ...line.trim().split(' ')], terminal.ctx);
  return { stdout: terminal.stdout(), stderr: terminal.stderr(), code: terminal.code };
}

test('every golden help has its command', () => {
  const files = readdirSync(EXPECTED, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.txt'),
  );
  expect(files.sort()).toEqual([...commands.map(fileOf), TOPIC_FILE].sort());
});

describe('--help', () => {
  test.each(rows)('%s', async (_, command) => {
    const { stdout, stderr, code } = await run(`${command.path} --help`);
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    await expect(stdout).toMatchFileSnapshot(resolve(EXPECTED, fileOf(command)));
  });

  test.each(rows)('%s has examples that the tree takes, one of its own among them', (path, command) => {
    const lines = (command.row.examples ?? []).map((one) => (typeof one === 'string' ? one : one[0]));
    expect(lines.some((line) => line.includes(path))).toBe(true);
    for (const line of lines) {
      const calls = listCalls(line);
      expect(calls.length, line).toBeGreaterThan(0);
      expect(calls.flatMap(findFaults), line).toEqual([]);
    }
  });

  test.each([60, 80, 100])('fits into %i columns', async (columns) => {
    let judged = 0;
    for (const command of commands) {
      const { stdout } = await run(`${command.path} --help`, columns);
      const [, ...rest] = stdout.split('\n\n');
      // Examples are lines to copy, usage is one line of commander, and a term may leave too little room to wrap.
      const terms = Math.max(
        ...stdout.split('\n').map((line) => /^ {2}(-.*?|\S+) {2,}/.exec(line)?.[0].length ?? 0),
      );
      if (columns - terms < 40) continue;
      judged++;
      const lines = rest.join('\n\n').split('\n');
      const long = lines.filter((line) => line.length > columns && !line.startsWith('Usage:'));
      expect(long, fileOf(command)).toEqual([]);
    }
    expect(judged).toBeGreaterThan(commands.length / 2);
    const lines = (await run(`help ${EXIT_CODES_TOPIC}`, columns)).stdout.split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
  });

  test('of the built program is the same', async () => {
    const { stdout, stderr, code } = await runCli(['inspect', '--help']);
    expect(stdout).toBe(readFileSync(resolve(EXPECTED, 'vehi-inspect.txt'), 'utf8'));
    expect([stderr, code]).toEqual(['', 0]);
  });
});

describe('vehi help', () => {
  test('shows the exit codes', async () => {
    const { stdout, stderr, code } = await run(`help ${EXIT_CODES_TOPIC}`);
    expect({ stderr, code }).toEqual({ stderr: '', code: null });
    await expect(stdout).toMatchFileSnapshot(resolve(EXPECTED, TOPIC_FILE));
  });

  test.each([[''], ['regions show']])('%s is --help of the same command', async (path) => {
    expect((await run(`help ${path}`)).stdout).toBe((await run(`${path} --help`)).stdout);
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
    const { stdout, stderr, code } = await run(line);
    expect(stderr).toContain(hint);
    expect([stdout, code]).toEqual(['', 2]);
  });
});

describe('documents', () => {
  const shells = (name: string) =>
    [...readDocument(name).matchAll(/```(?:sh|yaml|console)\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  const calls = DOCUMENTS.flatMap((name) => shells(name).flatMap(listCalls));

  test('call vehi by commands, flags and operands that exist', () => {
    expect(calls.length).toBeGreaterThan(50);
    expect(calls.flatMap((words) => findFaults(words).map((fault) => [words, fault]))).toEqual([]);
  });

  test('list the exit codes of the code', () => {
    const ci = readDocument('docs/using/ci.md');
    const table = ci.slice(ci.indexOf('## Exit codes'), ci.indexOf('## GitHub'));
    const cells = [...table.matchAll(/^\| ([\d, ]+) \|/gm)].flatMap(([, cell = '']) => cell.split(', '));
    expect(cells.map(Number)).toEqual(Object.values(EXIT));
  });
});

test('THIRD-PARTY.txt names every production dependency with its license', () => {
  const { dependencies } = JSON.parse(readFileSync(resolve(ROOT, 'package.json'), 'utf8'));
  const lines = listThirdParty();
  const names = lines.map((line) => line.split(' ')[0]);
  expect(names).toEqual(expect.arrayContaining(Object.keys(dependencies)));
  expect(names).not.toContain('vitest');
  expect(lines.find((line) => line.startsWith('pdfkit '))).toMatch(/ MIT$/);
});
