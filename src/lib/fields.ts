import { VehiError } from './errors.ts';
import { nearest } from './nearest.ts';

/** One thing wrong with a request: the contract's code, the field's path, what was found, what to do. */
export interface FieldFault {
  readonly code: string;
  readonly field: string;
  readonly message: string;
  readonly hint?: string;
}

export type Json = Readonly<Record<string, unknown>>;

/** True for a JSON object, not a list. */
export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** How a value is named in a message; long text is cut. */
export function found(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  if (Array.isArray(value)) return 'a list';
  return isObject(value) ? 'an object' : String(value);
}

/** The known name nearest to what was typed, or all names where none is near. */
export function meant(typed: unknown, names: readonly string[]): string {
  const near = typeof typed === 'string' ? nearest(typed, names) : undefined;
  return near === undefined ? `One of ${names.join(', ')}.` : `Did you mean ${near}?`;
}

/** Reads fields of a request and keeps a list of everything that is wrong with them. */
export class FieldReader {
  readonly faults: FieldFault[] = [];

  fault(code: string, field: string, message: string, hint?: string): undefined {
    this.faults.push({ code, field, message, ...(hint === undefined ? {} : { hint }) });
    return undefined;
  }

  /** A text of 1 to `most` characters; absent and null are undefined. */
  text(value: unknown, field: string, code: string, most: number): string | undefined {
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'string' && value.length >= 1 && value.length <= most) return value;
    const is = typeof value === 'string' ? `has ${value.length} characters` : `is ${found(value)}`;
    return this.fault(code, field, `${field} ${is}; text of 1 to ${most} characters is needed.`);
  }

  /** A number inside bounds; absent and null are undefined. */
  number(
    value: unknown,
    field: string,
    code: string,
    bounds: { min: number; max: number; whole?: boolean; above?: boolean },
  ): number | undefined {
    if (value === undefined || value === null) return undefined;
    const { min, max, whole, above } = bounds;
    const fits =
      typeof value === 'number' &&
      Number.isFinite(value) &&
      (above ? value > min : value >= min) &&
      value <= max &&
      (!whole || Number.isInteger(value));
    if (fits) return value;
    const range = above ? `above ${min}, at most ${max}` : `from ${min} to ${max}`;
    return this.fault(
      code,
      field,
      `${field} is ${found(value)}; a ${whole ? 'whole ' : ''}number ${range} is needed.`,
    );
  }

  /** A yes or no; absent is the fallback. */
  flag(value: unknown, field: string, code: string, fallback: boolean): boolean {
    if (value === undefined || value === null) return fallback;
    if (typeof value === 'boolean') return value;
    this.fault(code, field, `${field} is ${found(value)}; true or false is needed.`);
    return fallback;
  }

  /** One of a list of words; absent and null are undefined. */
  oneOf<T extends string>(value: unknown, field: string, code: string, words: readonly T[]): T | undefined {
    if (value === undefined || value === null) return undefined;
    const word = words.find((candidate) => candidate === value);
    if (word !== undefined) return word;
    return this.fault(code, field, `${field} is ${found(value)}, which is not known.`, meant(value, words));
  }

  /** An object; absent and null are empty. */
  object(value: unknown, field: string, code: string): Json {
    if (value === undefined || value === null) return {};
    if (isObject(value)) return value;
    this.fault(code, field, `${field} is ${found(value)}; an object is needed.`);
    return {};
  }

  /** @throws VehiError with the first fault as code and field and all of them in `details.errors`. */
  finish(): void {
    const [first] = this.faults;
    if (first === undefined) return;
    throw new VehiError('input', first.code, first.message, {
      field: first.field,
      ...(first.hint === undefined ? {} : { hint: first.hint }),
      details: { errors: this.faults },
    });
  }
}
