/* Prints the manual page of vehi: `npm run build` keeps it as dist/vehi.1. */
import type { Argument, Option } from 'commander';
import { formatRows } from '../src/cli/help/help-text.ts';
import { KINDS } from '../src/cli/outputs/kinds.ts';
import { buildProgram } from '../src/cli/program.ts';
import {
  type Example,
  formatCommandPath,
  listChildren,
  listExits,
  type VehiCommand,
} from '../src/cli/terminal/command.ts';
import { createProcessContext } from '../src/cli/terminal/context.ts';
import { EXIT, EXIT_WORDS, type ExitName } from '../src/cli/terminal/exit-codes.ts';
import { PROJECT_FILE, SETTING_NAMES, SETTINGS } from '../src/config/settings.ts';
import { readPackageVersion } from '../src/lib/package-json.ts';

/**
 * Returns the manual page of vehi with all its commands, in the macros of man(7).
 * @param day ISO date printed in the page
 */
export function writeManPage(
  root: VehiCommand,
  { version, day }: { readonly version: string; readonly day: string },
): string {
  return [
    `.TH VEHI 1 ${day} "vehi ${version}" "User Commands"`,
    '.SH NAME',
    `vehi \\- ${escapeRoff(root.description().replace(/\.$/, ''))}`,
    '.SH SYNOPSIS',
    writeSynopsis(root),
    '.SH DESCRIPTION',
    escapeRoff(root.description()),
    ...writeSection('EXAMPLES', writeExamples(root.facts.examples)),
    ...writeSection('OPTIONS', writeOptions(root)),
    ...writeSection('COMMANDS', listChildren(root).flatMap(writeCommand)),
    ...writeSection('EXIT STATUS', writeExits()),
    ...writeSection('OUTPUT FORMATS', writeFormats()),
    ...writeSection('ENVIRONMENT', writeEnvironment()),
    ...FILES,
    '',
  ].join('\n');
}

/** Returns a command with those below itself. */
function writeCommand(command: VehiCommand): readonly string[] {
  const { facts } = command;
  const children = listChildren(command);
  const codes = listExits(facts).map(([code, meaning]) => `${code} ${meaning}`);
  return [
    `.SS ${escapeRoff(formatCommandPath(command))}`,
    writeSynopsis(command),
    '.PP',
    escapeRoff(command.description() || command.summary()),
    ...command.registeredArguments.flatMap(writeArgument),
    ...writeOptions(command),
    ...facts.notes.flatMap((note) => ['.PP', escapeRoff(note)]),
    ...(children.length > 0 || facts.examples.length === 0
      ? []
      : ['.PP', 'Examples:', ...writeExamples(facts.examples)]),
    ...(children.length > 0 ? [] : ['.PP', escapeRoff(`Exit codes: ${codes.join('; ')}.`)]),
    ...children.flatMap(writeCommand),
  ];
}

function writeSynopsis(command: VehiCommand): string {
  return `.B ${escapeRoff(formatCommandPath(command))}\n${escapeRoff(command.usage())}`;
}

function writeSection(title: string, lines: readonly string[]): readonly string[] {
  const [first, ...rest] = lines;
  if (first === undefined) return [];
  // A section is a paragraph already; another one would be an empty one.
  return [`.SH ${title}`, ...(first === '.PP' ? rest : lines)];
}

function writeOptions(command: VehiCommand): readonly string[] {
  const help = command.createHelp();
  const shown = help.visibleOptions(command).filter((option) => option.long !== '--help' || !command.parent);
  const groups = help.groupItems(
    command.options.slice(),
    shown,
    (option) => option.helpGroupHeading ?? 'Options:',
  );
  return [...groups].flatMap(([heading, group]) => {
    const titled = groups.size > 1 ? ['.PP', escapeRoff(heading)] : [];
    return group.length === 0
      ? []
      : [
          ...titled,
          ...group.flatMap((option: Option) => writeItem(option.flags, help.optionDescription(option))),
        ];
  });
}

function writeArgument(one: Argument): readonly string[] {
  const choices = one.argChoices ? ` (${one.argChoices.join(', ')})` : '';
  return writeItem(one.name(), `${one.description}${choices}`);
}

function writeItem(term: string, description: string): readonly string[] {
  return ['.TP', `.B ${escapeRoff(term)}`, escapeRoff(description)];
}

function writeExamples(list: readonly Example[]): readonly string[] {
  if (list.length === 0) return [];
  const lines = list.map((example) =>
    typeof example === 'string' ? example : `${example[0]}    # ${example[1]}`,
  );
  return ['.nf', '.RS 4', ...lines.map(escapeRoff), '.RE', '.fi'];
}

function writeExits(): readonly string[] {
  return (Object.keys(EXIT) as ExitName[]).flatMap((name) => writeItem(String(EXIT[name]), EXIT_WORDS[name]));
}

function writeFormats(): readonly string[] {
  return formatRows().flatMap(({ kind, where }) =>
    writeItem(kind, `${KINDS[kind].words} (${where.join(', ')})`),
  );
}

function writeEnvironment(): readonly string[] {
  const settings = SETTING_NAMES.flatMap((name) => {
    const { env, description, fallback } = SETTINGS[name];
    return writeItem(
      env,
      `${description}; setting ${name}${fallback === null ? '' : `, default ${fallback}`}`,
    );
  });
  return [
    ...settings,
    ...writeItem('VEHI_API_KEY', 'key of a vehi service, instead of a stored one'),
    ...writeItem(
      'VEHI_DATABASE, VEHI_REDIS, VEHI_OBJECTS',
      'what the processes of a service on several machines share',
    ),
    ...writeItem(
      'VEHI_REDIS_PASSWORD, VEHI_SENTINEL_PASSWORD',
      'passwords of Redis and of its Sentinels; with _FILE at the end, the file whose only line is the password',
    ),
    ...writeItem('NO_COLOR, FORCE_COLOR', 'no colours; colours'),
  ];
}

const FILES = [
  '.SH FILES',
  ...writeItem(PROJECT_FILE, 'settings of a folder and everything below it; vehi init writes a start'),
  ...writeItem('vehi.json', 'what is known of the vehicle and the photos of a folder'),
  ...writeItem('$XDG_CONFIG_HOME/vehi/config.json', 'your own settings (vehi config path prints where)'),
];

/** Escapes text so that roff prints it literally: no line is a request, a hyphen stays one that can be copied. */
function escapeRoff(text: string): string {
  return text
    .replaceAll('…', '...')
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('"', '\\(dq')
    .replaceAll('`', '\\(ga')
    .replaceAll('^', '\\(ha')
    .replaceAll('~', '\\(ti')
    .replace(/[^\x20-\x7e\n]/gu, (character) => `\\[u${toHex(character)}]`)
    .replace(/^([.'])/gm, '\\&$1');
}

function toHex(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}

if (process.argv[1] === import.meta.filename) {
  const root = await buildProgram(createProcessContext([]), 'all');
  const day = new Date().toISOString().slice(0, 10);
  process.stdout.write(writeManPage(root, { version: readPackageVersion(), day }));
}
