import { InvalidArgumentError, Option } from 'commander';
import type { OptionRow } from '../../config/options.ts';
import { listChoices, readValue } from '../../config/values.ts';

export type { FlagsOf } from '../commands.ts';

/** Makes the option of a flag; `words` replaces its description. */
export function makeOption(row: OptionRow, words: string | undefined): Option {
  const option = new Option(row.flag, words ?? row.description);
  option.makeOptionMandatory(Boolean(row.isRequired)).conflicts([...(row.conflicts ?? [])]);
  if (typeof row.fallback !== 'boolean') option.default(row.fallback);
  const { type, minLength } = row.schema as { readonly type?: string; readonly minLength?: number };
  const choices = listChoices(row);
  if (choices) return option.choices(choices);
  if (type === 'array') return option.variadic ? option : option.argParser(collect);
  if (type === 'boolean' || (type === 'string' && minLength === undefined)) return option;
  return option.argParser((value) => {
    const read = readValue(row.schema, value);
    if ('value' in read) return read.value;
    throw new InvalidArgumentError(
      type === 'string'
        ? 'It is empty; a variable in the command may be unset.'
        : `${read.needed.charAt(0).toUpperCase()}${read.needed.slice(1)} is needed.`,
    );
  });
}

const collect = (value: string, all: readonly string[] = []): readonly string[] => [...all, value];
