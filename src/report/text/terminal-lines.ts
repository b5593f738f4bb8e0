import { Help } from 'commander';
import stringWidth from 'string-width';

/** Private-use placeholder for a no-break space during wrapping, which breaks at any white space. */
export const NBSP_PLACEHOLDER = '\uE000';

/**
 * Wraps text to the width of the terminal without breaking at no-break spaces, which are printed as spaces.
 * @param indent spaces before every line
 * @param hanging spaces before every line but the first; default: `indent`
 */
export function wrapText(text: string, columns: number, indent = 0, hanging = indent): string {
  const glued = text.replaceAll('\u00A0', NBSP_PLACEHOLDER);
  const lines = Object.assign(new Help(), { displayWidth: stringWidth })
    .boxWrap(glued, Math.max(20, columns - hanging))
    .split('\n');
  return lines
    .map((line, index) => `${' '.repeat(index === 0 ? indent : hanging)}${line}`)
    .join('\n')
    .replaceAll(NBSP_PLACEHOLDER, ' ');
}

/** Folds lines wider than the terminal; continuation lines are indented by two more spaces. */
export function foldLines(text: string, columns: number): string {
  const fold = (line: string) => {
    if (stringWidth(line) <= columns) return line;
    const indent = line.length - line.trimStart().length;
    return wrapText(line.trimStart(), columns, indent, indent + 2);
  };
  return text.split('\n').map(fold).join('\n');
}
