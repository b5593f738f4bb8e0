import { type Currency, toMinor } from '../../domain/money.ts';
import { SETTLEMENT_TERMS } from '../../domain/settlement.ts';
import { type FieldReader, isObject } from '../../lib/fields.ts';
import type { Deduction, SettlementTerms } from '../../pricing/lines/settlement.ts';
import { closed, list } from './request-lists.ts';

const REQUEST = 'INVALID_REQUEST';
const PRICE = { min: 0, max: 1e9 };

/** Reads `settlement`; undefined where none was asked for. */
export function readSettlement(
  value: unknown,
  read: FieldReader,
): ((currency: Currency) => SettlementTerms) | undefined {
  if (value === undefined || value === null) return undefined;
  const terms = closed(value, 'settlement', SETTLEMENT_TERMS, read);
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
