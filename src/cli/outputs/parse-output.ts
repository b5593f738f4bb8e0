import { extname } from 'node:path';
import { findOrigin, type Settings } from '../../config/settings.ts';
import type { VehiError } from '../../lib/errors.ts';
import { findNearest } from '../../lib/names.ts';
import { findDropped } from '../dropped.ts';
import type { CliContext } from '../terminal/context.ts';
import { makeRequestError } from '../terminal/usage-errors.ts';
import {
  findKindByEnding,
  KIND_NAMES,
  KINDS,
  listPrintedKinds,
  listWrittenKinds,
  type OutputCommand,
  type OutputKind,
} from './kinds.ts';

export interface Output {
  readonly kind: OutputKind;
  /** A path, or `-` for stdout. */
  readonly path: string;
}

/**
 * Returns the kind selected by `--format NAME` of a command.
 * @param origin origin of the name, for the message
 * @throws VehiError usage for an unknown name, with the nearest match
 */
export function parsePrintedKind(
  name: string,
  command: OutputCommand,
  origin = `--format ${name}`,
): OutputKind {
  return findKind(name, listPrintedKinds(command), origin, `${command} does not print it`);
}

/**
 * Returns the kind a command prints, from `--json`, `--format`, the setting, or table by default. A setting that names what
 * other commands print is theirs.
 * @throws VehiError usage for an unknown name, with its origin
 */
function choosePrinted(
  json: boolean | undefined,
  { format }: Pick<Settings, 'format'>,
  command: OutputCommand,
): OutputKind {
  if (json) return 'json';
  const name = format.value ?? 'table';
  const isOfOthers =
    format.source !== 'flag' &&
    (KIND_NAMES.some((kind) => kind === name) || findDropped('', `output kind ${name}`) !== undefined) &&
    !listPrintedKinds(command).some((kind) => kind === name);
  if (isOfOthers) return 'table';
  return parsePrintedKind(name, command, findOrigin(format, `--format ${name}`));
}

/**
 * Parses `--output` of a command: `KIND=FILE`, or a file whose extension selects the kind.
 * @throws VehiError usage for an unknown kind or extension, with the nearest match
 */
export function parseOutput(value: string, command: OutputCommand): Output {
  const { word, rest } = splitKind(value);
  const flag = `--output ${value}`;
  const allowed = listWrittenKinds(command);
  if (word !== undefined) {
    const kind = findKind(word, allowed, flag, `${command} does not write it`);
    if (rest === '') throw makeNoFileError(value, kind);
    return { kind, path: rest };
  }
  const kind = findKindByEnding(rest);
  if (kind === undefined) throw makeUnknownEndingError(rest, flag, allowed);
  return { kind: findKind(kind, allowed, flag, `${command} does not write it`), path: rest };
}

/**
 * Divides the outputs of a command into the files and the one document on stdout: what `-o KIND=-` names, else the
 * printed kind. A `--json` or `--format` of the same kind is the same document.
 * @param asked kind named by `--json` or `--format`; undefined if the default or a setting is printed
 * @throws VehiError usage for two documents on stdout, or a PDF on a terminal
 */
export function divideOutputs<K extends OutputKind | undefined>(
  outputs: readonly Output[],
  asked: OutputKind | undefined,
  fallback: K,
  { stdout }: Pick<CliContext, 'stdout'>,
): { readonly print: OutputKind | K; readonly files: readonly Output[] } {
  const kinds = new Set(outputs.filter(({ path }) => path === '-').map(({ kind }) => kind));
  if (asked !== undefined) kinds.add(asked);
  const [first, second] = kinds;
  if (second !== undefined)
    throw makeRequestError(
      `stdout takes one document, and ${[...kinds].join(' and ')} were asked for.`,
      `Write one of them to a file, for example --output ${second}=${makeSampleName(second)}`,
    );
  if (kinds.has('evidence'))
    throw makeRequestError('evidence is a file, not for stdout.', 'For example --output evidence=return.zip');
  if ((first ?? fallback) === 'pdf' && stdout.isTTY)
    throw makeRequestError('a PDF is not for a terminal.', 'Write it to a file: --output pdf=report.pdf');
  return { print: first ?? fallback, files: outputs.filter(({ path }) => path !== '-') };
}

/** Flags that say where results go. */
interface OutputFlags {
  readonly json?: boolean;
  readonly format?: string;
  readonly output?: readonly string[];
}

/**
 * Reads the outputs of a command and the kind that it prints, by its flags and the setting `format`.
 * @throws VehiError usage, as `parseOutput`, `choosePrinted` and `divideOutputs`
 */
export function chooseOutputs(
  { json, format, output = [] }: OutputFlags,
  settings: Pick<Settings, 'format'>,
  command: OutputCommand,
  ctx: Pick<CliContext, 'stdout'>,
) {
  const printed = choosePrinted(json, settings, command);
  const outputs = output.map((value) => parseOutput(value, command));
  return divideOutputs(outputs, json || format !== undefined ? printed : undefined, printed, ctx);
}

/**
 * Parses `--output` of a command that writes JSON only: a file of any name, or `json=FILE`.
 * @throws VehiError usage for another kind, or without a file
 */
export function parseJsonOutput(value: string, command: string): string {
  if (!KIND_NAMES.some((kind) => value.startsWith(`${kind}=`))) return value;
  const { word = '', rest } = splitKind(value);
  findKind(word, ['json'], `--output ${value}`, `${command} does not write it`);
  if (rest === '') throw makeNoFileError(value, 'json');
  return rest;
}

/** A folder with one file per vehicle. */
export interface FolderOutput {
  readonly kind: OutputKind;
  readonly folder: string;
}

const FOLDERS = 'For example --output results --output pdf=reports';

/**
 * Parses `--output` for a fleet: `KIND=FOLDER`, or a folder for the results (`json`).
 * @throws VehiError usage for an unknown kind, or a path that is a file
 */
export function parseFolderOutput(value: string): FolderOutput {
  const { word, rest } = splitKind(value);
  const flag = `--output ${value}`;
  const kind =
    word === undefined
      ? 'json'
      : findKind(word, listWrittenKinds('inspect'), flag, 'inspect does not write it');
  if (rest === '' || rest === '-') throw makeRequestError(`${flag}: many vehicles need a folder.`, FOLDERS);
  if (word === undefined && (findKindByEnding(rest) ?? findNearEnding(rest)) !== undefined)
    throw makeRequestError(`${flag} names one file; many vehicles need a folder.`, FOLDERS);
  return { kind, folder: rest };
}

/** Splits `word=rest`; a path such as `./a=b.json` has no word. */
function splitKind(value: string): { readonly word: string | undefined; readonly rest: string } {
  const found = /^(\w[\w-]*)=(.*)$/s.exec(value);
  if (found) return { word: found[1], rest: found[2] ?? '' };
  // A bare kind is a mistake, not a file name.
  return KIND_NAMES.some((kind) => kind === value)
    ? { word: value, rest: '' }
    : { word: undefined, rest: value };
}

function findKind(name: string, allowed: readonly OutputKind[], flag: string, rejection: string): OutputKind {
  const kind = KIND_NAMES.find((known) => known === name);
  const kinds = `Kinds: ${allowed.join(', ')}.`;
  const dropped = findDropped('', `output kind ${name}`);
  if (dropped !== undefined) throw makeRequestError(`${flag}: ${dropped}`, kinds);
  if (kind === undefined)
    throw makeRequestError(
      `${flag}: there is no output kind "${name}".`,
      `${suggestEnding(findNearest(name, allowed))}${kinds}`,
    );
  if (!allowed.includes(kind))
    throw makeRequestError(`${flag}: ${kind} is ${KINDS[kind].words}, and ${rejection}.`, kinds);
  return kind;
}

function makeNoFileError(value: string, kind: OutputKind): VehiError {
  const hint = `For example --output ${kind}=${makeSampleName(kind)}`;
  return makeRequestError(`--output ${value}: the name of the file is missing.`, hint);
}

function makeUnknownEndingError(path: string, flag: string, allowed: readonly OutputKind[]): VehiError {
  const ending = extname(path);
  const near = findNearEnding(path);
  const suggestion = near === undefined ? undefined : `${path.slice(0, path.length - ending.length)}${near}`;
  const found =
    ending === '' ? 'the file has no ending that says what to write' : `the ending ${ending} is not known`;
  return makeRequestError(
    `${flag}: ${found}.`,
    `${suggestEnding(suggestion)}Endings: ${allowed.map((kind) => KINDS[kind].endings[0]).join(', ')}. Or name the kind, for example --output json=${path || 'result.json'}`,
  );
}

/** Returns the known extension nearest to a mistyped one. */
function findNearEnding(path: string): string | undefined {
  const typed = extname(path).slice(1);
  const endings = KIND_NAMES.flatMap((kind) => KINDS[kind].endings.map((ending) => ending.slice(1)));
  const near = typed === '' ? undefined : findNearest(typed, endings);
  return near === undefined ? undefined : `.${near}`;
}

function suggestEnding(near: string | undefined): string {
  return near === undefined ? '' : `Did you mean ${near}? `;
}

function makeSampleName(kind: OutputKind): string {
  return `result${KINDS[kind].endings[0]}`;
}
