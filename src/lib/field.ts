import { type ErrorKind, VehiError } from './errors.ts';
import { parseJson } from './json.ts';

/** The document a value is from, and what its mistakes are called. */
interface FieldSource {
  /** Its path, for messages. */
  readonly document: string;
  readonly kind: ErrorKind;
  readonly code: string;
  readonly hint: string;
}

/**
 * A value of an untrusted JSON document with its place in it, read step by step; every wrong type or value names the
 * place, what was found and what is needed. Hand-written because a schema library costs 0.2 s of every start.
 */
export class Field {
  readonly #value: unknown;
  readonly #source: FieldSource;
  readonly #path: string;

  constructor(value: unknown, source: FieldSource, path = '') {
    this.#value = value;
    this.#source = source;
    this.#path = path;
  }

  /** The document's root. @throws VehiError with the source's code when the text is not JSON. */
  static parse(text: string, source: FieldSource): Field {
    try {
      return new Field(parseJson(text), source);
    } catch (cause) {
      const { kind, code, document, hint } = source;
      throw new VehiError(kind, code, `${document} is not valid JSON: ${(cause as Error).message}`, {
        hint,
        cause,
      });
    }
  }

  get present(): boolean {
    return this.#value !== undefined && this.#value !== null;
  }

  /** @throws VehiError with the source's code, naming the place, what was found and what is needed. */
  wrong(needed: string): never {
    const { document, kind, code, hint } = this.#source;
    const found = JSON.stringify(this.#value) ?? 'missing';
    const shown = found.length > 60 ? `${found.slice(0, 60)}…` : found;
    const place = this.#path === '' ? 'the document' : this.#path;
    throw new VehiError(kind, code, `${document}: ${place} is ${shown}, needed: ${needed}`, {
      hint,
      field: this.#path,
    });
  }

  get(name: string): Field {
    const value = this.#value;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) this.wrong('an object');
    const own = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
    return new Field(own, this.#source, this.#path === '' ? name : `${this.#path}.${name}`);
  }

  list(least: number, most: number): Field[] {
    const value = this.#value;
    if (!Array.isArray(value) || value.length < least || value.length > most) {
      this.wrong(least === most ? `a list of ${least}` : `a list of ${least} to ${most}`);
    }
    return value.map((item, i) => new Field(item, this.#source, `${this.#path}[${i}]`));
  }

  text(longest = 500): string {
    const value = this.#value;
    if (typeof value !== 'string' || !isPlain(value) || value === '' || value.length > longest)
      this.wrong(`plain text of 1 to ${longest} characters`);
    return value;
  }

  matching(pattern: RegExp, needed: string): string {
    const value = this.#value;
    if (typeof value !== 'string' || !pattern.test(value)) this.wrong(needed);
    return value;
  }

  oneOf<const T extends string | number | boolean>(values: readonly T[]): T {
    const found = values.find((value) => value === this.#value);
    if (found === undefined) this.wrong(values.map((value) => JSON.stringify(value)).join(' or '));
    return found;
  }

  number(least: number, most: number): number {
    const value = this.#value;
    if (typeof value !== 'number' || !(value >= least && value <= most))
      this.wrong(`a number from ${least} to ${most}`);
    return value;
  }

  integer(least: number, most: number): number {
    const value = this.#value;
    if (!Number.isInteger(value) || (value as number) < least || (value as number) > most) {
      this.wrong(`a whole number from ${least} to ${most}`);
    }
    return value as number;
  }

  /** The value as it is, for parts that are only passed on. */
  raw(): unknown {
    return this.#value;
  }
}

/** Returns true for text without control characters, which could write anything to a terminal. */
function isPlain(text: string): boolean {
  return !/\p{Cc}/u.test(text);
}
