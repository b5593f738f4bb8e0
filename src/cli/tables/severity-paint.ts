import type { ChalkInstance } from 'chalk';

/** Colour of each severity in tables, from cold to alarming; the word next to it says the same without colour. */
export const SEVERITY_PAINT = {
  minor: (chalk: ChalkInstance) => chalk.cyan,
  moderate: (chalk: ChalkInstance) => chalk.yellow,
  severe: (chalk: ChalkInstance) => chalk.red,
  critical: (chalk: ChalkInstance) => chalk.bgRed.white.bold,
} as const;
