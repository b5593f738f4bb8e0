import { visit } from 'jsonc-parser';
import { escapeName } from './display-name.ts';

/**
 * Maximum nesting depth, deeper than any document of vehi; recursive code would overflow the stack only far beyond it.
 */
const MAX_LEVELS = 100;

/**
 * Parses untrusted JSON; skips a byte order mark, which some editors add.
 * @throws Error with the syntax error or the duplicate key, and its line
 */
export function parseJson(text: string): unknown {
  const json = text.startsWith('\uFEFF') ? text.slice(1) : text;
  if (isNestedDeeper(json, MAX_LEVELS)) throw new Error(`it is nested deeper than ${MAX_LEVELS} levels`);
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${why}${describeLine(json, why)}`, { cause });
  }
  const repeated = findRepeatedKey(json);
  if (repeated) throw new Error(`the key ${repeated.path} is there twice (line ${repeated.line})`);
  return value;
}

/**
 * Parses JSON with comments and trailing commas, as in settings files. Both are replaced by blanks, which keeps the
 * positions in messages.
 * @throws Error like `parseJson`
 */
export function parseCommentedJson(text: string): unknown {
  const letters = text.split('');
  const blank = (at: number, length: number) => {
    for (let i = at; i < at + length; i++) if (!/\s/.test(letters[i] ?? '')) letters[i] = ' ';
  };
  let comma: number | null = null;
  const begin = () => {
    comma = null;
  };
  const end = () => {
    if (comma !== null) blank(comma, 1);
    comma = null;
  };
  visit(
    text,
    {
      onComment: blank,
      onSeparator(character, offset) {
        if (character === ',') comma = offset;
      },
      onObjectProperty: begin,
      onLiteralValue: begin,
      onObjectBegin: begin,
      onArrayBegin: begin,
      onObjectEnd: end,
      onArrayEnd: end,
    },
    { allowTrailingComma: true },
  );
  return parseJson(letters.join(''));
}

/** Returns whether lists and objects are nested more than `levels` deep. */
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

/** Formats a value as a JSON file: indented, with a trailing newline. */
export function toJsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Maximum length of a key path in messages. */
const MAX_SHOWN = 120;

/** A duplicate key in one object of a JSON document. */
export interface RepeatedKey {
  /** `claim.policy_number`, `images[2].angle`; truncated if long, with control characters escaped. */
  readonly path: string;
  /** Line of the second occurrence, from 1. */
  readonly line: number;
}

/**
 * Finds the first duplicate key of an object, for which `JSON.parse` silently keeps the last value; undefined if there
 * is none.
 */
export function findRepeatedKey(json: string): RepeatedKey | undefined {
  const open: Set<string>[] = [];
  let found: RepeatedKey | undefined;
  visit(json, {
    onObjectBegin: () => void open.push(new Set()),
    onObjectProperty(key, _offset, _length, line, _column, getPath) {
      const keys = open.at(-1);
      if (keys?.has(key)) found ??= { path: showPath([...getPath(), key]), line: line + 1 };
      keys?.add(key);
    },
    onObjectEnd: () => void open.pop(),
  });
  return found;
}

function showPath(steps: readonly (string | number)[]): string {
  const path = steps
    .map((step, i) => (typeof step === 'number' ? `[${step}]` : i === 0 ? step : `.${step}`))
    .join('');
  return escapeName(path.length > MAX_SHOWN ? `${path.slice(0, MAX_SHOWN)}…` : path);
}

/** Returns the line of a parse error: ` (line 3)`. */
function describeLine(text: string, why: string): string {
  const position = /position (\d+)/.exec(why)?.[1];
  if (position === undefined || why.includes('line ')) return '';
  return ` (line ${text.slice(0, Number(position)).split('\n').length})`;
}
