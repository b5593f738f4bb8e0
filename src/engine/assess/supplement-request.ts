import type { EstimateVersion } from '../../contract/assessment/lines.ts';
import { type FieldReader, found, isObject, type Json } from '../../lib/fields.ts';
import type { EarlierLine } from '../../pricing/lines/difference.ts';
import { list } from './request-lists.ts';

const REQUEST = 'INVALID_REQUEST';

/** The earlier version that a supplement follows, as its own answer has it. */
export interface EarlierVersion {
  readonly of: EstimateVersion;
  readonly currency: string;
  readonly history: readonly EstimateVersion[];
  /** Amounts in major units of `currency`. */
  readonly lines: readonly (Omit<EarlierLine, 'amountMinor'> & { readonly amount: number })[];
}

const tenthsOf = (hours: number) => Math.round(hours * 10);

/** Reads `supplement_to`; undefined where the estimate is one of its own. */
export function readSupplementTo(value: unknown, read: FieldReader): EarlierVersion | undefined {
  if (value === undefined || value === null) return undefined;
  const at = 'supplement_to';
  const given = objectOf(value, at, read);
  const of = readVersion(given, at, read);
  if (of.version === 'S99')
    read.fault(REQUEST, `${at}.version`, `${at}.version is S99, the last that there is.`);
  const { history, lines } = given;
  if (!Array.isArray(lines))
    read.fault(REQUEST, `${at}.lines`, `${at}.lines is ${found(lines)}; a list is needed.`);
  return {
    of,
    currency: textOf(given.currency, `${at}.currency`, 3, read),
    history: list(history, `${at}.history`, 99, read).map((entry, index) =>
      readVersion(objectOf(entry, `${at}.history[${index}]`, read), `${at}.history[${index}]`, read),
    ),
    lines: list(lines, `${at}.lines`, 2000, read).map((entry, index) => {
      const field = `${at}.lines[${index}]`;
      const line = objectOf(entry, field, read);
      return {
        id: textOf(line.line_id, `${field}.line_id`, 200, read),
        operation: textOf(line.operation, `${field}.operation`, 16, read),
        part: textOf(line.part, `${field}.part`, 80, read),
        hoursTenths: tenthsOf(amountOf(line.hours, `${field}.hours`, -1e12, read)),
        amount: amountOf(line.amount, `${field}.amount`, -1e12, read),
      };
    }),
  };
}

function readVersion(given: Json, at: string, read: FieldReader): EstimateVersion {
  const version = typeof given.version === 'string' ? given.version : '';
  if (!/^(E01|S\d{2})$/.test(version))
    read.fault(
      REQUEST,
      `${at}.version`,
      `${at}.version is ${found(given.version)}; E01 or S01 to S98 is needed.`,
    );
  return {
    version,
    assessment_id: textOf(given.assessment_id, `${at}.assessment_id`, 128, read),
    created_at: textOf(given.created_at, `${at}.created_at`, 64, read),
    net_total: amountOf(given.net_total, `${at}.net_total`, 0, read),
    gross_total: amountOf(given.gross_total, `${at}.gross_total`, 0, read),
  };
}

/** A text that must be there. */
function textOf(value: unknown, field: string, most: number, read: FieldReader): string {
  if (value === undefined || value === null) read.fault(REQUEST, field, `${field} is missing.`);
  return read.text(value, field, REQUEST, most) ?? '';
}

/** An amount that must be there. */
function amountOf(value: unknown, field: string, min: number, read: FieldReader): number {
  if (value === undefined || value === null) read.fault(REQUEST, field, `${field} is missing.`);
  return read.number(value, field, REQUEST, { min, max: 1e12 }) ?? 0;
}

/** An object that must be there. */
function objectOf(value: unknown, field: string, read: FieldReader): Json {
  if (isObject(value)) return value;
  read.fault(REQUEST, field, `${field} is ${found(value)}; an object is needed.`);
  return {};
}
