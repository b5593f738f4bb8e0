import { Help } from 'commander';
import { SETTING_NAMES, SETTINGS, SOURCES } from '../../config/settings.ts';
import { listChoices } from '../../config/values.ts';
import {
  KIND_NAMES,
  KINDS,
  listPrintedKinds,
  listWrittenKinds,
  type OutputCommand,
  type OutputKind,
} from '../outputs/kinds.ts';
import { EXIT, EXIT_WORDS, type ExitName } from '../terminal/exit-codes.ts';
import type { TopicName } from './help-topics.ts';

/** Generates the text of a help topic from the same tables as the code, wrapped to `width` columns. */
export function writeTopicText(topic: TopicName, width: number): string {
  return { 'exit-codes': listExitCodes, formats: listFormats, prices: explainPrices, config: listSettings }[
    topic
  ](width);
}

/** Lists the output kinds with the flags that accept them and their file extensions. */
function formatRows(): readonly {
  readonly kind: OutputKind;
  readonly where: readonly string[];
  readonly endings: readonly string[];
}[] {
  return KIND_NAMES.map((kind) => ({
    kind,
    where: [
      ...listFlags('--format', listPrintedKinds, kind),
      ...listFlags('--output', listWrittenKinds, kind),
    ],
    endings: KINDS[kind].endings,
  }));
}

const COMMANDS = ['inspect', 'assess', 'report', 'compare'] as const satisfies readonly OutputCommand[];

/** Lists the commands whose flag accepts a kind: `--output of inspect, assess, report`. */
function listFlags(
  flag: string,
  kindsOf: (command: OutputCommand) => readonly OutputKind[],
  kind: OutputKind,
): readonly string[] {
  const commands = COMMANDS.filter((command) => kindsOf(command).includes(kind));
  return commands.length === 0 ? [] : [`${flag} of ${commands.join(', ')}`];
}

function listExitCodes(width: number): string {
  const rows = (Object.keys(EXIT) as ExitName[]).map(
    (name) => [String(EXIT[name]), EXIT_WORDS[name]] as const,
  );
  return [
    'Every command ends with one of these exit codes:\n',
    ...alignItems(rows, width),
    `\n${wrapText('vehi COMMAND --help lists the codes of a command. With --many, the worst of all vehicles applies. A second Ctrl-C ends immediately.', width)}\n`,
  ].join('\n');
}

function listFormats(width: number): string {
  const rows = formatRows().map(({ kind, where, endings }) => {
    const ending = endings.length === 0 ? '' : `; ${endings.join(', ')}`;
    return [kind, `${KINDS[kind].words} (${where.join('; ')}${ending})`] as const;
  });
  return [
    'A result can be printed or written as:\n',
    ...alignItems(rows, width),
    `\n${wrapText('--format NAME prints to stdout. --output NAME=FILE writes a file and can be repeated. Without NAME= the file ending selects the format; an ending that is not listed is an error. The JSON is described at /v1/openapi.json of vehi serve.', width)}\n`,
  ].join('\n');
}

const PRICES = [
  'The repair is priced as one job: one line per part, blending of adjacent panels, paint materials, and operations that such a repair usually includes, weighted by frequency. The lines add up to the total. Amounts exclude tax unless stated otherwise.',
  'Hours, paint and parts come from tables with a source per row. The labor rate is that of the region (vehi regions list) or your own (vehi regions show CODE --json > mine.json). --set class=… and --set make=… select part prices.',
  '"about" is the most likely first bill. "up to" is its upper limit: the bill after teardown if the damage suggests hidden damage, otherwise the upper end of the range. Hidden damage is the most frequent reason for a higher bill.',
  'The total excludes places to check, mechanical parts and the underside. CHECK states what the places would add if all of them were damage.',
  'An assessment (vehi assess, inspect --assess) shows hours, rate and source of every line, and --edit changes them.',
] as const;

function explainPrices(width: number): string {
  return `${PRICES.map((text) => wrapText(text, width)).join('\n\n')}\n`;
}

function listSettings(width: number): string {
  const rows = SETTING_NAMES.map((name) => {
    const { env, fallback, description } = SETTINGS[name];
    const choices = listChoices(SETTINGS[name]);
    const values = choices ? `; one of ${choices.join(', ')}` : '';
    const preset = fallback === null ? '' : `; default: ${fallback}`;
    return [name, `${description} (${env}${values}${preset})`] as const;
  });
  return [
    wrapText(
      `The value of a setting comes from the first of these that sets it: ${SOURCES.join(', ')}.`,
      width,
    ),
    `${wrapText('The project file is vehi.config.json in this folder or the nearest parent; vehi init writes it, and comments are allowed. vehi config set changes the user file. Paths in a file are relative to it.', width)}\n`,
    ...alignItems(rows, width),
    `\n${wrapText('vehi config list --sources shows every value and its source.', width)}\n`,
  ].join('\n');
}

function alignItems(
  rows: readonly (readonly [term: string, description: string])[],
  width: number,
): readonly string[] {
  const help = createHelp(width);
  const longest = Math.max(...rows.map(([term]) => term.length));
  return rows.map(([term, description]) => help.formatItem(term, longest, description, help));
}

function wrapText(text: string, width: number): string {
  return createHelp(width).boxWrap(text, width);
}

function createHelp(width: number): Help {
  return Object.assign(new Help(), { helpWidth: width });
}
