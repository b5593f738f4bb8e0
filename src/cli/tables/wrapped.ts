import { Help } from 'commander';

/**
 * Text in lines no wider than the terminal.
 * @param indent blanks before every line
 * @param hanging blanks before every line but the first; default: as the first
 */
export function wrapped(text: string, columns: number, indent = 0, hanging = indent): string {
  const lines = new Help().boxWrap(text, Math.max(20, columns - hanging)).split('\n');
  return lines.map((line, index) => `${' '.repeat(index === 0 ? indent : hanging)}${line}`).join('\n');
}
