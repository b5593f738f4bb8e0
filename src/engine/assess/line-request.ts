import type { EstimateVersion } from '../../contract/assessment/lines.ts';
import { type Currency, toMinor } from '../../domain/money.ts';
import { DEPARTMENTS, type Department, OPERATIONS, type Operation } from '../../domain/repair.ts';
import { type FieldReader, found, isObject, type Json, meant } from '../../lib/fields.ts';
import type { EarlierLine } from '../../pricing/lines/difference.ts';
import type { LineEdits } from '../../pricing/lines/edit-lines.ts';
import { TAX_CLASSES } from '../../pricing/lines/line.ts';
import type { Deduction, SettlementTerms } from '../../pricing/lines/settlement.ts';

const REQUEST = 'INVALID_REQUEST';
const MOST_EDITS = 500;
const HOURS = { min: 0, max: 500 };
const PRICE = { min: 0, max: 1e9 };
const EDIT_FIELDS = ['line', 'hours', 'price', 'action', 'reason'] as const;
const ADD_FIELDS = ['operation', 'part', 'department', 'hours', 'price', 'tax_class'] as const;

/** The earlier version that a supplement follows, as its own answer has it. */
export interface EarlierVersion {
  readonly of: EstimateVersion;
  readonly currency: string;
  readonly history: readonly EstimateVersion[];
  /** Amounts in major units of `currency`. */
  readonly lines: readonly (Omit<EarlierLine, 'amountMinor'> & { readonly amount: number })[];
}

function list(value: unknown, field: string, most: number, read: FieldReader): unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value) && value.length <= most) return value;
  const is = Array.isArray(value) ? `has ${value.length} entries` : `is ${found(value)}`;
  read.fault(REQUEST, field, `${field} ${is}; a list of at most ${most} is needed.`);
  return [];
}

/** An object with known fields alone. */
function closed(value: unknown, field: string, known: readonly string[], read: FieldReader): Json {
  if (!isObject(value)) {
    read.fault(REQUEST, field, `${field} is ${found(value)}; an object is needed.`);
    return {};
  }
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined)
    read.fault(REQUEST, `${field}.${unknown}`, `${field}.${unknown} is not a field.`, meant(unknown, known));
  return value;
}

/** Reads `line_edits`; money needs the response currency, which is known later. */
export function readLineEdits(value: unknown, read: FieldReader): (currency: Currency) => LineEdits {
  const entries = list(value, 'line_edits', MOST_EDITS, read).map((entry, index) => {
    const field = `line_edits[${index}]`;
    return isObject(entry) && entry.add !== undefined
      ? { kind: 'add' as const, one: readAdded(entry, field, read) }
      : { kind: 'edit' as const, one: readEdit(entry, field, read) };
  });
  return (currency) => {
    const minor = (price: number | undefined) => (price === undefined ? undefined : toMinor(price, currency));
    return {
      changed: entries.flatMap(({ kind, one }) =>
        kind === 'edit' && one !== undefined ? [{ ...one, priceMinor: minor(one.price) }] : [],
      ),
      added: entries.flatMap(({ kind, one }) =>
        kind === 'add' && one !== undefined ? [{ ...one, priceMinor: minor(one.price) ?? 0 }] : [],
      ),
    };
  };
}

const tenthsOf = (hours: number) => Math.round(hours * 10);

function readEdit(entry: unknown, field: string, read: FieldReader) {
  const edit = closed(entry, field, EDIT_FIELDS, read);
  const line =
    typeof edit.line === 'number' ? edit.line : read.text(edit.line, `${field}.line`, REQUEST, 200);
  const hours = read.number(edit.hours, `${field}.hours`, REQUEST, HOURS);
  const price = read.number(edit.price, `${field}.price`, REQUEST, PRICE);
  const action = read.oneOf(edit.action, `${field}.action`, REQUEST, ['remove', 'accept'] as const);
  const reason = read.text(edit.reason, `${field}.reason`, REQUEST, 500);
  if (!isObject(entry)) return undefined;
  if (line === undefined)
    return read.fault(REQUEST, `${field}.line`, `${field}.line is missing: the id or the number of a line.`);
  if (hours === undefined && price === undefined && action === undefined)
    return read.fault(REQUEST, field, `${field} changes nothing.`, 'Give hours, price or action.');
  if (action === 'remove' && (hours !== undefined || price !== undefined))
    return read.fault(REQUEST, field, `${field} removes a line and changes it.`, 'Do one of them.');
  return {
    field,
    line,
    hoursTenths: hours === undefined ? undefined : tenthsOf(hours),
    price,
    action,
    reason,
  };
}

const DEPARTMENT_OF: Partial<Record<Operation, Department>> = {
  Refn: 'refinish',
  Clear: 'refinish',
  '3-stg': 'refinish',
  Blnd: 'refinish',
  Setup: 'structural',
  Pull: 'structural',
  PDR: 'pdr',
  Subl: 'mechanical',
};

function readAdded(entry: Json, field: string, read: FieldReader) {
  closed(entry, field, ['add', 'reason'], read);
  const at = `${field}.add`;
  const add = closed(entry.add, at, ADD_FIELDS, read);
  const operation = read.oneOf(add.operation, `${at}.operation`, REQUEST, OPERATIONS);
  const part = read.text(add.part, `${at}.part`, REQUEST, 80);
  const department = read.oneOf(add.department, `${at}.department`, REQUEST, DEPARTMENTS);
  const hours = read.number(add.hours, `${at}.hours`, REQUEST, HOURS) ?? 0;
  const price = read.number(add.price, `${at}.price`, REQUEST, PRICE);
  const taxClass = read.oneOf(add.tax_class, `${at}.tax_class`, REQUEST, TAX_CLASSES);
  const reason = read.text(entry.reason, `${field}.reason`, REQUEST, 500);
  for (const [name, given] of [
    ['operation', add.operation],
    ['part', add.part],
  ] as const)
    if (given === undefined) read.fault(REQUEST, `${at}.${name}`, `${at}.${name} is missing.`);
  if (hours === 0 && (price ?? 0) === 0)
    return read.fault(REQUEST, at, `${at} has neither hours nor a price.`, 'Give one of them.');
  if (operation === undefined || part === undefined) return undefined;
  return {
    field,
    operation,
    part,
    department: department ?? DEPARTMENT_OF[operation] ?? ('body' as const),
    hoursTenths: tenthsOf(hours),
    price,
    taxClass: taxClass ?? (operation === 'Subl' ? ('sublet' as const) : ('parts' as const)),
    reason,
  };
}

const TERMS = ['deductible', 'betterment', 'prior_damage', 'towing', 'storage', 'rental'] as const;

/** Reads `settlement`; undefined where none was asked for. */
export function readSettlement(
  value: unknown,
  read: FieldReader,
): ((currency: Currency) => SettlementTerms) | undefined {
  if (value === undefined || value === null) return undefined;
  const terms = closed(value, 'settlement', TERMS, read);
  const amount = (name: 'deductible' | 'towing') =>
    read.number(terms[name], `settlement.${name}`, REQUEST, PRICE);
  const [deductible, towing] = [amount('deductible'), amount('towing')];
  const stay = (name: 'storage' | 'rental') => {
    if (terms[name] === undefined || terms[name] === null) return undefined;
    const given = closed(terms[name], `settlement.${name}`, ['days', 'per_day'], read);
    const days = read.number(given.days, `settlement.${name}.days`, REQUEST, { min: 0, max: 3650 });
    const perDay = read.number(given.per_day, `settlement.${name}.per_day`, REQUEST, PRICE);
    if (days !== undefined && perDay !== undefined) return { days, perDay };
    return read.fault(REQUEST, `settlement.${name}`, `settlement.${name} needs days and per_day.`);
  };
  const stays = { storage: stay('storage'), rental: stay('rental') };
  const deductions = {
    betterment: readDeductions(terms.betterment, 'settlement.betterment', read),
    prior_damage: readDeductions(terms.prior_damage, 'settlement.prior_damage', read),
  };
  return (currency) => {
    const minor = (price: number | undefined) => (price === undefined ? undefined : toMinor(price, currency));
    const inMinor = (of: (typeof deductions)['betterment']): Deduction[] =>
      of.map(({ amount: price, ...one }) => ({ ...one, amountMinor: minor(price) }));
    const stayed = (name: 'storage' | 'rental') => {
      const one = stays[name];
      return one === undefined ? undefined : { days: one.days, perDayMinor: toMinor(one.perDay, currency) };
    };
    return {
      deductibleMinor: minor(deductible),
      betterment: inMinor(deductions.betterment),
      priorDamage: inMinor(deductions.prior_damage),
      towingMinor: minor(towing),
      storage: stayed('storage'),
      rental: stayed('rental'),
    };
  };
}

function readDeductions(value: unknown, at: string, read: FieldReader) {
  return list(value, at, 50, read).map((entry, index) => {
    const field = `${at}[${index}]`;
    const given = closed(entry, field, ['of', 'percentage', 'amount', 'reason'], read);
    const of = read.text(given.of, `${field}.of`, REQUEST, 200);
    const percentage = read.number(given.percentage, `${field}.percentage`, REQUEST, { min: 0, max: 100 });
    const amount = read.number(given.amount, `${field}.amount`, REQUEST, PRICE);
    const reason = read.text(given.reason, `${field}.reason`, REQUEST, 500);
    if (isObject(entry) && of === undefined && percentage === undefined && amount === undefined)
      read.fault(REQUEST, field, `${field} says neither a part nor a percentage nor an amount.`);
    return { field, of, share: percentage === undefined ? undefined : percentage / 100, amount, reason };
  });
}

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
