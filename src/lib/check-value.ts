import { describeValue, suggestNames } from './fields.ts';
import { formatCount } from './format-count.ts';
import { isCalendarDay } from './iso-time.ts';
import { escapeName } from './names.ts';

/** The subset of JSON Schema used for requests. */
export interface Schema {
  readonly type?: string;
  /** Description of the required value, used instead of the limits. */
  readonly title?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly items?: Schema;
  readonly uniqueItems?: boolean;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly string[];
  readonly const?: string | number | boolean;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly examples?: readonly string[];
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
}

/** A validation failure: the rest of a sentence that starts with the field's name, and a hint. */
export interface Violation {
  readonly problem: string;
  readonly hint?: string;
}

/** Creates the violation for a value where something else is needed. */
export const need = (value: unknown, needed: string): Violation => ({
  problem: `is ${describeValue(value)}; ${needed} is needed.`,
});

/** Creates the violation for a missing value, stating the requirement. */
export function checkMissing(schema: Schema, field: string): Violation {
  if (schema.type === 'array') return { problem: `is missing; ${describeSize(schema, field)} is needed.` };
  const choices = schema.enum ?? schema.anyOf?.find((branch) => branch.enum)?.enum;
  return { problem: 'is missing.', ...(choices && { hint: suggestNames(undefined, choices) }) };
}

/** Validates the length of a list and, if its schema requires it, that its items are unique. */
export function checkList(schema: Schema, value: unknown, field: string): Violation | undefined {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
  if (Array.isArray(value) && value.length >= minItems && value.length <= maxItems) {
    const duplicate = schema.uniqueItems ? value.find((item, i) => value.indexOf(item) < i) : undefined;
    return duplicate === undefined
      ? undefined
      : { problem: `has ${describeValue(duplicate)} twice; each is needed once.` };
  }
  const actual = Array.isArray(value)
    ? `has ${formatCount(value.length, 'entry', 'entries')}`
    : `is ${describeValue(value)}`;
  return { problem: `${actual}; ${describeSize(schema, field)} is needed.` };
}

/** Describes the limits of a list: `a list of 1 to 100 damages`. */
function describeSize({ minItems = 0, maxItems }: Schema, field: string): string {
  const least = formatCount(minItems, 'entry', 'entries');
  if (maxItems === undefined) return minItems === 0 ? 'a list' : `a list of at least ${least}`;
  if (minItems === maxItems) return `a list of ${least}`;
  return minItems === 0
    ? `a list of at most ${maxItems}`
    : `a list of ${minItems} to ${maxItems} ${field.split('.').at(-1)}`;
}

/**
 * Validates a value other than a list, or an object where one is needed, which is validated field by field.
 * @param printable rejects texts that a terminal or report cannot show
 */
export function checkScalar(schema: Schema, value: unknown, printable = false): Violation | undefined {
  if (schema.const !== undefined)
    return value === schema.const ? undefined : need(value, String(schema.const));
  if (schema.enum) return checkEnum(value, schema.enum);
  switch (schema.type) {
    case 'string':
      return (
        checkLength(value, schema.minLength ?? 0, schema.maxLength ?? Number.POSITIVE_INFINITY) ??
        checkPattern(schema, String(value)) ??
        (printable ? checkPrintable(schema, String(value)) : undefined)
      );
    case 'number':
    case 'integer':
      return checkNumber(schema, value);
    case 'boolean':
      return typeof value === 'boolean' ? undefined : need(value, 'true or false');
    case 'null':
      return value === null ? undefined : need(value, 'null');
    case 'object':
      return need(value, 'an object');
    default:
      return undefined;
  }
}

/** Validates one of a closed list of words. */
export function checkEnum(value: unknown, choices: readonly string[]): Violation | undefined {
  if (choices.some((choice) => choice === value)) return undefined;
  const problem = value === undefined ? 'is missing.' : `is ${describeValue(value)}, which is not known.`;
  return { problem, hint: suggestNames(value, choices) };
}

/** Validates the length of a text in code points. */
function checkLength(value: unknown, minLength: number, maxLength: number): Violation | undefined {
  const length = typeof value === 'string' ? countCharacters(value) : -1;
  if (length >= minLength && length <= maxLength) return undefined;
  const actual = length < 0 ? `is ${describeValue(value)}` : `has ${formatCount(length, 'character')}`;
  return { problem: `${actual}; text${describeTextLength(minLength, maxLength)} is needed.` };
}

/** Counts code points, as JSON Schema does. */
function countCharacters(text: string): number {
  return text.length - (text.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0);
}

/** Describes the length limits of a text: ` of 1 to 128 characters`. */
function describeTextLength(minLength: number, maxLength: number): string {
  if (minLength === maxLength) return ` of ${formatCount(maxLength, 'character')}`;
  if (maxLength !== Number.POSITIVE_INFINITY) return ` of ${minLength} to ${maxLength} characters`;
  return minLength === 0 ? '' : ` of at least ${formatCount(minLength, 'character')}`;
}

const NOT_BLANK = '\\S';
/** A visible character: not a blank, a control or format character, or a filler. */
const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

function checkPrintable({ minLength = 0 }: Schema, value: string): Violation | undefined {
  if (minLength > 0 && value.trim() === '') return { problem: 'is blank; text is needed.' };
  if (escapeName(value) === value) return undefined;
  return need(value, 'text without control characters');
}

/** Formats of texts, each with an example. */
const FORMATS: Readonly<Record<string, readonly [matches: (text: string) => boolean, expected: string]>> = {
  date: [isCalendarDay, 'a day such as 2026-11-02'],
  'date-time': [isDateTime, 'a time such as 2026-11-02T09:30:00Z'],
};

function isDateTime(text: string): boolean {
  const date = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:?\d{2})$/i.exec(text)?.[1];
  return date !== undefined && isCalendarDay(date) && !Number.isNaN(Date.parse(text));
}

function checkPattern({ pattern, examples, format }: Schema, value: string): Violation | undefined {
  const [matches, expected] = FORMATS[format ?? ''] ?? [];
  if (matches && !matches(value)) return need(value, expected ?? '');
  if (pattern === NOT_BLANK)
    return VISIBLE.test(value) ? undefined : { problem: 'is blank; text is needed.' };
  if (pattern === undefined || new RegExp(pattern, 'u').test(value)) return undefined;
  return need(
    value,
    examples ? `text such as ${examples.slice(0, 3).join(', ')}` : `text that matches ${pattern}`,
  );
}

function checkNumber(schema: Schema, value: unknown): Violation | undefined {
  const { minimum, exclusiveMinimum, maximum, type } = schema;
  const isValid =
    typeof value === 'number' &&
    Number.isFinite(value) &&
    (type !== 'integer' || Number.isInteger(value)) &&
    value >= (minimum ?? value) &&
    value > (exclusiveMinimum ?? Number.NEGATIVE_INFINITY) &&
    value <= (maximum ?? value);
  return isValid ? undefined : need(value, describeNumber(schema));
}

/** Describes the number that a schema asks for: `a whole number from 1 to 256`. */
export function describeNumber({ type, minimum, exclusiveMinimum, maximum }: Schema): string {
  const name = type === 'integer' ? 'a whole number' : 'a number';
  if (exclusiveMinimum !== undefined)
    return `${name} above ${exclusiveMinimum}${maximum === undefined ? '' : `, at most ${maximum}`}`;
  if (minimum === undefined) return maximum === undefined ? name : `${name} of at most ${maximum}`;
  return `${name} ${maximum === undefined ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`}`;
}
