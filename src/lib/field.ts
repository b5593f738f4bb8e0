import { escapeName } from './display-name.ts';
import { type ErrorKind, VehiError } from './errors.ts';
import { isObject } from './fields.ts';
import { parseJson } from './json.ts';
import { suggestName } from './nearest.ts';

/** Longest piece of a value that an error repeats. */
const SHOWN = 60;

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
      const why = cause instanceof Error ? cause.message : '';
      throw new VehiError(kind, code, `${escapeName(document)} is not valid JSON: ${why}`, { hint, cause });
    }
  }

  get present(): boolean {
    return this.#value !== undefined && this.#value !== null;
  }

  /** @throws VehiError with the source's code, naming the place, what was found and what is needed. */
  wrong(expected: string, found = show(this.#value)): never {
    const { document, kind, code, hint } = this.#source;
    const place = escapeName(`${document}: ${this.#path || 'top level'}`);
    throw new VehiError(kind, code, `${place}: found ${escapeName(found)}; expected ${expected}`, {
      hint,
      field: this.#path,
    });
  }

  get(name: string): Field {
    const value = this.#object();
    const own = Object.hasOwn(value, name) ? value[name] : undefined;
    return new Field(own, this.#source, this.#path === '' ? name : `${this.#path}.${name}`);
  }

  /** The field of this name; undefined where it is absent. */
  maybe(name: string): Field | undefined {
    const field = this.get(name);
    return field.#value === undefined ? undefined : field;
  }

  /** This object, which has no other fields than these. */
  known(names: readonly string[]): this {
    const other = Object.keys(this.#object()).find((name) => !names.includes(name));
    if (other === undefined) return this;
    this.wrong(`only ${names.join(', ')}`, `an unknown field ${show(other)}${suggestName(other, names)}`);
  }

  /** The fields of an object whose names are values. */
  entries(): (readonly [name: string, field: Field])[] {
    return Object.entries(this.#object()).map(([name, value]) => [
      name,
      new Field(value, this.#source, `${this.#path}[${JSON.stringify(name)}]`),
    ]);
  }

  #object(): Readonly<Record<string, unknown>> {
    const value = this.#value;
    return isObject(value) ? value : this.wrong('an object { … }');
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
    if (typeof value !== 'string' || value.trim() === '' || value.length > longest)
      this.wrong(`a text of 1 to ${longest} characters`);
    // They could write anything to a terminal.
    if (escapeName(value) !== value) this.wrong('a text without control characters');
    return value;
  }

  matching(pattern: RegExp, needed: string): string {
    const value = this.#value;
    if (typeof value !== 'string' || !pattern.test(value)) this.wrong(needed);
    return value;
  }

  oneOf<const T extends string | number | boolean>(values: readonly T[]): T {
    const given = this.#value;
    const known = values.find((value) => value === given);
    if (known !== undefined) return known;
    const meant = typeof given === 'string' ? suggestName(given, values.map(String)) : '';
    this.wrong(`${values.length === 1 ? '' : 'one of '}${values.join(', ')}`, `${show(given)}${meant}`);
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

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
