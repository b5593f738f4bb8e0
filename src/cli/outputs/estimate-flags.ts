import type { StatedSettlementTerms } from '../../contract/assessment/settlement.ts';
import { TERM_AMOUNTS, TERM_DEDUCTIONS, TERM_STAYS } from '../../domain/settlement.ts';
import { defined } from '../../lib/defined.ts';
import { makeRequestError } from '../terminal/usage-errors.ts';

const EDIT_HINT =
  'For example --edit 7:hours=3.5, --edit hood/rpr:remove, --edit 104:accept or --edit add:Subl:wheel_alignment:price=120';

/** Parses `key=value,…`; a comma is a separator only before another `key=`. */
export function parsePairs(text: string, flag: string, hint: string): Map<string, string> {
  return new Map(
    text.split(/,(?=\s*\w+=)/).map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw makeRequestError(`${flag}: ${pair || 'nothing'}: key=value is needed.`, hint);
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    }),
  );
}

function readNumbersAndTexts(
  pairs: Map<string, string>,
  flag: string,
  numbers: readonly string[],
  texts: readonly string[],
) {
  return Object.fromEntries(
    [...pairs].map(([key, value]) => {
      if (texts.includes(key)) return [key, value];
      if (!numbers.includes(key)) throw makeUnknownKeyError(flag, key, [...numbers, ...texts]);
      if (value === '' || !Number.isFinite(Number(value)))
        throw makeRequestError(`${flag}: ${key} is ${value || 'nothing'}; a number is needed.`, EDIT_HINT);
      return [key, Number(value)];
    }),
  );
}

/**
 * Parses `LINE:hours=…,price=…,reason=…`, `LINE:remove`, `LINE:accept` or `add:OP:PART:hours=…,price=…` as a line edit
 * of a request; LINE is the number or id of a line.
 * @throws VehiError usage for any other syntax
 */
export function readEditFlag(value: string): Readonly<Record<string, unknown>> {
  const flag = `--edit ${value}`;
  const [line = '', ...rest] = value.split(':');
  if (line === 'add') {
    const [operation = '', part = '', ...figures] = rest;
    if (operation === '' || part === '' || figures.length === 0)
      throw makeRequestError(`${flag}: add:OPERATION:PART:hours=…,price=… is needed.`, EDIT_HINT);
    const { reason, ...add } = readNumbersAndTexts(
      parsePairs(figures.join(':'), flag, EDIT_HINT),
      flag,
      ['hours', 'price'],
      ['department', 'tax_class', 'reason'],
    );
    return { add: { operation, part, ...add }, ...defined({ reason }) };
  }
  const change = rest.join(':');
  if (line === '' || change === '')
    throw makeRequestError(`${flag}: a line and its change are needed.`, EDIT_HINT);
  const target = { line: /^\d+$/.test(line) ? Number(line) : line };
  const [action = '', ...reasonPairs] = change.split(',');
  if (action === 'remove' || action === 'accept') {
    const more =
      reasonPairs.length === 0
        ? {}
        : readNumbersAndTexts(parsePairs(reasonPairs.join(','), flag, EDIT_HINT), flag, [], ['reason']);
    return { ...target, action, ...more };
  }
  return {
    ...target,
    ...readNumbersAndTexts(parsePairs(change, flag, EDIT_HINT), flag, ['hours', 'price'], ['reason']),
  };
}

/**
 * Parses `deductible=500,towing=150,storage=3x40,betterment=wheel:40%` as settlement terms, amounts in major units.
 * @throws VehiError usage naming the term
 */
export function parseSettlementFlags(values: readonly string[]): StatedSettlementTerms {
  const terms: Record<string, unknown> = {};
  const hint =
    'For example --settlement deductible=500,towing=150,rental=5x35 --settlement betterment=tyre:40%';
  for (const value of values) {
    const flag = `--settlement ${value}`;
    for (const [key, text] of parsePairs(value, flag, hint)) {
      if (isOneOf(TERM_AMOUNTS, key)) terms[key] = parseAmount(text, flag, hint);
      else if (isOneOf(TERM_STAYS, key)) {
        const [, days, perDay] = /^(\d+(?:\.\d+)?)\s*x\s*(\d+(?:\.\d+)?)$/.exec(text) ?? [];
        if (days === undefined) throw makeRequestError(`${flag}: ${key} is days x rate, such as 3x40.`, hint);
        terms[key] = { days: Number(days), per_day: Number(perDay) };
      } else if (isOneOf(TERM_DEDUCTIONS, key)) {
        const list = (terms[key] as unknown[] | undefined) ?? [];
        terms[key] = [...list, parseDeduction(text, flag, hint)];
      } else throw makeUnknownKeyError(flag, key, [...TERM_AMOUNTS, ...TERM_STAYS, ...TERM_DEDUCTIONS]);
    }
  }
  return terms as StatedSettlementTerms;
}

const makeUnknownKeyError = (flag: string, key: string, known: readonly string[]) =>
  makeRequestError(`${flag}: there is no ${key}.`, `It takes ${known.join(', ')}.`);

const isOneOf = <N extends string>(names: readonly N[], name: string): name is N =>
  (names as readonly string[]).includes(name);

function parseAmount(text: string, flag: string, hint: string): number {
  if (!/^\d+(\.\d+)?$/.test(text)) throw makeRequestError(`${flag}: ${text} is not an amount.`, hint);
  return Number(text);
}

/** Parses `PART`, `PART:40%`, `PART:200`, `40%` or `200`. */
function parseDeduction(
  text: string,
  flag: string,
  hint: string,
): NonNullable<StatedSettlementTerms['betterment']>[number] {
  const [, part, share, amount] =
    /^(?:([a-z_][\w/-]*):?)?(?:(\d+(?:\.\d+)?)%|(\d+(?:\.\d+)?))?$/.exec(text) ?? [];
  if (part === undefined && share === undefined && amount === undefined)
    throw makeRequestError(`${flag}: ${text} is neither a part, nor a share, nor an amount.`, hint);
  return {
    ...defined({ of: part }),
    ...(share === undefined ? {} : { percentage: Number(share) }),
    ...(amount === undefined ? {} : { amount: Number(amount) }),
  };
}
