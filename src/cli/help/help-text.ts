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
  return { 'exit-codes': exitCodes, formats: listFormats, prices: explainPrices, config: listSettings }[
    topic
  ](width);
}

/** Lists the output kinds with the flags that accept them and their file extensions. */
export function formatRows(): readonly {
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

function exitCodes(width: number): string {
  const rows = (Object.keys(EXIT) as ExitName[]).map(
    (name) => [String(EXIT[name]), EXIT_WORDS[name]] as const,
  );
  return [
    'Every command ends with one of these exit codes:\n',
    ...alignItems(rows, width),
    `\n${wrapText('vehi COMMAND --help says which of them a command uses. With many vehicles the worst of all vehicles counts. A second Ctrl-C ends at once.', width)}\n`,
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
    `\n${wrapText('--format NAME prints to stdout. --output NAME=FILE writes a file and can be repeated; without NAME= the ending of the file says it; an ending that is not listed is an error. The JSON Schema of the JSON is printed by vehi admin schema --of inspection.', width)}\n`,
  ].join('\n');
}

const PRICES = [
  'The repair is priced as one job: one line per part, neighbours blended for their colour, paint materials, and what usually comes with such a repair, weighted by how often it does. The lines add up to the total. Amounts are without tax unless a line says otherwise.',
  'Hours, paint and parts come from tables with a source per row; the rate is that of the region (vehi regions list) or your own (vehi regions init). --set class=… and --set make=… choose the prices of parts.',
  '"about" is the most likely first bill. "up to" is what it may come to: once the parts behind are open where the damage suggests it, else the upper end of the range. Parts hidden behind panels raise more bills than anything else.',
  'Places to check, mechanical parts and the underside are not in the total. CHECK says what the places would add if all of them were damage.',
  'An assessment (vehi assess, inspect --assess) shows the hours, rates and sources of every line and lets you change them (--edit).',
] as const;

function explainPrices(width: number): string {
  return `${PRICES.map((text) => wrapText(text, width)).join('\n\n')}\n`;
}

function listSettings(width: number): string {
  const rows = SETTING_NAMES.map((name) => {
    const { env, fallback, about } = SETTINGS[name];
    const choices = listChoices(SETTINGS[name]);
    const values = choices ? `; one of ${choices.join(', ')}` : '';
    const preset = fallback === null ? '' : `; default: ${fallback}`;
    return [name, `${about} (${env}${values}${preset})`] as const;
  });
  return [
    wrapText(`A setting has the value of the first of these that has one: ${SOURCES.join(', ')}.`, width),
    `${wrapText('The project file is vehi.config.json in this folder or the nearest one above; vehi init writes one, comments are allowed in it. Your own file is changed by vehi config set. Paths in a file are relative to it.', width)}\n`,
    ...alignItems(rows, width),
    `\n${wrapText('vehi config list --sources shows every value with where it comes from.', width)}\n`,
  ].join('\n');
}

function alignItems(
  rows: readonly (readonly [term: string, about: string])[],
  width: number,
): readonly string[] {
  const help = createHelp(width);
  const longest = Math.max(...rows.map(([term]) => term.length));
  return rows.map(([term, about]) => help.formatItem(term, longest, about, help));
}

function wrapText(text: string, width: number): string {
  return createHelp(width).boxWrap(text, width);
}

function createHelp(width: number): Help {
  return Object.assign(new Help(), { helpWidth: width });
}
