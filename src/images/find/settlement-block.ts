import {
  type DeductionGiven,
  SETTLEMENT_TERMS,
  type SettlementGiven,
  TERM_AMOUNTS,
  TERM_DEDUCTIONS,
  TERM_STAYS,
} from '../../domain/settlement.ts';
import { defined } from '../../lib/defined.ts';
import type { createManifestChecker } from '../../lib/manifest-checker.ts';

type Checker = ReturnType<typeof createManifestChecker>;

const AMOUNT = { min: 0, max: 1e9 };
const MOST_DEDUCTIONS = 50;

/** Reads the `settlement` block of a manifest. @throws what `check` throws, naming the field */
export function readSettlementBlock(value: unknown, check: Checker): SettlementGiven {
  const fields = check.object('settlement', value, SETTLEMENT_TERMS);
  const given = <T>(names: readonly string[], read: (field: string, value: unknown) => T) =>
    names.flatMap((name) =>
      fields.has(name) ? [[name, read(`settlement.${name}`, fields.get(name))] as const] : [],
    );
  return Object.fromEntries([
    ...given(TERM_AMOUNTS, (field, amount) => check.number(field, amount, AMOUNT)),
    ...given(TERM_STAYS, (field, stay) => readStay(field, stay, check)),
    ...given(TERM_DEDUCTIONS, (field, list) => readDeductions(field, list, check)),
  ]) as SettlementGiven;
}

function readStay(field: string, value: unknown, check: Checker): { days: number; per_day: number } {
  const fields = check.object(field, value, ['days', 'per_day']);
  const days = check.number(`${field}.days`, fields.get('days'), { min: 0, max: 3650 });
  const perDay = check.number(`${field}.per_day`, fields.get('per_day'), AMOUNT);
  if (days === undefined || perDay === undefined)
    throw check.fault(
      field,
      days === undefined ? 'no days' : 'no per_day',
      'both, such as { "days": 3, "per_day": 40 }',
    );
  return { days, per_day: perDay };
}

function readDeductions(field: string, value: unknown, check: Checker): DeductionGiven[] {
  if (!Array.isArray(value) || value.length > MOST_DEDUCTIONS)
    throw check.fault(
      field,
      Array.isArray(value) ? `${value.length} entries` : 'no list',
      `a list of at most ${MOST_DEDUCTIONS}, such as [{ "of": "windshield", "percentage": 30 }]`,
    );
  return value.map((entry: unknown, index) => {
    const at = `${field}[${index}]`;
    const fields = check.object(at, entry, ['of', 'percentage', 'amount', 'reason']);
    const of = check.text(`${at}.of`, fields.get('of'), 200);
    const percentage = check.number(`${at}.percentage`, fields.get('percentage'), { min: 0, max: 100 });
    const amount = check.number(`${at}.amount`, fields.get('amount'), AMOUNT);
    const reason = check.text(`${at}.reason`, fields.get('reason'), 500);
    if (of === undefined && percentage === undefined && amount === undefined)
      throw check.fault(at, 'nothing to deduct', 'of, percentage or amount');
    return { ...defined({ of, percentage, amount, reason }) };
  });
}
