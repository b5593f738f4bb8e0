import { posix } from 'node:path';
import { escapeName } from './display-name.ts';
import { VehiError } from './errors.ts';
import { parseJson } from './json.ts';
import { findNearest } from './nearest.ts';

/** Longest piece of a value that an error repeats. */
const SHOWN = 60;

/** Returns the name that a mistyped one probably means, when one is near enough to suggest. */
export function suggestName(typed: string, names: readonly string[]): string {
  const best = typed.length > 100 ? undefined : findNearest(typed, names);
  return best === undefined ? '' : ` (did you mean "${escapeName(best)}"?)`;
}

/**
 * Returns strict readers for the values of a manifest; each throws INVALID_MANIFEST naming file, field, found and
 * expected.
 */
export function createManifestChecker(path: string) {
  const fault = (field: string, found: string, expected: string): VehiError =>
    new VehiError(
      'input',
      'INVALID_MANIFEST',
      `${escapeName(path)}: ${escapeName(field) || 'top level'}: found ${escapeName(found)}; expected ${expected}`,
      { hint: 'Correct the manifest or remove it; photos are inspected without one as well.', field },
    );

  const check = {
    fault,

    json(text: string): unknown {
      try {
        return parseJson(text);
      } catch (error) {
        throw fault(
          '',
          `text that is not JSON (${error instanceof Error ? error.message : ''})`,
          'a JSON object',
        );
      }
    },

    /** Own fields of an object; with `known`, no others are let through. */
    object(field: string, value: unknown, known?: readonly string[]): ReadonlyMap<string, unknown> {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        throw fault(field, show(value), 'an object { … }');
      }
      for (const name of known === undefined ? [] : Object.keys(value)) {
        if (!known?.includes(name)) {
          const suggestion = suggestName(name, known ?? []);
          throw fault(field, `an unknown field ${show(name)}${suggestion}`, `only ${known?.join(', ')}`);
        }
      }
      return new Map(Object.entries(value));
    },

    text(field: string, value: unknown, maxLength: number): string | undefined {
      if (value === undefined) return undefined;
      if (typeof value !== 'string' || value.trim() === '' || value.length > maxLength) {
        throw fault(field, show(value), `a text of 1 to ${maxLength} characters`);
      }
      if (escapeName(value) !== value) throw fault(field, show(value), 'a text without control characters');
      return value;
    },

    number(
      field: string,
      value: unknown,
      range: { min: number; max: number; whole?: boolean },
    ): number | undefined {
      if (value === undefined) return undefined;
      const fits = typeof value === 'number' && value >= range.min && value <= range.max;
      if (!fits || (range.whole === true && !Number.isInteger(value))) {
        const kind = range.whole === true ? 'a whole number' : 'a number';
        throw fault(field, show(value), `${kind} from ${range.min} to ${range.max}`);
      }
      return value;
    },

    oneOf<const Name extends string>(
      field: string,
      value: unknown,
      names: readonly Name[],
    ): Name | undefined {
      if (value === undefined) return undefined;
      const name = names.find((candidate) => candidate === value);
      if (name === undefined) {
        const suggestion = typeof value === 'string' ? suggestName(value, names) : '';
        throw fault(field, `${show(value)}${suggestion}`, `one of ${names.join(', ')}`);
      }
      return name;
    },

    /** A path inside the manifest's folder, cleaned: forward slashes, no `../`, Unicode NFC. */
    relativePath(field: string, value: unknown): string {
      const expected = 'a path relative to the manifest, inside its folder';
      if (typeof value !== 'string' || value === '' || value.includes('\0')) {
        throw fault(field, show(value), expected);
      }
      const clean = posix.normalize(value.replaceAll('\\', '/')).normalize('NFC');
      if (
        posix.isAbsolute(clean) ||
        /^[a-z]:/i.test(clean) ||
        clean === '.' ||
        clean.split('/')[0] === '..'
      ) {
        throw fault(field, show(value), expected);
      }
      return clean;
    },
  };
  return check;
}

function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value) ?? typeof value;
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
