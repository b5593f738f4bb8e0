import { Command, Help } from 'commander';
import { OPTIONS, type OptionRow } from '../../config/options.ts';
import { EXIT, EXIT_WORDS, type ExitName } from './exit-codes.ts';
import { addOptions, type CommandPath } from './options.ts';

/** A line to type, alone or with what it is for. */
export type Example = string | readonly [line: string, about: string];

/** What help and the man page say of a command beyond its arguments and options. */
interface CommandFacts {
  readonly examples: readonly Example[];
  /** Paragraphs. */
  readonly notes: readonly string[];
  /** Exit codes other than `done` and `usage`, with words where the general ones are too general. */
  readonly exits: Readonly<Partial<Record<ExitName, string | true>>>;
}

/** A method of commander that its types leave out. */
const { unknownOption } = Command.prototype as unknown as {
  unknownOption(this: Command, flag: string): void;
};

/** A command whose help leads with examples and ends with its exit codes. */
export class VehiCommand extends Command {
  facts: CommandFacts = { examples: [], notes: [], exits: {} };

  /** The flags that the table names for this command; `words` is what a flag says here and nowhere else. */
  flags(words: Parameters<typeof addOptions>[2] = {}): this {
    addOptions(this, spellPath(this).split(' ').slice(1).join(' ') as CommandPath, words);
    return this;
  }

  /** Lines to type; each must be one that the tree accepts. */
  examples(...examples: readonly Example[]): this {
    this.facts = { ...this.facts, examples };
    return this;
  }

  /** Paragraphs behind the options. */
  notes(...notes: readonly string[]): this {
    this.facts = { ...this.facts, notes };
    return this;
  }

  /** Exit codes besides 0 and 2: `true` for the general words, or words of this command. */
  exits(exits: CommandFacts['exits']): this {
    this.facts = { ...this.facts, exits };
    return this;
  }

  override createCommand(name?: string): VehiCommand {
    return new VehiCommand(name);
  }

  /** Reports an unknown option; for a setting that is no flag of this command, names where to set it. */
  unknownOption(given: string): void {
    const [name] = given.split('=');
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

/** Loads every command with its flags: what help, the man page and completion are made of. */
export type WholeTree = () => Promise<VehiCommand>;

/** Returns the sub-commands of a command, typed as vehi's. */
export function listChildren(command: Command): readonly VehiCommand[] {
  return command.commands.filter((child): child is VehiCommand => child instanceof VehiCommand);
}

/** Returns the words that call a command, `vehi` first. */
export function spellPath(command: Command): string {
  return command.parent ? `${spellPath(command.parent)} ${command.name()}` : command.name();
}

/** Returns the exit codes of a command in ascending order, each with its meaning. */
export function listExits({ exits }: CommandFacts): readonly (readonly [code: number, meaning: string])[] {
  return (Object.keys(EXIT) as ExitName[])
    .filter((name) => name === 'done' || name === 'usage' || exits[name] !== undefined)
    .map((name) => {
      const words = exits[name];
      return [EXIT[name], typeof words === 'string' ? words : EXIT_WORDS[name]];
    });
}

/** Examples in two columns. */
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
