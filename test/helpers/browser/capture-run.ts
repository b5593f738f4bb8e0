import { type RunningReview, startCommand } from './review-page.ts';

/** A running `vehi capture` on this machine. */
export interface RunningCapture extends RunningReview {
  /** Ends it as a power cut does. */
  kill(): Promise<void>;
}

/** Runs the built `vehi capture` for a folder. @param port 0 takes a free one */
export async function startCapture(
  dir: string,
  folder: string,
  port: number,
  ...words: readonly string[]
): Promise<RunningCapture> {
  const all = ['capture', folder, '--host', '127.0.0.1', '--port', `${port}`, ...words];
  const run = await startCommand(dir, { terminal: false }, ...all);
  return {
    ...run,
    async kill() {
      run.child.kill('SIGKILL');
      await run.ended;
    },
  };
}

/** Returns the port of a link. */
export const portOf = (link: string): number => Number(new URL(link).port);
