import { stripVTControlCharacters } from 'node:util';
import { Help } from 'commander';

/**
 * Returns text in lines no wider than the terminal.
 * @param indent blanks before every line
 * @param hanging blanks before every line but the first; default: as the first
 */
export function wrapped(text: string, columns: number, indent = 0, hanging = indent): string {
  const lines = new Help().boxWrap(text, Math.max(20, columns - hanging)).split('\n');
  return lines.map((line, index) => `${' '.repeat(index === 0 ? indent : hanging)}${line}`).join('\n');
}

/**
 * Returns a text whose lines are folded where they are wider than the terminal; continuation lines are indented by two
 * more.
 */
export function folded(text: string, columns: number): string {
  const fold = (line: string) => {
    if (stripVTControlCharacters(line).length <= columns) return line;
    const indent = line.length - line.trimStart().length;
    return wrapped(line.trimStart(), columns, indent, indent + 2);
  };
  return text.split('\n').map(fold).join('\n');
}
