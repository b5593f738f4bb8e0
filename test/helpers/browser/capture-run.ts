import { type RunningPage, startCommand } from './review-page.ts';

/** Runs the built `vehi capture` for a folder on this machine. @param port 0 takes a free one */
export function startCapture(
  dir: string,
  folder: string,
  port: number,
  ...words: readonly string[]
): Promise<RunningPage> {
  const all = ['capture', folder, '--host', '127.0.0.1', '--port', `${port}`, ...words];
  return startCommand(dir, { terminal: false }, ...all);
}

/** Returns the port of a link. */
export const portOf = (link: string): number => Number(new URL(link).port);
