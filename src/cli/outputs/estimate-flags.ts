import { defined } from '../../lib/objects.ts';
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

const makeUnknownKeyError = (flag: string, key: string, known: readonly string[]) =>
  makeRequestError(`${flag}: there is no ${key}.`, `It takes ${known.join(', ')}.`);
