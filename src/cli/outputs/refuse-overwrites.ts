import { stat } from 'node:fs/promises';
import { basename, join, resolve, sep } from 'node:path';
import { findEvidenceKeyFile } from '../../config/evidence-key.ts';
import { OPTIONS, type OptionRow } from '../../config/options.ts';
import {
  findDataDirectory,
  findProjectFile,
  findUserConfigDir,
  isPathSetting,
  SETTING_NAMES,
  type Settings,
} from '../../config/settings.ts';
import { readHead } from '../../images/find/classify-file.ts';
import { isDrawnCopy } from '../../images/find/drawn-copy.ts';
import type { GatheredPhotos } from '../../images/find/gather-photos.ts';
import { isPicture, sniffFormat } from '../../images/read/format.ts';
import { VehiError } from '../../lib/errors.ts';
import { escapeName } from '../../lib/names.ts';
import { findModelDir } from '../local-engine.ts';
import type { CliContext } from '../terminal/context.ts';
import { isReadOnly, locateTarget } from '../terminal/output.ts';
import type { Output } from './parse-output.ts';
import type { Run } from './run.ts';

/** A file that a command writes or reads; `words` describes it to the user, such as `--output pdf=claim.pdf`. */
export interface NamedFile {
  readonly path: string;
  readonly words: string;
}

/** vehi's own files, wherever they are: they describe photos, hold settings, or the decisions of a review. */
const OWN_FILES = /^vehi(\.config)?\.json$|\.review\.json$/;

const PATH_SETTINGS = SETTING_NAMES.filter(isPathSetting);

/** What a run reads, other than by flags and settings. */
interface Inputs {
  /** Arguments: files, folders or `-`. */
  readonly args?: readonly string[];
  /** Further files, such as the photos of its folders. */
  readonly files?: readonly NamedFile[];
}

/**
 * Refuses destructive outputs before any work starts: an output that is also an input, another output, a photo, or one of
 * vehi's own files. Files are compared by device and inode, so links and case variants are detected.
 * @param outputs paths relative to the working folder; `-` for stdout, devices and pipes are ignored
 * @throws VehiError usage OUTPUT_OVERWRITES, naming both files
 */
export async function refuseOverwrites(
  outputs: readonly NamedFile[],
  run: Pick<Run, 'flags' | 'settings' | 'ctx'>,
  inputs: Inputs = {},
): Promise<void> {
  const { settings, ctx } = run;
  if (outputs.every(({ path }) => path === '-')) return;
  const taken = new Map<string, string>();
  for (const { path, words } of listInputs(run, inputs)) {
    const file = path === '-' ? null : await identify(resolve(ctx.cwd, path));
    if (file !== null) taken.set(file.key, words);
  }
  const folders = await listOwnFolders(settings, ctx);
  for (const output of outputs) {
    if (output.path === '-') continue;
    const path = resolve(ctx.cwd, output.path);
    const file = await identify(path);
    if (file === null) continue;
    const name = escapeName(output.path);
    const real = await locateTarget(path);
    const other = taken.get(file.key) ?? findOwnFile(path) ?? findOwnFile(real);
    if (other !== undefined) throw makeError(output, other);
    if (file.isFolder) throw makeError(output, 'a folder');
    if (file.isReadOnly) throw makeError(output, `${name}, which is read-only`);
    const folder = folders.find((one) => real.startsWith(`${one.path}${sep}`));
    if (folder !== undefined && (file.exists || folder.isClosed))
      throw makeError(output, `${name}, which lies in the folder of ${folder.words}`);
    if (file.exists && (await isOriginalPhoto(path))) throw makeError(output, `${name}, which is a photo`);
    taken.set(file.key, output.words);
  }
}

/** Lists all files that a run reads: arguments, flags that name inputs, settings, and the files of settings and keys. */
function listInputs(
  { flags, settings, ctx }: Pick<Run, 'flags' | 'settings' | 'ctx'>,
  { args = [], files = [] }: Inputs,
) {
  const given = flags as Readonly<Record<string, string | readonly string[] | undefined>>;
  const flagged = Object.entries<OptionRow>(OPTIONS).flatMap(([name, { reads }]) =>
    reads ? [given[name.replace(/^.*\./, '')] ?? []].flat() : [],
  );
  const read = [...args, ...flagged].map((path) => ({ path, words: `${escapeName(path)}, which is read` }));
  const set = PATH_SETTINGS.flatMap((name) => {
    const { value, from } = settings[name];
    return value === null
      ? []
      : [{ path: String(value), words: `${escapeName(String(value))}, the file of ${from}` }];
  });
  const folder = findUserConfigDir(ctx.env);
  const own = [
    findProjectFile(ctx.cwd),
    ...['config.json', 'credentials.json'].map((name) => join(folder, name)),
    findEvidenceKeyFile(ctx.env),
    join(findModelDir(settings, ctx), 'manifest.json'),
  ].flatMap((path) => (path === null ? [] : [{ path, words: `${escapeName(path)}, a file of vehi's own` }]));
  return [...files, ...read, ...set, ...own];
}

/** Lists the folders whose files no result may replace; into a closed one, nothing new may be written either. */
async function listOwnFolders(settings: Settings, ctx: CliContext) {
  const folders = [
    { path: findUserConfigDir(ctx.env), words: 'your settings and keys', isClosed: true },
    { path: findModelDir(settings, ctx), words: 'the models', isClosed: false },
    { path: findDataDirectory(settings, ctx), words: 'the data of the service', isClosed: false },
  ];
  return Promise.all(folders.map(async (one) => ({ ...one, path: await locateTarget(resolve(one.path)) })));
}

export const nameOutputs = (outputs: readonly Output[]): readonly NamedFile[] =>
  outputs.map(({ kind, path }) => ({ path, words: `--output ${kind}=${escapeName(path)}` }));

export function namePhotoFiles({
  photos,
  problems,
  vehiJsonPaths,
}: Pick<GatheredPhotos, 'photos' | 'problems' | 'vehiJsonPaths'>): readonly NamedFile[] {
  return [
    ...photos.map(({ source, url }) => ({ path: source.path, words: `the photo ${escapeName(url)}` })),
    ...problems.map(({ url }) => ({ path: url, words: `${escapeName(url)}, which is read` })),
    ...vehiJsonPaths.map((path) => ({ path, words: `${escapeName(path)}, which describes the photos` })),
  ];
}

/** Returns an identity key of the file or folder at a path; null for a device or pipe, which writing does not replace. */
async function identify(path: string) {
  const facts = await stat(path, { bigint: true }).catch(() => undefined);
  if (facts === undefined) {
    // Many file systems take names that differ in case for one.
    const key = (await locateTarget(path)).normalize('NFC').toLowerCase();
    return { key, exists: false, isFolder: false, isReadOnly: false };
  }
  const isFolder = facts.isDirectory();
  if (!facts.isFile() && !isFolder) return null;
  const key = `${facts.dev}:${facts.ino}`;
  return { key, exists: true, isFolder, isReadOnly: isReadOnly(Number(facts.mode)) };
}

function findOwnFile(path: string): string | undefined {
  const name = basename(path).toLowerCase();
  return OWN_FILES.test(name) ? `${escapeName(name)}, a file of vehi's own` : undefined;
}

/** Returns true for any picture or video other than the copies that vehi draws, which a new run may replace. */
async function isOriginalPhoto(path: string): Promise<boolean> {
  const head = await readHead(path);
  if (head === null) return false;
  return isPicture(sniffFormat(head)) && !isDrawnCopy(head);
}

const makeError = ({ path, words }: NamedFile, other: string): VehiError =>
  new VehiError('usage', 'OUTPUT_OVERWRITES', `${words} would overwrite ${other}.`, {
    field: path,
    hint: 'Write to another place; nothing was changed.',
  });
