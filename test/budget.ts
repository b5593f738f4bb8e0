/*
 * The ratchet of the size of `src`: lines and exported names that only one neighbour uses, per room, and the functions
 * that may be long. `npx tsx test/budget.ts` prints what is measured, `--write` keeps it in `budget.json`, `--slack N`
 * leaves each room N lines more, `--names` lists the exported names.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseSync } from 'vite';

const SRC = resolve(import.meta.dirname, '../src');
const KEPT = resolve(import.meta.dirname, 'budget.json');

/** Longest function that needs no reason. */
export const LONG_FUNCTION = 60;

interface Room {
  /** Lines of TypeScript. */
  readonly lines: number;
  /** Exported names that only one file uses, of the same folder. */
  readonly namesOfOneNeighbour: number;
}

export interface Budget {
  readonly rooms: Readonly<Record<string, Room>>;
  /** Why a function is longer than `LONG_FUNCTION`, by `room name`. */
  readonly longFunctions: Readonly<Record<string, string>>;
}

export interface Measured {
  readonly rooms: Readonly<Record<string, Room>>;
  readonly longFunctions: readonly string[];
  /** Lines of each file, ascending. */
  readonly fileLines: readonly number[];
  /** `file name` of each exported name that only one file of its folder uses. */
  readonly names: readonly string[];
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

interface Source {
  readonly file: string;
  readonly text: string;
  readonly program: Node;
}

export function readBudget(): Budget {
  return JSON.parse(readFileSync(KEPT, 'utf8'));
}

/** Measures all of `src`. */
export function measureSources(): Measured {
  const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => /\.tsx?$/.test(name))
    .sort()
    .map((file): Source => {
      const text = readFileSync(join(SRC, file), 'utf8');
      const { program } = parseSync(file, text, { lang: file.endsWith('x') ? 'tsx' : 'ts' });
      return { file, text, program: program as unknown as Node };
    });
  const names = listNamesOfOneNeighbour(sources);
  const rooms: Record<string, Room> = {};
  for (const { file, text } of sources) {
    const room = rooms[roomOf(file)] ?? { lines: 0, namesOfOneNeighbour: 0 };
    const found = names.filter((name) => name.startsWith(`${file} `)).length;
    rooms[roomOf(file)] = {
      lines: room.lines + countLines(text),
      namesOfOneNeighbour: room.namesOfOneNeighbour + found,
    };
  }
  return {
    rooms,
    longFunctions: [...new Set(sources.flatMap(listLongFunctions))].sort(),
    fileLines: sources.map(({ text }) => countLines(text)).sort((a, b) => a - b),
    names,
  };
}

/** Returns the folder directly below `src`, or the file there. */
function roomOf(file: string): string {
  return file.split('/')[0] ?? file;
}

function countLines(text: string): number {
  return text.trimEnd().split('\n').length;
}

/** Calls `visit` for every node below one, with the node around it. */
function walk(node: unknown, visit: (node: Node, around: Node | null) => void, around: Node | null = null) {
  if (Array.isArray(node)) for (const one of node) walk(one, visit, around);
  else if (node !== null && typeof node === 'object') {
    const isNode = 'type' in node;
    if (isNode) visit(node as Node, around);
    for (const value of Object.values(node)) walk(value, visit, isNode ? (node as Node) : around);
  }
}

function nameOf(node: unknown): string | undefined {
  return (node as { readonly name?: string } | null | undefined)?.name;
}

function listLongFunctions({ file, text, program }: Source): readonly string[] {
  const found: string[] = [];
  walk(program, (node, around) => {
    if (!/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)) return;
    if (countLines(text.slice(node.start, node.end)) <= LONG_FUNCTION) return;
    const name = nameOf(node.id) ?? nameOf(around?.key) ?? nameOf(around?.id) ?? 'unnamed';
    found.push(`${roomOf(file)} ${name}`);
  });
  return found;
}

/** Returns the exported names that exactly one other file of `src` imports, and that file is in the same folder. */
function listNamesOfOneNeighbour(sources: readonly Source[]): readonly string[] {
  const users = new Map<string, Set<string>>();
  const wholly = new Set<string>();
  for (const { file, program } of sources)
    walk(program, (node) => {
      const specifier = (node.source as { readonly value?: unknown } | null | undefined)?.value;
      if (typeof specifier !== 'string' || !specifier.startsWith('.')) return;
      const from = relative(SRC, resolve(dirname(join(SRC, file)), specifier)).replaceAll('\\', '/');
      if (node.type === 'ImportExpression' || node.type === 'ExportAllDeclaration') wholly.add(from);
      for (const one of (node.specifiers as readonly Node[] | undefined) ?? []) {
        const name = nameOf(one.type === 'ExportSpecifier' ? one.local : one.imported);
        if (name === undefined) wholly.add(from);
        else users.set(`${from} ${name}`, (users.get(`${from} ${name}`) ?? new Set()).add(file));
      }
    });
  return [...users]
    .filter(([key, { size }]) => size === 1 && !wholly.has(key.split(' ')[0] ?? ''))
    .filter(([key, [user = '']]) => dirname(user) === dirname(key))
    .map(([key]) => key)
    .sort();
}

if (process.argv[1] === import.meta.filename) {
  const words = process.argv.slice(2);
  const { rooms, longFunctions, fileLines, names } = measureSources();
  const slack = words.includes('--slack') ? Number(words[words.indexOf('--slack') + 1]) : 0;
  const reasons = readBudget().longFunctions;
  const budget: Budget = {
    rooms: Object.fromEntries(
      Object.entries(rooms).map(([room, { lines, namesOfOneNeighbour }]) => [
        room,
        { lines: lines + slack, namesOfOneNeighbour: namesOfOneNeighbour + Math.ceil(slack / 20) },
      ]),
    ),
    longFunctions: Object.fromEntries(longFunctions.map((name) => [name, reasons[name] ?? ''])),
  };
  if (words.includes('--write')) writeFileSync(KEPT, `${JSON.stringify(budget, null, 2)}\n`);
  const total = fileLines.reduce((sum, lines) => sum + lines, 0);
  const report = [
    ...(words.includes('--names') ? names : []),
    ...Object.entries(rooms).map(([room, { lines }]) => `${room.padEnd(10)}${String(lines).padStart(6)}`),
    `${total} lines in ${fileLines.length} files, ${names.length} names of one neighbour`,
  ];
  process.stdout.write(`${report.join('\n')}\n`);
}
