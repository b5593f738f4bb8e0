import {
  type DeductionGiven,
  SETTLEMENT_TERMS,
  type SettlementGiven,
  TERM_AMOUNTS,
  TERM_DEDUCTIONS,
  TERM_STAYS,
} from '../../domain/settlement.ts';
import { defined } from '../../lib/defined.ts';
import type { Field } from '../../lib/field.ts';

const MOST = 1e9;
const MOST_DEDUCTIONS = 50;

/** Reads the `settlement` block of a manifest. @throws VehiError naming the field at fault */
export function readSettlementBlock(block: Field): SettlementGiven {
  const fields = block.known(SETTLEMENT_TERMS);
  const read = <T>(names: readonly string[], readTerm: (field: Field) => T) =>
    names.flatMap((name) => {
      const field = fields.maybe(name);
      return field === undefined ? [] : [[name, readTerm(field)] as const];
    });
  return Object.fromEntries([
    ...read(TERM_AMOUNTS, (field) => field.number(0, MOST)),
    ...read(TERM_STAYS, readStay),
    ...read(TERM_DEDUCTIONS, readDeductions),
  ]) as SettlementGiven;
}

function readStay(field: Field): { days: number; per_day: number } {
  const expected = 'both, such as { "days": 3, "per_day": 40 }';
  const fields = field.known(['days', 'per_day']);
  const days = fields.maybe('days')?.number(0, 3650) ?? field.wrong(expected, 'no days');
  const perDay = fields.maybe('per_day')?.number(0, MOST) ?? field.wrong(expected, 'no per_day');
  return { days, per_day: perDay };
}

function readDeductions(field: Field): DeductionGiven[] {
  const list = field.raw();
  if (!Array.isArray(list) || list.length > MOST_DEDUCTIONS)
    field.wrong(
      `a list of at most ${MOST_DEDUCTIONS}, such as [{ "of": "windshield", "percentage": 30 }]`,
      Array.isArray(list) ? `${list.length} entries` : 'no list',
    );
  return field.list(0, MOST_DEDUCTIONS).map((entry) => {
    const fields = entry.known(['of', 'percentage', 'amount', 'reason']);
    const deducted = defined({
      of: fields.maybe('of')?.text(200),
      percentage: fields.maybe('percentage')?.number(0, 100),
      amount: fields.maybe('amount')?.number(0, MOST),
    });
    if (Object.keys(deducted).length === 0) entry.wrong('of, percentage or amount', 'nothing to deduct');
    return { ...deducted, ...defined({ reason: fields.maybe('reason')?.text(500) }) };
  });
}
