import { makeUsageError } from '../../lib/errors.ts';

/** Parses `key=value,…`; only a comma before another `key=` separates. @throws VehiError usage for no key, or one given twice */
export function parsePairs(text: string, flag: string, hint: string): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>();
  for (const pair of text.split(/,(?=\s*[\w-]+=)/)) {
    const [, key = '', value = ''] = /^([^=]+)=(.*)$/s.exec(pair)?.map((one) => one.trim()) ?? [];
    if (key === '') throw makeUsageError(`${flag}: ${pair || 'nothing'}: key=value is needed.`, hint);
    if (pairs.has(key)) throw makeUsageError(`${flag}: ${key} is given twice.`, 'Give it once.');
    pairs.set(key, value);
  }
  return pairs;
}
