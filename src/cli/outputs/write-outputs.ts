import type { Result } from '../../contract/result.ts';
import { VehiError } from '../../lib/errors.ts';
import type { CliContext } from '../terminal/context.ts';
import { writeFaults } from '../terminal/errors.ts';
import { countColumns, write, writeFileWhole, writeStatus } from '../terminal/output.ts';
import { type Content, renderResult } from './kinds.ts';
import type { Output } from './parse-output.ts';
import type { Redaction } from './redaction.ts';
import { makeFileView, type RunView } from './view.ts';

/** Creates a runner of independent operations: a failure of one, such as a full disk, does not stop the others. */
export function openAttempts(ctx: CliContext) {
  const failures: VehiError[] = [];
  return {
    /** Runs an operation and collects a VehiError. @returns its result, or undefined if it failed */
    async run<T>(work: () => Promise<T>): Promise<T | undefined> {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof VehiError)) throw error;
        failures.push(error);
        return undefined;
      }
    },
    /** Reports all failures but the first, which is thrown. @throws the first collected VehiError */
    async settle(): Promise<void> {
      const [first, ...others] = failures;
      for (const other of others) await writeFaults(other, ctx);
      if (first !== undefined) throw first;
    },
  };
}

export type Attempts = Readonly<ReturnType<typeof openAttempts>>;

/** Where to write, and the messages about it on stderr: file names unless `quiet`, and the plates blurred in them. */
interface WriteOptions {
  readonly ctx: CliContext;
  readonly quiet?: boolean | undefined;
  readonly redaction?: Redaction;
}

/**
 * Renders and writes the outputs in their order, then names the files written.
 * @throws VehiError for the first output that failed, after writing all others
 */
export async function writeOutputs(
  outputs: readonly Output[],
  render: (output: Output, failed: readonly Output[]) => Promise<Content>,
  { ctx, quiet, redaction }: WriteOptions,
): Promise<void> {
  const attempts = openAttempts(ctx);
  const failed: Output[] = [];
  for (const output of outputs) {
    const isDone = await attempts.run(async () => {
      const content = await render(output, failed);
      if (output.path !== '-') await writeFileWhole(output.path, content, ctx.cwd);
      else {
        await redaction?.report();
        await write(ctx.stdout, content);
      }
      return true;
    });
    if (!isDone) failed.push(output);
  }
  const written = outputs.filter((output) => output.path !== '-' && !failed.includes(output));
  if (!quiet) for (const { kind, path } of written) await writeStatus(ctx, `${kind} written to ${path}`);
  await redaction?.report();
  await attempts.settle();
}

/** Writes a result as `writeOutputs`; its view may depend on the outputs that failed before. */
export function writeResult(
  result: Result,
  outputs: readonly Output[],
  makeView: (failed: readonly Output[]) => RunView,
  options: WriteOptions,
): Promise<void> {
  const { ctx } = options;
  const render = ({ kind, path }: Output, failed: readonly Output[]) => {
    const view = makeView(failed);
    const screen = { ...view, color: ctx.color.stdout, columns: countColumns(ctx) };
    return renderResult(kind, result, path === '-' ? screen : makeFileView(view));
  };
  return writeOutputs(outputs, render, options);
}
