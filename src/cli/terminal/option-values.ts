import { InvalidArgumentError } from 'commander';

/** Parses a repeatable option: returns every value so far, in the order given. */
export function collect(value: string, all: readonly string[] = []): readonly string[] {
  return [...all, value];
}

/**
 * Returns a parser of a whole number within both bounds. It throws InvalidArgumentError, which commander turns into a
 * usage error.
 */
export function parseWholeBetween(least: number, most = Number.MAX_SAFE_INTEGER): (value: string) => number {
  return (value) => {
    const number = parseFinite(value);
    if (Number.isInteger(number) && number >= least && number <= most) return number;
    throw new InvalidArgumentError(`A whole number ${describeRange(least, most)} is needed.`);
  };
}

/**
 * Returns a parser of a number within both bounds. It throws InvalidArgumentError, which commander turns into a usage
 * error.
 */
export function parseNumberBetween(least: number, most = Number.MAX_SAFE_INTEGER): (value: string) => number {
  return (value) => {
    const number = parseFinite(value);
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`A number ${describeRange(least, most)} is needed.`);
  };
}

/**
 * Parses the path of a file or folder.
 * @throws InvalidArgumentError for an empty one, which an unset variable leaves: the flag would do nothing.
 */
export function parsePath(value: string): string {
  if (value !== '') return value;
  throw new InvalidArgumentError('It is empty; a variable in the command may be unset.');
}

/** Returns NaN for text that is empty or not a finite number, which is within no bounds. */
function parseFinite(value: string): number {
  const number = value.trim() === '' ? Number.NaN : Number(value);
  return Number.isFinite(number) ? number : Number.NaN;
}

function describeRange(least: number, most: number): string {
  return most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
}
