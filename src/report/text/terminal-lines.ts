import stringWidth from 'string-width';

/** Private-use placeholder for a no-break space in a table, whose cells break at any white space. */
export const NBSP_PLACEHOLDER = '\uE000';

/** Minimum room for text in columns, however narrow the terminal is. */
const MIN_ROOM = 40;

/**
 * Wraps text to the width of the terminal without breaking at no-break spaces, which are printed as spaces, or before `%`.
 * @param indent spaces before every line
 * @param hanging spaces before every line but the first; default: `indent`
 */
export function wrapText(text: string, columns: number, indent = 0, hanging = indent): string {
  const lines = [''];
  for (const word of text.match(/\n| *[^ \n]+(?: %[^ \n]*)?/g) ?? []) {
    const line = lines.at(-1) ?? '';
    const room = Math.max(MIN_ROOM, columns - (lines.length === 1 ? indent : hanging));
    if (word === '\n') lines.push('');
    else if (line === '' || stringWidth(line + word) <= room) lines[lines.length - 1] = line + word;
    else lines.push(word.trimStart());
  }
  return lines
    .map((line, index) => `${' '.repeat(index === 0 ? indent : hanging)}${line}`)
    .join('\n')
    .replaceAll('\u00A0', ' ');
}

/** Folds lines wider than the terminal; continuation lines are indented by two more spaces. */
export function foldLines(text: string, columns: number): string {
  const fold = (line: string) => {
    const indent = line.length - line.trimStart().length;
    return wrapText(line.trimStart(), columns, indent, indent + 2);
  };
  return text.split('\n').map(fold).join('\n');
}
