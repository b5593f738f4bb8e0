import type { CliContext } from './context.ts';

/** Line width of output that is not a terminal, in characters; files and pipes are read in editors and logs. */
export const FILE_COLUMNS = 120;

/** Returns the maximum line width on stdout in characters. */
export function countColumns({ stdout }: Pick<CliContext, 'stdout'>): number {
  return stdout.isTTY ? stdout.columns || 80 : FILE_COLUMNS;
}
