import type { CliContext } from './context.ts';

/** Width of what is no terminal: files and pipes are read in editors and logs. */
const ELSEWHERE = 120;

/** Returns how many characters a line on stdout may have. */
export function countColumns({ stdout }: Pick<CliContext, 'stdout'>): number {
  return stdout.isTTY ? stdout.columns || 80 : ELSEWHERE;
}
