import { extname } from 'node:path';
import type { Settings } from '../../config/settings.ts';
import type { VehiError } from '../../lib/errors.ts';
import { suggestNames } from '../../lib/fields.ts';
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
 * Returns the kind that a command prints where no flag names one: that of the setting, or a table. A setting that names
 * what other commands print is theirs.
 * @throws VehiError usage for an unknown name, with its origin
 */
export function chooseUsualKind({ format }: Pick<Settings, 'format'>, command: OutputCommand): OutputKind {
  const printed = listPrintedKinds(command);
  const name = format.value ?? 'table';
  const isOfOthers =
    (KIND_NAMES.some((kind) => kind === name) || findDropped('', `output kind ${name}`) !== undefined) &&
    !printed.some((kind) => kind === name);
  return isOfOthers ? 'table' : findKind(name, printed, format.from, `${command} does not print it`);
}

/**
 * Parses `--output` of a command: `KIND=FILE`, or a file whose extension selects the kind.
 * @throws VehiError usage for an unknown kind or extension, with the nearest match
 */
function parseOutput(value: string, command: OutputCommand): Output {
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

/** Flags that say where results go. */
interface OutputFlags {
  readonly json?: boolean;
  readonly format?: string;
  readonly output?: readonly string[];
}

/**
 * Divides the outputs of a command into the files and the one document on stdout: what `-o KIND=-` names, else what `--json`
 * or `--format` does, else `fallback`. A flag and an output of the same kind are the same document.
 * @throws VehiError usage for an unknown kind, two documents on stdout, or a PDF on a terminal
 */
export function chooseOutputs<K extends OutputKind | undefined>(
  { json, format, output = [] }: OutputFlags,
  command: OutputCommand,
  fallback: K,
  { stdout }: Pick<CliContext, 'stdout'>,
): { readonly print: OutputKind | K; readonly files: readonly Output[] } {
  const outputs = output.map((value) => parseOutput(value, command));
  const kinds = new Set(outputs.filter(({ path }) => path === '-').map(({ kind }) => kind));
  if (json) kinds.add('json');
  if (format !== undefined)
    kinds.add(
      findKind(format, listPrintedKinds(command), `--format ${format}`, `${command} does not print it`),
    );
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
      suggestNames(name, allowed, 'Kinds:'),
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
  const meant =
    near === undefined ? '' : `Did you mean ${path.slice(0, path.length - ending.length)}${near}? `;
  const found =
    ending === '' ? 'the file has no ending that says what to write' : `the ending ${ending} is not known`;
  return makeRequestError(
    `${flag}: ${found}.`,
    `${meant}Endings: ${allowed.map((kind) => KINDS[kind].endings[0]).join(', ')}. Or name the kind, for example --output json=${path || 'result.json'}`,
  );
}

/** Returns the known extension nearest to a mistyped one. */
function findNearEnding(path: string): string | undefined {
  const typed = extname(path).slice(1);
  const endings = KIND_NAMES.flatMap((kind) => KINDS[kind].endings.map((ending) => ending.slice(1)));
  const near = typed === '' ? undefined : findNearest(typed, endings);
  return near === undefined ? undefined : `.${near}`;
}

function makeSampleName(kind: OutputKind): string {
  return `result${KINDS[kind].endings[0]}`;
}
