import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { FIXTURES, ROOT, runCli } from './cli/run-cli.ts';
import { makeOwnFolder } from './temporary-folder.ts';

/** Pictures that the README shows; made by `npm run readme`. */
export const PICTURES = join(ROOT, 'fixtures/readme');

/** The documents that may show output, relative to the repository. */
export const DOCUMENTS: readonly string[] = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`)
    .sort(),
];

const BLOCK = /```console\n([\s\S]*?)```/g;
/** Commands whose output holds a time. */
const TIMED = ['inspect', 'assess', 'review', 'report', 'compare'];

/** Returns the document as it stands. */
export function readDocument(name: string): string {
  return readFileSync(join(ROOT, name), 'utf8');
}

/** Whether a document shows output of a command. */
export function showsOutput(name: string): boolean {
  return readDocument(name).includes('```console\n');
}

/**
 * Returns the document with each console block made by its commands: lines `$ vehi …`, run one after another in one
 * scratch folder in which `photos` is the demo vehicle.
 * @throws when a block holds a line that is no vehi command, or a command fails
 */
export async function renewOutput(name: string): Promise<string> {
  const folder = makeOwnFolder('document');
  symlinkSync(join(FIXTURES, 'vehicle'), join(folder, 'photos'));
  let text = '';
  let end = 0;
  const document = readDocument(name);
  for (const { 0: block, 1: body = '', index } of document.matchAll(BLOCK)) {
    const shown: string[] = [];
    for (const line of body.split('\n').filter((one) => one.startsWith('$ '))) {
      shown.push(line, await outputOf(name, line, folder));
    }
    if (shown.length === 0) throw new Error(`${name}: a console block without a command`);
    text += `${document.slice(end, index)}\`\`\`console\n${shown.join('\n')}\n\`\`\``;
    end = index + block.length;
  }
  return text + document.slice(end);
}

async function outputOf(name: string, line: string, cwd: string): Promise<string> {
  const [program, ...words] = line.slice(2).split(' ');
  if (program !== 'vehi') throw new Error(`${name}: ${line}: only vehi is run`);
  const now = TIMED.includes(words[0] ?? '') ? ['--now', '2026-01-31T12:00:00Z'] : [];
  const run = await runCli([...words, ...now], { cwd });
  if (run.code !== 0) throw new Error(`${name}: ${line} ended with ${run.code}:\n${run.stderr}`);
  return run.stdout.trimEnd();
}
