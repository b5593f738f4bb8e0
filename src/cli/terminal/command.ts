import { Argument, Command, Help } from 'commander';
import { OPTIONS, type OptionName, type OptionRow } from '../../config/options.ts';
import { type CommandRow, HIDDEN } from '../commands.ts';
import { findDropped } from '../dropped.ts';
import { listPrintedKinds, listWrittenKinds, type OutputCommand } from '../outputs/kinds.ts';
import { EXIT, EXIT_WORDS, type ExitName } from './exit-codes.ts';
import { makeOption } from './options.ts';

/** Methods of commander that its types leave out. */
const { _excessArguments, unknownCommand, unknownOption } = Command.prototype as unknown as {
  _excessArguments(this: Command, given: readonly string[]): void;
  unknownCommand(this: Command): void;
  unknownOption(this: Command, flag: string): void;
};

/** A command whose help starts with examples and ends with its exit codes. */
export class VehiCommand extends Command {
  row: CommandRow = { about: '' };

  /** Takes over what a row says of the command. */
  describe(row: CommandRow): this {
    this.row = row;
    this.description(row.about);
    if (row.summary) this.summary(row.summary);
    for (const [name, given] of Object.entries(row.args ?? {})) {
      const [about, more] = [given].flat(1) as [string, (string | readonly string[])?];
      const argument = new Argument(name, about);
      this.addArgument(Array.isArray(more) ? argument.choices(more) : argument.default(more));
    }
    for (const [heading, names] of Object.entries(row.flags ?? {})) {
      if (heading !== '') this.optionsGroup(heading);
      for (const name of names)
        this.addOption(makeOption(OPTIONS[name], this.describeFlag(name)).hideHelp(heading === HIDDEN));
    }
    return this;
  }

  /** Returns what help says of a flag: the kinds that this command prints or writes, its own words, or those of all. */
  private describeFlag(name: OptionName): string {
    const words = this.row.words?.[name] ?? OPTIONS[name].description;
    if (name !== 'format' && name !== 'output') return words;
    const path = formatCommandPath(this).split(' ').slice(1).join(' ');
    // What was captured is inspected.
    const command = (path === 'capture' ? 'inspect' : path) as OutputCommand;
    return name === 'format'
      ? `${words}: ${listPrintedKinds(command).join(', ')}`
      : `${words}: ${listWrittenKinds(command).join(', ')}; repeatable`;
  }

  override createCommand(name?: string): VehiCommand {
    return new VehiCommand(name);
  }

  /** Reports an unknown option: what replaces one that was dropped, or where to set a setting that is no flag here. */
  unknownOption(given: string): void {
    const [name = ''] = given.split('=');
    this.refuseDropped(name);
    const found = Object.values<OptionRow>(OPTIONS).find(
      ({ flag, setting }) => setting !== undefined && flag.split(' ')[0] === name,
    )?.setting;
    if (found === undefined) unknownOption.call(this, given);
    else
      this.error(
        `error: ${name} is no flag of this command but a setting: ${found.env}, or "${found.key}" of vehi config`,
      );
  }

  /** Reports an unknown command, with what replaces one that was dropped. */
  unknownCommand(): void {
    this.refuseDropped(this.args[0] ?? '');
    unknownCommand.call(this);
  }

  /** Reports a word too many: what replaces it if it was a command once. */
  _excessArguments(given: readonly string[]): void {
    this.refuseDropped(given[0] ?? '');
    _excessArguments.call(this, given);
  }

  /** Ends with the reason if the flag or the command below this one was dropped. */
  private refuseDropped(word: string): void {
    const path = formatCommandPath(this).split(' ').slice(1).join(' ');
    const instead = findDropped(path, word);
    if (instead) this.error(`error: ${instead}`);
  }

  override createHelp(): Help {
    return Object.assign(new VehiHelp(), this.configureHelp());
  }
}

/** Returns the subcommands of a command, typed as VehiCommand. */
export function listChildren(command: Command): readonly VehiCommand[] {
  return command.commands.filter((child): child is VehiCommand => child instanceof VehiCommand);
}

/** Returns the words that invoke a command, starting with `vehi`. */
export function formatCommandPath(command: Command): string {
  return command.parent ? `${formatCommandPath(command.parent)} ${command.name()}` : command.name();
}

/** Lists the exit codes of a command in ascending order with their meanings. */
function listExits({ exits = {} }: CommandRow): readonly (readonly [code: number, meaning: string])[] {
  return (Object.keys(EXIT) as ExitName[])
    .filter((name) => name === 'done' || name === 'usage' || exits[name] !== undefined)
    .map((name) => {
      const words = exits[name];
      return [EXIT[name], typeof words === 'string' ? words : EXIT_WORDS[name]];
    });
}

/** Formats examples in two columns. */
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
