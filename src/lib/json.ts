import { type ParseError, parse, stripComments, visit } from 'jsonc-parser';
import { escapeName } from './names.ts';

/** Maximum nesting depth: above that of any document of vehi, and far below what overflows the stack. */
const MAX_DEPTH = 100;

/**
 * Parses untrusted JSON; skips a byte order mark, which some editors add.
 * @throws Error with the syntax error or the duplicate key, and its line
 */
export function parseJson(text: string): unknown {
  const json = text.startsWith('\uFEFF') ? text.slice(1) : text;
  if (exceedsDepth(json, MAX_DEPTH)) throw new Error(`it is nested deeper than ${MAX_DEPTH} levels`);
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    throw new Error(describeSyntaxError(json, cause as SyntaxError), { cause });
  }
  const duplicate = findDuplicateKey(json);
  if (duplicate) throw new Error(`the key ${duplicate.path} appears twice (line ${duplicate.line})`);
  return value;
}

/**
 * Parses JSON with comments and trailing commas, as in settings files. Both are replaced by blanks, which keeps the
 * positions in messages.
 * @throws Error like `parseJson`
 */
export function parseCommentedJson(text: string): unknown {
  const json = stripComments(text, ' ');
  return parseJson(
    json.replaceAll(
      /("(?:\\.|[^"\\])*")|(?<![[{,:]\s*),(?=\s*[}\]])/g,
      (_, quoted?: string) => quoted ?? ' ',
    ),
  );
}

/** Returns whether lists and objects are nested more than `maxDepth` deep. */
export function exceedsDepth(json: string, maxDepth: number): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < json.length; i++) {
    const code = json.charCodeAt(i);
    if (inString) {
      if (code === 92) i++;
      else if (code === 34) inString = false;
    } else if (code === 34) inString = true;
    else if (code === 123 || code === 91) {
      if (++depth > maxDepth) return true;
    } else if (code === 125 || code === 93) depth--;
  }
  return false;
}

/** Formats a value as a JSON file: indented, with a trailing newline. */
export function toJsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Maximum length of a key path in messages. */
const MAX_PATH_LENGTH = 120;

/**
 * Finds the first duplicate key of an object, for which `JSON.parse` silently keeps the last value: its path, such as
 * `images[2].angle` (truncated if long, with control characters escaped), and the line of its second occurrence, from 1.
 */
export function findDuplicateKey(json: string) {
  const keysByLevel: Set<string>[] = [];
  let duplicate: { readonly path: string; readonly line: number } | undefined;
  visit(json, {
    onObjectBegin: () => void keysByLevel.push(new Set()),
    onObjectProperty(key, _offset, _length, line, _column, getPath) {
      const keys = keysByLevel.at(-1);
      if (keys?.has(key)) duplicate ??= { path: formatPath([...getPath(), key]), line: line + 1 };
      keys?.add(key);
    },
    onObjectEnd: () => void keysByLevel.pop(),
  });
  return duplicate;
}

function formatPath(segments: readonly (string | number)[]): string {
  const path = segments
    .map((segment, i) => (typeof segment === 'number' ? `[${segment}]` : i === 0 ? segment : `.${segment}`))
    .join('');
  return escapeName(path.length > MAX_PATH_LENGTH ? `${path.slice(0, MAX_PATH_LENGTH)}…` : path);
}

/** Returns the message of a syntax error without its excerpt of the text, which may span lines, but with the line. */
function describeSyntaxError(json: string, { message }: SyntaxError): string {
  const reason = escapeName(message.replace(/, (?:\.\.\.)?".*"(?:\.\.\.)? is not valid JSON$/s, ' in JSON'));
  if (reason.includes('(line ')) return reason;
  const errors: ParseError[] = [];
  parse(json, errors, { disallowComments: true });
  const [first] = errors;
  return first ? `${reason} (line ${json.slice(0, first.offset).split('\n').length})` : reason;
}
