import { type Currency, toMinor } from '../../domain/money.ts';
import { DEPARTMENTS, type Department, OPERATIONS, type Operation } from '../../domain/repair.ts';
import { type FieldReader, isObject, type Json } from '../../lib/fields.ts';
import type { LineEdits } from '../../pricing/lines/edit-lines.ts';
import { TAX_CLASSES } from '../../pricing/lines/line.ts';
import { closed, list } from './request-lists.ts';

const REQUEST = 'INVALID_REQUEST';
const MOST_EDITS = 500;
const HOURS = { min: 0, max: 500 };
const PRICE = { min: 0, max: 1e9 };
const EDIT_FIELDS = ['line', 'hours', 'price', 'action', 'reason'] as const;
const ADD_FIELDS = ['operation', 'part', 'department', 'hours', 'price', 'tax_class'] as const;

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
