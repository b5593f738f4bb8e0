import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { InspectionEnvelope } from '../../../src/contract/inspection.ts';
import { FIXTURES, ROOT, runCli } from '../cli/run-cli.ts';

/** The time that reviews of the tests are made at. */
export const NOW = '2026-01-31T12:00:00Z';

/** The demo vehicle, or some of its photos, inspected by the built command line: `car/` and `result.json` in a folder. */
export async function prepareDemo(dir: string, names?: readonly string[]): Promise<InspectionEnvelope> {
  mkdirSync(join(dir, 'car'), { recursive: true });
  const photos = names ?? readdirSync(join(FIXTURES, 'vehicle')).filter((name) => name.includes('.'));
  for (const name of photos) copyFileSync(join(FIXTURES, 'vehicle', name), join(dir, 'car', name));
  const run = await runCli(['inspect', 'car', '--json', '--detailed', '--now', NOW], { cwd: dir });
  if (run.code !== 0) throw new Error(run.stderr);
  writeFileSync(join(dir, 'result.json'), run.stdout);
  return JSON.parse(run.stdout);
}

/** A command that serves its page. */
export interface RunningPage {
  readonly link: string;
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly ended: Promise<number | null>;
  /** Waits for what is printed. */
  shown(pattern: RegExp): Promise<RegExpExecArray>;
  /** Ends it as a power cut does. */
  kill(): Promise<void>;
}

/** Runs the built `vehi review` with pipes that it takes for a terminal. */
export function startReview(dir: string, ...args: readonly string[]): Promise<RunningPage> {
  return startCommand(dir, { terminal: true }, 'review', 'result.json', '--no-open', '--now', NOW, ...args);
}

/** Runs a built command that serves a page. */
export async function startCommand(
  dir: string,
  { terminal }: { readonly terminal: boolean },
  ...words: readonly string[]
): Promise<RunningPage> {
  const code = `
    import { main } from ${JSON.stringify(pathToFileURL(resolve(ROOT, 'dist/cli/main.js')).href)};
    for (const stream of [process.stdin, process.stderr]) stream.isTTY = ${terminal};
    await main(${JSON.stringify(['node', 'vehi', ...words])});`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    cwd: dir,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: dir,
      NO_COLOR: '1',
      // Nobody sees a browser here, as over ssh.
      SSH_CONNECTION: '127.0.0.1 1 127.0.0.1 22',
      XDG_CONFIG_HOME: '/nonexistent',
      TMPDIR: dir,
    },
  });
  let text = '';
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    printed += piece;
  });
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  const ended = new Promise<number | null>((done) => child.on('close', done));
  const shown = async (pattern: RegExp) => {
    for (let tries = 0; tries < 600; tries++) {
      const match = pattern.exec(text);
      if (match) return match;
      await new Promise((done) => setTimeout(done, 50));
    }
    throw new Error(`never shown: ${pattern}; shown: ${text}`);
  };
  const [link] = await shown(/http:\S+/);
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  return { link, child, stdout: () => printed, stderr: () => text, ended, shown, kill };
}

/** A result with so many finds: its own, and its places to check again under other ids. */
export function withFinds(inspection: InspectionEnvelope, finds: number): InspectionEnvelope {
  const { results } = inspection.data;
  if (!results || results.to_check.length === 0) throw new Error('the result has no place to check');
  const own = results.damages.length + results.to_check.length;
  const more = Array.from({ length: Math.max(0, finds - own) }, (_, turn) => {
    const one = results.to_check[turn % results.to_check.length];
    if (!one) throw new Error('no place to check');
    const damage_id = `chk_${one.location.part}_${String(500 + turn)}`;
    return { ...one, damage_id, number: own + turn + 1 };
  });
  return {
    ...inspection,
    data: { ...inspection.data, results: { ...results, to_check: [...results.to_check, ...more] } },
  };
}
