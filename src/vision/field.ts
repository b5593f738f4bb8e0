import { VehiError } from '../domain/errors.ts';

/**
 * A value of an untrusted JSON document with its place in it, read step by step; every wrong type or value names the
 * place, what was found and what is needed. Hand-written because a schema library costs 0.2 s of every start.
 */
export class Field {
  readonly #value: unknown;
  readonly #path: string;
  readonly #document: string;

  constructor(value: unknown, document: string, path = '') {
    this.#value = value;
    this.#document = document;
    this.#path = path;
  }

  get present(): boolean {
    return this.#value !== undefined && this.#value !== null;
  }

  /** @throws VehiError `MODEL_MANIFEST_INVALID` that names the field. */
  wrong(needed: string): never {
    const found = JSON.stringify(this.#value) ?? 'nothing';
    const shown = found.length > 60 ? `${found.slice(0, 60)}…` : found;
    throw new VehiError(
      'engine',
      'MODEL_MANIFEST_INVALID',
      `${this.#document}: ${this.#path === '' ? 'the document' : this.#path} is ${shown}, needed: ${needed}`,
      {
        hint: 'Correct the manifest, or point --models DIR (VEHI_MODEL_DIR) at a folder of models made for this version.',
        field: this.#path,
      },
    );
  }

  get(name: string): Field {
    const value = this.#value;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) this.wrong('an object');
    const own = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
    return new Field(own, this.#document, this.#path === '' ? name : `${this.#path}.${name}`);
  }

  /** The object's entries in the document's order. */
  entries(): [string, Field][] {
    const value = this.#value;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) this.wrong('an object');
    return Object.keys(value).map((name) => [name, this.get(name)]);
  }

  list(least: number, most: number): Field[] {
    const value = this.#value;
    if (!Array.isArray(value) || value.length < least || value.length > most) {
      this.wrong(least === most ? `a list of ${least}` : `a list of ${least} to ${most}`);
    }
    return value.map((item, i) => new Field(item, this.#document, `${this.#path}[${i}]`));
  }

  text(longest = 500): string {
    const value = this.#value;
    if (typeof value !== 'string' || value === '' || value.length > longest)
      this.wrong(`text of 1 to ${longest} characters`);
    return value;
  }

  matching(pattern: RegExp, needed: string): string {
    const value = this.#value;
    if (typeof value !== 'string' || !pattern.test(value)) this.wrong(needed);
    return value;
  }

  oneOf<const T extends string | number>(values: readonly T[]): T {
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
