import type { AssessmentRequest } from '../../contract/assessment/request.ts';
import { type Currency, toMinor } from '../../domain/money.ts';
import type { Department, Operation } from '../../domain/repair.ts';
import type { FieldFault } from '../../lib/fields.ts';
import type { AddedLine, LineEdit, LineEdits } from '../../pricing/lines/edit-lines.ts';
import { REQUEST } from './request-rules.ts';

type Entry = NonNullable<AssessmentRequest['line_edits']>[number];

/** Returns a fault for each entry that asks for nothing, for two things that exclude each other, or for what one before it does. */
export function findEditFaults(entries: readonly Entry[]): readonly FieldFault[] {
  return entries.flatMap((entry, index) => {
    const field = `line_edits[${index}]${'add' in entry ? '.add' : ''}`;
    const { hours, price } = 'add' in entry ? entry.add : entry;
    const fault = (says: string, hint: string) => [
      { code: REQUEST, field, message: `${field} ${says}`, hint },
    ];
    if ('add' in entry)
      return hours || price ? [] : fault('has neither hours nor a price.', 'Give one of them.');
    const changed = hours !== undefined || price !== undefined;
    if (!changed && entry.action === undefined)
      return fault('changes nothing.', 'Give hours, price or action.');
    if (changed && entry.action === 'remove')
      return fault('removes a line and changes it.', 'Do one of them.');
    const earlier = entries.findIndex((one) => isSameLine(one, entry));
    if (earlier < index)
      return fault(
        `is of line ${entry.line}, as is line_edits[${earlier}].`,
        'Say it all in one edit of the line.',
      );
    return [];
  });
}

function isSameLine(one: Entry, { line }: Exclude<Entry, { add: unknown }>): boolean {
  return !('add' in one) && String(one.line) === String(line);
}

/** Reads `line_edits`; money needs the response currency, which is known later. */
export function readLineEdits(entries: readonly Entry[]): (currency: Currency) => LineEdits {
  return (currency) => {
    const placed = entries.map((entry, index) => ({ entry, field: `line_edits[${index}]` }));
    return {
      changed: placed.flatMap(({ entry, field }) =>
        'add' in entry ? [] : [readEdit(entry, field, currency)],
      ),
      added: placed.flatMap(({ entry, field }) =>
        'add' in entry ? [readAdded(entry, field, currency)] : [],
      ),
    };
  };
}

const toTenths = (hours: number) => Math.round(hours * 10);

function readEdit(edit: Exclude<Entry, { add: unknown }>, field: string, currency: Currency): LineEdit {
  const { line, hours, price, action, reason } = edit;
  return {
    field,
    line,
    hoursTenths: hours === undefined ? undefined : toTenths(hours),
    action,
    reason,
    priceMinor: price === undefined ? undefined : toMinor(price, currency),
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

function readAdded(
  { add, reason }: Extract<Entry, { add: unknown }>,
  field: string,
  currency: Currency,
): AddedLine {
  const { operation, part, department, hours = 0, price, tax_class } = add;
  return {
    field,
    operation,
    part,
    department: department ?? DEPARTMENT_OF[operation] ?? 'body',
    hoursTenths: toTenths(hours),
    taxClass: tax_class ?? (operation === 'Subl' ? 'sublet' : 'parts'),
    reason,
    priceMinor: toMinor(price ?? 0, currency),
  };
}
