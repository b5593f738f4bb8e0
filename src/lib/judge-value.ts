import { formatCount } from './counted.ts';
import { escapeName } from './display-name.ts';
import { describeFound, suggestNames } from './fields.ts';

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

/** A validation complaint: the sentence after the field's name, and a hint. */
export interface Complaint {
  readonly says: string;
  readonly hint?: string;
}

export function judgeMissing(schema: Schema, field: string): Complaint {
  if (schema.type === 'array') return { says: `is missing; ${describeListSize(schema, field)} is needed.` };
  const words = schema.enum ?? schema.anyOf?.find((branch) => branch.enum)?.enum;
  return { says: 'is missing.', ...(words && { hint: suggestNames(undefined, words) }) };
}

export function judgeList(schema: Schema, value: unknown, field: string): Complaint | undefined {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
  if (Array.isArray(value) && value.length >= minItems && value.length <= maxItems) {
    const again = schema.uniqueItems ? value.find((one, at) => value.indexOf(one) < at) : undefined;
    return again === undefined
      ? undefined
      : { says: `has ${describeFound(again)} twice; each is needed once.` };
  }
  const is = Array.isArray(value)
    ? `has ${formatCount(value.length, 'entry', 'entries')}`
    : `is ${describeFound(value)}`;
  return { says: `${is}; ${describeListSize(schema, field)} is needed.` };
}

/** Describes the limits of a list: `a list of 1 to 100 damages`. */
function describeListSize({ minItems = 0, maxItems }: Schema, field: string): string {
  if (maxItems === undefined) return 'a list';
  if (minItems === maxItems) return `a list of ${minItems}`;
  return minItems === 0
    ? `a list of at most ${maxItems}`
    : `a list of ${minItems} to ${maxItems} ${field.split('.').at(-1)}`;
}

export function judgeScalar(schema: Schema, value: unknown, printable = false): Complaint | undefined {
  if (schema.const !== undefined)
    return value === schema.const
      ? undefined
      : { says: `is ${describeFound(value)}; ${schema.const} is needed.` };
  if (schema.enum) return judgeWord(value, schema.enum);
  switch (schema.type) {
    case 'string':
      return (
        judgeText(value, schema.minLength ?? 0, schema.maxLength ?? Number.POSITIVE_INFINITY) ??
        judgePattern(schema, String(value)) ??
        (printable ? judgePrintable(schema, String(value)) : undefined)
      );
    case 'number':
    case 'integer':
      return judgeNumber(schema, value);
    case 'boolean':
      return typeof value === 'boolean'
        ? undefined
        : { says: `is ${describeFound(value)}; true or false is needed.` };
    case 'null':
      return value === null ? undefined : { says: `is ${describeFound(value)}; null is needed.` };
    case 'object':
      return { says: `is ${describeFound(value)}; an object is needed.` };
    default:
      return undefined;
  }
}

/** Validates one of a closed list of words. */
export function judgeWord(value: unknown, words: readonly string[]): Complaint | undefined {
  if (words.some((word) => word === value)) return undefined;
  const says = value === undefined ? 'is missing.' : `is ${describeFound(value)}, which is not known.`;
  return { says, hint: suggestNames(value, words) };
}

/** Validates the length of a text, `least` to `most` characters. */
export function judgeText(value: unknown, least: number, most: number): Complaint | undefined {
  const length = typeof value === 'string' ? countCharacters(value) : -1;
  if (length >= least && length <= most) return undefined;
  const is = length < 0 ? `is ${describeFound(value)}` : `has ${length} characters`;
  return { says: `${is}; text${describeTextLength(least, most)} is needed.` };
}

/** Counts code points, as JSON Schema does. */
function countCharacters(text: string): number {
  return text.length - (text.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0);
}

/** Describes the length limits of a text: ` of 1 to 128 characters`. */
function describeTextLength(least: number, most: number): string {
  if (least === most) return ` of ${most} characters`;
  if (most !== Number.POSITIVE_INFINITY) return ` of ${least} to ${most} characters`;
  return least === 0 ? '' : ` of at least ${least} characters`;
}

/** Pattern of a non-blank text. */
const NOT_BLANK = '\\S';

function judgePrintable({ minLength = 0 }: Schema, value: string): Complaint | undefined {
  if (minLength > 0 && value.trim() === '') return { says: 'is blank; text is needed.' };
  if (escapeName(value) === value) return undefined;
  return { says: `is ${describeFound(value)}; text without control characters is needed.` };
}

/** Formats of texts, each with an example. */
const FORMATS: Readonly<Record<string, readonly [isFit: (text: string) => boolean, needed: string]>> = {
  date: [isDay, 'a day such as 2026-11-02'],
  'date-time': [isTime, 'a time such as 2026-11-02T09:30:00Z'],
};

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && isTime(`${text}T00:00:00Z`);
}

function isTime(text: string): boolean {
  const day = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:?\d{2})$/i.exec(text)?.[1];
  if (day === undefined || Number.isNaN(Date.parse(text))) return false;
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}

function judgePattern({ pattern, examples, format }: Schema, value: string): Complaint | undefined {
  const [isFit, needed] = FORMATS[format ?? ''] ?? [];
  if (isFit && !isFit(value)) return { says: `is ${describeFound(value)}; ${needed} is needed.` };
  if (pattern === undefined || new RegExp(pattern, 'u').test(value)) return undefined;
  if (pattern === NOT_BLANK) return { says: 'is blank; text is needed.' };
  const shape = examples ? `such as ${examples.slice(0, 3).join(', ')}` : `that matches ${pattern}`;
  return { says: `is ${describeFound(value)}; text ${shape} is needed.` };
}

function judgeNumber(schema: Schema, value: unknown): Complaint | undefined {
  const { minimum, exclusiveMinimum, maximum, type } = schema;
  const fits =
    typeof value === 'number' &&
    Number.isFinite(value) &&
    (type !== 'integer' || Number.isInteger(value)) &&
    value >= (minimum ?? value) &&
    value > (exclusiveMinimum ?? Number.NEGATIVE_INFINITY) &&
    value <= (maximum ?? value);
  if (fits) return undefined;
  const bounds =
    exclusiveMinimum !== undefined
      ? ` above ${exclusiveMinimum}${maximum === undefined ? '' : `, at most ${maximum}`}`
      : minimum === undefined
        ? ''
        : maximum === undefined
          ? ` of at least ${minimum}`
          : ` from ${minimum} to ${maximum}`;
  const kind = type === 'integer' ? 'whole number' : 'number';
  return { says: `is ${describeFound(value)}; a ${kind}${bounds} is needed.` };
}
