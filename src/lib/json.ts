import { readFileSync } from 'node:fs';

/** Deeper than anything vehi reads or writes; code that walks a value would run out of stack far beyond it. */
const LEVELS_MAX = 100;

/**
 * Parses JSON that somebody else wrote; a byte order mark, which some editors put in front, is passed over.
 * @throws Error saying why it is not JSON, with the line where an editor finds the place
 */
export function parseJson(text: string): unknown {
  const json = text.startsWith('\uFEFF') ? text.slice(1) : text;
  if (isNestedDeeper(json, LEVELS_MAX)) throw new Error(`it is nested deeper than ${LEVELS_MAX} levels`);
  try {
    return JSON.parse(json);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${why}${describeLine(json, why)}`, { cause });
  }
}

/** Returns whether lists and objects lie deeper in each other than so many levels. */
export function isNestedDeeper(json: string, levels: number): boolean {
  let depth = 0;
  let quoted = false;
  for (let i = 0; i < json.length; i++) {
    const c = json.charCodeAt(i);
    if (quoted) {
      if (c === 92) i++;
      else if (c === 34) quoted = false;
    } else if (c === 34) quoted = true;
    else if (c === 123 || c === 91) {
      if (++depth > levels) return true;
    } else if (c === 125 || c === 93) depth--;
  }
  return false;
}

/** Returns a value as the text of a JSON file: indented, with a newline at its end. */
export function toJsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Reads a JSON file of this package, whose shape its tests hold. */
export function readOwnJson<T>(file: URL): T {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Returns the line where a parser stopped, as editors count it: ` (line 3)`. */
function describeLine(text: string, why: string): string {
  const position = /position (\d+)/.exec(why)?.[1];
  if (position === undefined || why.includes('line ')) return '';
  return ` (line ${text.slice(0, Number(position)).split('\n').length})`;
}
