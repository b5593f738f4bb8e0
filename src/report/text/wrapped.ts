import { stripVTControlCharacters } from 'node:util';
import { Help } from 'commander';

/** Stands for a no-break space while text is wrapped: a character of private use, as every blank breaks a line. */
export const GLUE = '\uE000';

/**
 * Returns text in lines no wider than the terminal, none broken at a no-break space (printed as a blank).
 * @param indent blanks before every line
 * @param hanging blanks before every line but the first; default: as the first
 */
export function wrapText(text: string, columns: number, indent = 0, hanging = indent): string {
  const glued = text.replaceAll('\u00A0', GLUE);
  const lines = new Help().boxWrap(glued, Math.max(20, columns - hanging)).split('\n');
  return lines
    .map((line, index) => `${' '.repeat(index === 0 ? indent : hanging)}${line}`)
    .join('\n')
    .replaceAll(GLUE, ' ');
}

/**
 * Returns a text whose lines are folded where they are wider than the terminal; continuation lines are indented by two
 * more.
 */
export function foldLines(text: string, columns: number): string {
  const fold = (line: string) => {
    if (stripVTControlCharacters(line).length <= columns) return line;
    const indent = line.length - line.trimStart().length;
    return wrapText(line.trimStart(), columns, indent, indent + 2);
  };
  return text.split('\n').map(fold).join('\n');
}
