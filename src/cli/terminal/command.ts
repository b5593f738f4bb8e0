import { Command, Help } from 'commander';
import { OPTIONS, type OptionRow } from '../../config/options.ts';
import { findDroppedFlag } from '../dropped.ts';
import { EXIT, EXIT_WORDS, type ExitName } from './exit-codes.ts';
import { addOptions, type CommandPath } from './options.ts';

/** An example command line, optionally with its purpose. */
export type Example = string | readonly [line: string, about: string];

/** Additional facts of a command for help and man page. */
interface CommandFacts {
  readonly examples: readonly Example[];
  readonly notes: readonly string[];
  /** Exit codes other than `done` and `usage`, with specific meanings if the general ones are too vague. */
  readonly exits: Readonly<Partial<Record<ExitName, string | true>>>;
}

/** A commander method missing from its types. */
const { unknownOption } = Command.prototype as unknown as {
  unknownOption(this: Command, flag: string): void;
};

/** A command whose help starts with examples and ends with its exit codes. */
export class VehiCommand extends Command {
  facts: CommandFacts = { examples: [], notes: [], exits: {} };

  /** Adds the command's flags from the options table; `words` overrides descriptions for this command. */
  flags(words: Parameters<typeof addOptions>[2] = {}): this {
    addOptions(this, formatCommandPath(this).split(' ').slice(1).join(' ') as CommandPath, words);
    return this;
  }

  /** Sets example command lines, which must parse. */
  examples(...examples: readonly Example[]): this {
    this.facts = { ...this.facts, examples };
    return this;
  }

  /** Sets the paragraphs below the options. */
  notes(...notes: readonly string[]): this {
    this.facts = { ...this.facts, notes };
    return this;
  }

  /** Sets exit codes besides 0 and 2: `true` for the general meaning, or a specific one. */
  exits(exits: CommandFacts['exits']): this {
    this.facts = { ...this.facts, exits };
    return this;
  }

  override createCommand(name?: string): VehiCommand {
    return new VehiCommand(name);
  }

  /** Reports an unknown option; for a setting that is not a flag here, names where to set it. */
  unknownOption(given: string): void {
    const [name = given] = given.split('=');
    const command = formatCommandPath(this).split(' ').slice(1).join(' ');
    const instead = findDroppedFlag(command, name);
    if (instead !== undefined) this.error(`error: ${name} was dropped: ${instead}.`);
    const found = Object.values<OptionRow>(OPTIONS).find(
      ({ flag, setting }) => setting !== undefined && flag.split(' ')[0] === name,
    )?.setting;
    if (found === undefined) unknownOption.call(this, given);
    else
      this.error(
        `error: ${name} is no flag of this command but a setting: ${found.env}, or "${found.key}" of vehi config`,
      );
  }

  override createHelp(): Help {
    return Object.assign(new VehiHelp(), this.configureHelp());
  }
}

/** Loads all commands with their flags, for help, man page and completion. */
export type LoadTree = () => Promise<VehiCommand>;

/** Returns the subcommands of a command, typed as VehiCommand. */
export function listChildren(command: Command): readonly VehiCommand[] {
  return command.commands.filter((child): child is VehiCommand => child instanceof VehiCommand);
}

/** Returns the words that invoke a command, starting with `vehi`. */
export function formatCommandPath(command: Command): string {
  return command.parent ? `${formatCommandPath(command.parent)} ${command.name()}` : command.name();
}

/** Lists the exit codes of a command in ascending order with their meanings. */
export function listExits({ exits }: CommandFacts): readonly (readonly [code: number, meaning: string])[] {
  return (Object.keys(EXIT) as ExitName[])
    .filter((name) => name === 'done' || name === 'usage' || exits[name] !== undefined)
    .map((name) => {
      const words = exits[name];
      return [EXIT[name], typeof words === 'string' ? words : EXIT_WORDS[name]];
    });
}

/** Formats examples in two columns. */
function formatExamples(examples: readonly Example[]): readonly string[] {
  const pairs = examples.map((example) => (typeof example === 'string' ? ([example, ''] as const) : example));
  const width = Math.max(0, ...pairs.map(([line, about]) => (about === '' ? 0 : line.length)));
  return pairs.map(([line, about]) => (about === '' ? `  ${line}` : `  ${line.padEnd(width)}  # ${about}`));
}

class VehiHelp extends Help {
  override showGlobalOptions = true;

  override formatHelp(command: Command, helper: Help): string {
    const body = super.formatHelp(command, helper);
    if (!(command instanceof VehiCommand)) return body;
    const { facts } = command;
    const width = helper.helpWidth ?? 80;
    const examples =
      facts.examples.length === 0 ? [] : ['Examples:', ...formatExamples(facts.examples), '', ''].join('\n');
    const notes = facts.notes.map((note) => `${helper.boxWrap(note, width)}\n`);
    const codes = listExits(facts).map(([code, meaning]) => `${code} ${meaning}`);
    const exits =
      listChildren(command).length > 0 ? [] : [helper.boxWrap(`Exit codes: ${codes.join(' · ')}`, width)];
    return [`${examples}${body}`, ...notes, ...exits].join('\n').trimEnd().concat('\n');
  }
}
