import { extname } from 'node:path';
import type { Flags } from '../../config/options.ts';
import type { Settings } from '../../config/settings.ts';
import { makeUsageError, type VehiError } from '../../lib/errors.ts';
import { suggestNames } from '../../lib/fields.ts';
import { findNearest } from '../../lib/names.ts';
import { findDropped } from '../dropped.ts';
import type { CliContext } from '../terminal/context.ts';
import {
  findKindByEnding,
  KIND_NAMES,
  KINDS,
  listKinds,
  type OutputCommand,
  type OutputKind,
} from './kinds.ts';

export interface Output {
  readonly kind: OutputKind;
  /** A path, or `-` for stdout. */
  readonly path: string;
}

/**
 * Returns the kind that a command prints if no flag names one: that of the setting if it has this kind, or a table.
 * @throws VehiError usage for an unknown or removed name, with its origin
 */
export function chooseDefaultKind({ format }: Pick<Settings, 'format'>, command: OutputCommand): OutputKind {
  const name = format.value ?? 'table';
  const isOfOthers = isKindName(name) && !listKinds('printed', command).includes(name);
  return isOfOthers ? 'table' : findKind(name, command, 'printed', format.from);
}

/**
 * Parses `--output` of a command: `KIND=FILE`, or a file whose extension selects the kind. A review writes JSON, also
 * into a file of an unknown extension.
 * @throws VehiError usage for an unknown kind or extension, with the nearest match
 */
export function parseOutput(value: string, command: OutputCommand): Output {
  const { kind, path } = splitOutput(value, command);
  if (kind !== undefined && path === '')
    throw makeUsageError(
      `--output ${value}: the name of the file is missing.`,
      `For example --output ${kind}=${makeSampleName(kind)}`,
    );
  if (kind !== undefined) return { kind, path };
  const ofEnding = findKindByEnding(path);
  if (ofEnding === undefined && command === 'review') return { kind: 'json', path };
  if (ofEnding === undefined) throw makeUnknownEndingError(path, `--output ${value}`, command);
  return { kind: findKind(ofEnding, command, 'written', `--output ${value}`), path };
}

/**
 * Returns the outputs of a command: its files, then the one document on stdout, which `print` names. That is chosen by
 * `-o KIND=-`, else by `--json` or `--format`, else it is `fallback`. A flag and an output of the same kind are one.
 * @throws VehiError usage for an unknown kind, lines without an estimate, two documents or evidence on stdout, or a PDF
 * on a terminal
 */
export function chooseOutputs<K extends OutputKind | undefined>(
  { json, format, output = [], assess }: Flags<'json' | 'format' | 'output' | 'assess'>,
  command: OutputCommand,
  fallback: K,
  { stdout }: Pick<CliContext, 'stdout'>,
): { readonly print: OutputKind | K; readonly outputs: readonly Output[] } {
  const given = output.map((value) => parseOutput(value, command));
  if (command === 'inspect' && !assess) refuseLines(given);
  const kinds = new Set(given.filter(({ path }) => path === '-').map(({ kind }) => kind));
  if (json) kinds.add('json');
  if (format !== undefined) kinds.add(findKind(format, command, 'printed', `--format ${format}`));
  const [first, second] = kinds;
  if (second !== undefined)
    throw makeUsageError(
      `stdout takes one document, and ${[...kinds].join(' and ')} were asked for.`,
      `Write one of them to a file, for example --output ${second}=${makeSampleName(second)}`,
    );
  if (kinds.has('evidence'))
    throw makeUsageError('evidence is a file, not for stdout.', 'For example --output evidence=return.zip');
  const print: OutputKind | K = first ?? fallback;
  if (print === 'pdf' && stdout.isTTY)
    throw makeUsageError('a PDF cannot be printed to a terminal.', 'Write it to a file: -o report.pdf');
  const files = given.filter(({ path }) => path !== '-');
  return { print, outputs: print === undefined ? files : [...files, { kind: print, path: '-' }] };
}

/** Refuses the lines of an estimate that is not made. @throws VehiError usage */
function refuseLines(outputs: readonly Pick<Output, 'kind'>[]): void {
  if (outputs.some(({ kind }) => kind === 'lines'))
    throw makeUsageError('--output: lines are those of an estimate, and none is made.', 'Add --assess.');
}

/** Output kinds, the path that of a folder with one file per vehicle; the results (`json`) first. */
export type FolderOutputs = readonly [results: Output, ...others: Output[]];

const FOLDERS = 'For example --output results --output pdf=reports';

/**
 * Parses `--output` for a fleet: `FOLDER` (or `json=FOLDER`) for the results, `KIND=FOLDER` for another kind.
 * @throws VehiError usage for several results folders, lines without --assess, an unknown kind, or a path with the ending of a file
 */
export function parseOutputFolders({ output = [], assess }: Flags<'output' | 'assess'>): FolderOutputs {
  const outputs = output.map(parseFolderOutput);
  if (!assess) refuseLines(outputs);
  const [results, second] = outputs.filter(({ kind }) => kind === 'json');
  if (second !== undefined)
    throw makeUsageError('--output names two folders for the results; one is needed.', FOLDERS);
  return [results ?? { kind: 'json', path: 'vehi-results' }, ...outputs.filter((one) => one !== results)];
}

function parseFolderOutput(value: string): Output {
  const { kind, path } = splitOutput(value, 'inspect');
  const flag = `--output ${value}`;
  if (path === '' || path === '-') throw makeUsageError(`${flag}: many vehicles need a folder.`, FOLDERS);
  const isFolder = kind !== undefined || /[\\/]$/.test(path);
  if (!isFolder && (findKindByEnding(path) ?? findNearEnding(path)) !== undefined)
    throw makeUsageError(`${flag} names one file; many vehicles need a folder.`, FOLDERS);
  return { kind: kind ?? 'json', path };
}

const isKindName = (name: string): name is OutputKind => Object.hasOwn(KINDS, name);

/** Splits `KIND=PATH`; a path such as `./a=b.json` has no kind, and a bare kind is a mistake, not a path. */
function splitOutput(value: string, command: OutputCommand) {
  const [, word, path = ''] = /^(\w[\w-]*)=(.*)$/s.exec(value) ?? (isKindName(value) ? ['', value] : []);
  if (word === undefined) return { kind: undefined, path: value };
  return { kind: findKind(word, command, 'written', `--output ${value}`), path };
}

/** Returns the kind of a name that a command prints or writes. @throws VehiError usage, listing the accepted names */
function findKind(name: string, command: OutputCommand, use: 'printed' | 'written', flag: string) {
  const allowed = listKinds(use, command);
  const kinds = `Kinds: ${allowed.join(', ')}.`;
  const dropped = findDropped('', `output kind ${name}`);
  if (dropped !== undefined) throw makeUsageError(`${flag}: ${dropped}`, kinds);
  if (!isKindName(name))
    throw makeUsageError(
      `${flag}: there is no output kind "${name}".`,
      suggestNames(name, allowed, 'Kinds:'),
    );
  if (allowed.includes(name)) return name;
  const verb = use === 'printed' ? 'has no format' : 'cannot write';
  const isWritten = name !== 'evidence' && listKinds('written', command).includes(name);
  const hint = isWritten ? `${kinds} To stdout: --output ${name}=-` : kinds;
  throw makeUsageError(`${flag}: ${command} ${verb} ${name} (${KINDS[name].words}).`, hint);
}

function makeUnknownEndingError(path: string, flag: string, command: OutputCommand): VehiError {
  const ending = extname(path);
  const near = findNearEnding(path);
  const meant =
    near === undefined ? '' : `Did you mean ${path.slice(0, path.length - ending.length)}${near}? `;
  const found = ending === '' ? 'the file has no extension' : `the ending ${ending} is not known`;
  const endings = listKinds('written', command).map((kind) => KINDS[kind].endings[0]);
  return makeUsageError(
    `${flag}: ${found}.`,
    `${meant}Endings: ${endings.join(', ')}. Or name the kind, for example --output json=${path || 'result.json'}`,
  );
}

function findNearEnding(path: string): string | undefined {
  const typed = extname(path).slice(1);
  const endings = KIND_NAMES.flatMap((kind) => KINDS[kind].endings.map((ending) => ending.slice(1)));
  const near = typed === '' ? undefined : findNearest(typed, endings);
  return near === undefined ? undefined : `.${near}`;
}

const makeSampleName = (kind: OutputKind): string => `result${KINDS[kind].endings[0]}`;
