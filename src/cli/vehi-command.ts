import { Argument, Command, Help, InvalidArgumentError, Option } from 'commander';
import { OPTIONS, type OptionName, type OptionRow } from '../config/options.ts';
import { listChoices, readValue } from '../config/values.ts';
import { type CommandRow, HIDDEN } from './commands.ts';
import { findDropped } from './dropped.ts';
import { listKinds, type OutputCommand } from './outputs/kinds.ts';
import { EXIT, EXIT_WORDS, type ExitName } from './terminal/exit-codes.ts';

/** Methods of commander that its types omit. */
const { _excessArguments, unknownCommand, unknownOption } = Command.prototype as unknown as {
  _excessArguments(this: Command, given: readonly string[]): void;
  unknownCommand(this: Command): void;
  unknownOption(this: Command, flag: string): void;
};

/** A command whose help starts with examples and ends with its exit codes. */
export class VehiCommand extends Command {
  row: CommandRow = { about: '' };

  /** Words after `vehi` that invoke the command, as in the table of commands. */
  get path(): string {
    return this.parent instanceof VehiCommand ? `${this.parent.path} ${this.name()}`.trim() : '';
  }

  applyRow(row: CommandRow): this {
    this.row = row;
    this.description(row.about);
    if (row.summary) this.summary(row.summary);
    for (const [name, given] of Object.entries(row.args ?? {})) {
      const [about, fallback] = [given].flat() as [string, string?];
      const argument = new Argument(name, about).default(fallback);
      this.addArgument(argument.variadic ? argument : argument.argParser(requireText));
    }
    for (const [heading, names] of Object.entries(row.flags ?? {})) {
      if (heading !== '') this.optionsGroup(heading);
      for (const name of names)
        this.addOption(makeOption(OPTIONS[name], this.describeFlag(name)).hideHelp(heading === HIDDEN));
    }
    return this;
  }

  /** Returns the help text of a flag: the kinds that this command prints or writes, its own text, or the common one. */
  private describeFlag(name: OptionName): string {
    const words = this.row.words?.[name] ?? OPTIONS[name].description;
    if (name !== 'format' && name !== 'output') return words;
    // A capture ends with an inspection, so its outputs are those of `inspect`.
    const command = (this.path === 'capture' ? 'inspect' : this.path) as OutputCommand;
    return name === 'format'
      ? `${words}: ${listKinds('printed', command).join(', ')}`
      : `${words}: ${listKinds('written', command).join(', ')}; repeatable`;
  }

  override createCommand(name?: string): VehiCommand {
    return new VehiCommand(name);
  }

  /** Reports an unknown option: the replacement of a dropped flag, or where to set a setting that is no flag here. */
  unknownOption(given: string): void {
    const [name = ''] = given.split('=');
    this.refuseDropped(name);
    const found = Object.values<OptionRow>(OPTIONS).find(
      ({ flag, setting }) => setting !== undefined && flag.split(' ')[0] === name,
    )?.setting;
    if (found === undefined) unknownOption.call(this, given);
    else
      this.error(
        `error: ${name} is a setting, not a flag of this command: ${found.env}, or "${found.key}" of vehi config`,
      );
  }

  unknownCommand(): void {
    this.refuseDropped(this.args[0] ?? '');
    unknownCommand.call(this);
  }

  _excessArguments(given: readonly string[]): void {
    // `vehi config` runs by itself, so commander takes a wrong subcommand for an argument.
    if (listChildren(this).length > 0) this.unknownCommand();
    this.refuseDropped(given[0] ?? '');
    _excessArguments.call(this, given);
  }

  private refuseDropped(word: string): void {
    const instead = findDropped(this.path, word);
    if (instead) this.error(`error: ${instead}`);
  }

  override createHelp(): Help {
    return Object.assign(new VehiHelp(), this.configureHelp());
  }
}

function makeOption(row: OptionRow, words: string | undefined): Option {
  const option = new Option(row.flag, words ?? row.description);
  option.conflicts([...(row.conflicts ?? [])]);
  if (typeof row.fallback !== 'boolean') option.default(row.fallback);
  const { type, minLength } = row.schema as { readonly type?: string; readonly minLength?: number };
  const choices = listChoices(row);
  if (choices) return option.choices(choices);
  if (type === 'array') return option.argParser(collect);
  if (type === 'boolean' || (type === 'string' && minLength === undefined)) return option;
  return option.argParser((value) => {
    const read = readValue(row.schema, value);
    if ('value' in read) return read.value;
    if (type === 'string') return requireText(value);
    throw new InvalidArgumentError(
      `${read.needed.charAt(0).toUpperCase()}${read.needed.slice(1)} is needed.`,
    );
  });
}

function requireText(value: string): string {
  if (value !== '') return value;
  throw new InvalidArgumentError('It is empty; a variable in the command may be unset.');
}

const collect = (value: string, all: readonly string[] = []): readonly string[] => [...all, value];

export const listChildren = (command: Command): readonly VehiCommand[] =>
  command.commands.filter((child): child is VehiCommand => child instanceof VehiCommand);

/** Lists the exit codes of a command in ascending order with their meanings. */
function listExits({ exits = {} }: CommandRow): readonly (readonly [code: number, meaning: string])[] {
  return (Object.keys(EXIT) as ExitName[])
    .filter((name) => name === 'done' || name === 'usage' || exits[name] !== undefined)
    .map((name) => {
      const words = exits[name];
      return [EXIT[name], typeof words === 'string' ? words : EXIT_WORDS[name]];
    });
}

function formatExamples(examples: NonNullable<CommandRow['examples']>): readonly string[] {
  const pairs = examples.map((example) => (typeof example === 'string' ? ([example, ''] as const) : example));
  const width = Math.max(0, ...pairs.map(([line, about]) => (about === '' ? 0 : line.length)));
  return pairs.map(([line, about]) => (about === '' ? `  ${line}` : `  ${line.padEnd(width)}  # ${about}`));
}

class VehiHelp extends Help {
  override showGlobalOptions = true;

  override formatHelp(command: Command, helper: Help): string {
    const body = super.formatHelp(command, helper);
    if (!(command instanceof VehiCommand)) return body;
    const { examples: lines = [], notes: paragraphs = [] } = command.row;
    const width = helper.helpWidth ?? 80;
    const examples = lines.length === 0 ? '' : ['Examples:', ...formatExamples(lines), '', ''].join('\n');
    const notes = paragraphs.map((note) => `${helper.boxWrap(note, width)}\n`);
    const codes = listExits(command.row).map(([code, meaning]) => `${code} ${meaning}`);
    const exits =
      listChildren(command).length > 0 ? [] : [helper.boxWrap(`Exit codes: ${codes.join(' · ')}`, width)];
    return [`${examples}${body}`, ...notes, ...exits].join('\n').trimEnd().concat('\n');
  }
}
