import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../helpers/cli/run-cli.ts';
import { runStep, type StepRun } from './step.ts';

/** The text of action.yml. */
export const ACTION_TEXT = readFileSync(join(ROOT, 'action.yml'), 'utf8');

/** What the tests read of action.yml. */
export const ACTION = parse(ACTION_TEXT) as {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: {
    readonly steps: readonly { readonly run: string; readonly env: Record<string, string> }[];
  };
};

/** How a step ended, with the outputs and the summary it left. */
export interface ActionRun extends StepRun {
  readonly outputs: ReadonlyMap<string, string>;
  readonly summary: string;
}

/** Runs one step of the action in `cwd` as the runner would: expressions put in, defaults for inputs not given. */
export async function runActionStep(
  step: 0 | 1,
  inputs: Readonly<Record<string, string>>,
  cwd: string,
  runnerTemp: string,
): Promise<ActionRun> {
  const known = new Map([
    ['github.action_path', ROOT],
    ['runner.temp', runnerTemp],
  ]);
  for (const [name, { default: fallback = '' }] of Object.entries(ACTION.inputs))
    known.set(`inputs.${name}`, inputs[name] ?? fallback);
  const { run, env } = ACTION.runs.steps[step] ?? { run: 'exit 99', env: {} };
  const files = {
    GITHUB_OUTPUT: join(runnerTemp, 'outputs'),
    GITHUB_STEP_SUMMARY: join(runnerTemp, 'step-summary.md'),
  };
  for (const file of Object.values(files)) writeFileSync(file, '');
  const own = Object.entries(env).map(([name, value]) => [name, evaluate(value, known)]);
  const ended = await runStep(run, cwd, { ...files, ...Object.fromEntries(own) });
  const lines = readFileSync(files.GITHUB_OUTPUT, 'utf8').trim().split('\n');
  const outputs = new Map(lines.map((line) => line.split('=', 2) as [string, string]));
  return { ...ended, outputs, summary: readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8') };
}

/** Replaces `${{ inputs.x }}` and its like. */
function evaluate(value: string, known: ReadonlyMap<string, string>): string {
  return value.replace(/\$\{\{ *([\w.-]+) *\}\}/g, (_, name: string) => {
    const found = known.get(name);
    if (found === undefined) throw new Error(`action.yml asks for ${name}`);
    return found;
  });
}
