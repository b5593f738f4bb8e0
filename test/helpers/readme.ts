import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, runCli } from './run-cli.ts';

/** The command whose output the README shows. */
export const SHOWN = ['inspect', 'fixtures/vehicle', '--detailed'] as const;
export const README = join(ROOT, 'README.md');
/** Pictures that the README shows; made by `npm run readme`. */
export const PICTURES = join(ROOT, 'fixtures/readme');

const BLOCK = /(<!-- npm run readme -->\n)[\s\S]*?(<!-- end -->)/;

/** Runs the command shown; `more` asks for files that do not change what it prints on stdout. */
export async function shownOutput(more: readonly string[] = []): Promise<string> {
  const run = await runCli([...SHOWN, '--now', '2026-01-31T12:00:00Z', ...more]);
  if (run.code !== 0) throw new Error(`vehi ${SHOWN.join(' ')} ended with ${run.code}:\n${run.stderr}`);
  return run.stdout;
}

/** The README with that output in its place. */
export function readmeWith(output: string): string {
  const text = readFileSync(README, 'utf8');
  if (!BLOCK.test(text)) throw new Error('README.md has no place for the output');
  const block = `\`\`\`console\n$ vehi ${SHOWN.join(' ')}\n${output.trimEnd()}\n\`\`\`\n`;
  return text.replace(BLOCK, (_, start: string, end: string) => `${start}${block}${end}`);
}
