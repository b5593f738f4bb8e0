import { makeUsageError } from '../../lib/errors.ts';
import { parseDecimal } from '../../lib/numbers.ts';
import { defined } from '../../lib/objects.ts';
import { parsePairs } from '../terminal/parse-pairs.ts';

const EDIT_HINT =
  'For example --edit 7:hours=3.5, --edit hood/rpr:remove, --edit 104:accept or --edit add:Subl:wheel_alignment:price=120';

/** Keys whose values are numbers; those of all others are texts. */
const NUMBERS = ['hours', 'price'];

/** Parses `key=value,…` of an edit that takes these keys. */
const readFigures = (text: string, flag: string, keys: readonly string[]) =>
  Object.fromEntries(
    [...parsePairs(text, flag, EDIT_HINT)].map(([key, value]) => {
      if (!keys.includes(key))
        throw makeUsageError(`${flag}: there is no ${key}.`, `It takes ${keys.join(', ')}.`);
      if (!NUMBERS.includes(key)) return [key, value];
      const number = parseDecimal(value);
      if (!Number.isFinite(number))
        throw makeUsageError(`${flag}: ${key} is ${value || 'nothing'}; a number is needed.`, EDIT_HINT);
      return [key, number];
    }),
  );

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
      throw makeUsageError(`${flag}: add:OPERATION:PART:hours=…,price=… is needed.`, EDIT_HINT);
    const keys = [...NUMBERS, 'department', 'tax_class', 'reason'];
    const { reason, ...add } = readFigures(figures.join(':'), flag, keys);
    return { add: { operation, part, ...add }, ...defined({ reason }) };
  }
  const change = rest.join(':');
  if (line === '' || change === '')
    throw makeUsageError(`${flag}: a line and its change are needed.`, EDIT_HINT);
  const target = { line: /^\d+$/.test(line) ? Number(line) : line };
  const [, action, why] = /^(remove|accept)(?:,(.*))?$/s.exec(change) ?? [];
  if (action === undefined) return { ...target, ...readFigures(change, flag, [...NUMBERS, 'reason']) };
  return { ...target, action, ...(why === undefined ? {} : readFigures(why, flag, ['reason'])) };
}
