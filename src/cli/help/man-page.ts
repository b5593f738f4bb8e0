import type { Argument, Option } from 'commander';
import { SETTINGS, type SettingName } from '../../config/setting-table.ts';
import { PROJECT_FILE } from '../../config/settings.ts';
import { KINDS } from '../outputs/kinds.ts';
import { type Example, listChildren, listExits, spellPath, type VehiCommand } from '../terminal/command.ts';
import { EXIT, EXIT_WORDS, type ExitName } from '../terminal/exit-codes.ts';
import { formatRows } from './help-text.ts';

/**
 * Returns the manual page of a command and everything below it, in the macros of man(7).
 * @param day ISO date printed in the page
 */
export function writeManPage(
  command: VehiCommand,
  { version, day }: { readonly version: string; readonly day: string },
): string {
  const path = spellPath(command);
  const name = path.replaceAll(' ', '-');
  const whole = !command.parent;
  return [
    `.TH ${name.toUpperCase().replaceAll('-', '\\-')} 1 ${day} "vehi ${version}" "User Commands"`,
    '.SH NAME',
    `${roff(name)} \\- ${roff(withoutStop(command.summary() || command.description()))}`,
    '.SH SYNOPSIS',
    synopsis(command),
    '.SH DESCRIPTION',
    roff(command.description()),
    ...section('EXAMPLES', examples(command.facts.examples)),
    ...section('ARGUMENTS', command.registeredArguments.flatMap(argument)),
    ...section('OPTIONS', options(command)),
    ...(whole ? [] : command.facts.notes.flatMap((note) => ['.PP', roff(note)])),
    ...section('COMMANDS', listChildren(command).flatMap(below)),
    ...section('EXIT STATUS', exitStatus(command)),
    ...(whole
      ? [...section('OUTPUT FORMATS', formats()), ...section('ENVIRONMENT', environment()), ...FILES]
      : []),
    '',
  ].join('\n');
}

/** Returns a command below the one of the page, with those below itself. */
function below(command: VehiCommand): readonly string[] {
  const { facts } = command;
  const children = listChildren(command);
  const codes = listExits(facts).map(([code, meaning]) => `${code} ${meaning}`);
  return [
    `.SS ${roff(spellPath(command))}`,
    synopsis(command),
    '.PP',
    roff(command.description() || command.summary()),
    ...command.registeredArguments.flatMap(argument),
    ...options(command),
    ...facts.notes.flatMap((note) => ['.PP', roff(note)]),
    ...(children.length > 0 || facts.examples.length === 0
      ? []
      : ['.PP', 'Examples:', ...examples(facts.examples)]),
    ...(children.length > 0 ? [] : ['.PP', roff(`Exit codes: ${codes.join('; ')}.`)]),
    ...children.flatMap(below),
  ];
}

function synopsis(command: VehiCommand): string {
  return `.B ${roff(spellPath(command))}\n${roff(command.usage())}`;
}

function section(title: string, lines: readonly string[]): readonly string[] {
  const [first, ...rest] = lines;
  if (first === undefined) return [];
  // A section is a paragraph already; another one would be an empty one.
  return [`.SH ${title}`, ...(first === '.PP' ? rest : lines)];
}

function options(command: VehiCommand): readonly string[] {
  const help = command.createHelp();
  const shown = help.visibleOptions(command).filter((option) => option.long !== '--help' || !command.parent);
  const groups = help.groupItems(
    command.options.slice(),
    shown,
    (option) => option.helpGroupHeading ?? 'Options:',
  );
  return [...groups].flatMap(([heading, group]) => {
    const titled = groups.size > 1 ? ['.PP', roff(heading)] : [];
    return group.length === 0
      ? []
      : [...titled, ...group.flatMap((option: Option) => item(option.flags, help.optionDescription(option)))];
  });
}

function argument(one: Argument): readonly string[] {
  const choices = one.argChoices ? ` (${one.argChoices.join(', ')})` : '';
  return item(one.name(), `${one.description}${choices}`);
}

function item(term: string, about: string): readonly string[] {
  return ['.TP', `.B ${roff(term)}`, roff(about)];
}

function examples(list: readonly Example[]): readonly string[] {
  if (list.length === 0) return [];
  const lines = list.map((example) =>
    typeof example === 'string' ? example : `${example[0]}    # ${example[1]}`,
  );
  return ['.nf', '.RS 4', ...lines.map(roff), '.RE', '.fi'];
}

function exitStatus(command: VehiCommand): readonly string[] {
  const rows = command.parent
    ? listExits(command.facts)
    : (Object.keys(EXIT) as ExitName[]).map((name) => [EXIT[name], EXIT_WORDS[name]] as const);
  return rows.flatMap(([code, meaning]) => item(String(code), meaning));
}

function formats(): readonly string[] {
  return formatRows().flatMap(({ kind, where }) => item(kind, `${KINDS[kind].words} (${where.join(', ')})`));
}

function environment(): readonly string[] {
  const settings = (Object.keys(SETTINGS) as SettingName[]).flatMap((name) => {
    const { env, about, fallback } = SETTINGS[name];
    return item(env, `${about}; setting ${name}${fallback === null ? '' : `, default ${fallback}`}`);
  });
  return [
    ...settings,
    ...item('VEHI_API_KEY', 'key of a vehi service, instead of a stored one'),
    ...item(
      'VEHI_DATABASE, VEHI_REDIS, VEHI_OBJECTS',
      'what the processes of a service on several machines share',
    ),
    ...item(
      'VEHI_REDIS_PASSWORD, VEHI_SENTINEL_PASSWORD',
      'passwords of Redis and of its Sentinels; with _FILE at the end, the file whose only line is the password',
    ),
    ...item('NO_COLOR, FORCE_COLOR', 'no colours; colours'),
  ];
}

const FILES = [
  '.SH FILES',
  ...item(PROJECT_FILE, 'settings of a folder and everything below it; vehi init writes a start'),
  ...item('vehi.json', 'what is known of the vehicle and the photos of a folder'),
  ...item('$XDG_CONFIG_HOME/vehi/config.json', 'your own settings (vehi config path prints where)'),
];

function withoutStop(text: string): string {
  return text.replace(/\.$/, '');
}

/** Escapes text so that roff prints it literally: no line is a request, a hyphen stays one that can be copied. */
function roff(text: string): string {
  return text
    .replaceAll('…', '...')
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('"', '\\(dq')
    .replaceAll('`', '\\(ga')
    .replaceAll('^', '\\(ha')
    .replaceAll('~', '\\(ti')
    .replace(/[^\x20-\x7e\n]/gu, (character) => `\\[u${hex(character)}]`)
    .replace(/^([.'])/gm, '\\&$1');
}

function hex(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}
