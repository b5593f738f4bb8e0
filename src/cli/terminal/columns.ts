import type { CliContext } from './context.ts';

/** Columns of output that is not a terminal: files and pipes are read in editors and logs. */
export const COLUMNS_ELSEWHERE = 120;

/** Returns how many characters a line on stdout may have. */
export function countColumns({ stdout }: Pick<CliContext, 'stdout'>): number {
  return stdout.isTTY ? stdout.columns || 80 : COLUMNS_ELSEWHERE;
}
