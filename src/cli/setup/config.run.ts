import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  findProjectFile,
  findUserConfigDir,
  isPathSetting,
  isSettingName,
  makeConfigError,
  makeUnknownKeyError,
  readLimitOverrides,
  readSetting,
  readSettings,
  SETTINGS,
  type SettingName,
  type Settings,
} from '../../config/settings.ts';
import { setUserSetting } from '../../config/user-settings.ts';
import { toReason, VehiError } from '../../lib/errors.ts';
import { renderPlainTable } from '../../report/text/plain-table.ts';
import { checkPrices, loadConfiguredTables } from '../local-engine.ts';
import { chooseDefaultKind } from '../outputs/parse-output.ts';
import { readFont } from '../outputs/run.ts';
import type { CliContext } from '../terminal/context.ts';
import { readHttpAddress } from '../terminal/http-address.ts';
import { countColumns, write, writeStatus } from '../terminal/output.ts';
import { findRow } from './regions.run.ts';

/** Lists every setting with its value and source, and the files read. */
export async function runConfig(_flags: object, ctx: CliContext): Promise<void> {
  const settings = readSettings({}, ctx);
  const rows = Object.entries(settings).map(([name, { value, source, from }]) => [
    name,
    value === null ? '–' : String(value),
    source.endsWith('file') ? source : from,
    SETTINGS[name as SettingName].description,
  ]);
  const head = ['setting', 'value', 'from', 'what it is'];
  const look = { color: ctx.color.stdout, columns: countColumns(ctx), wrap: head.slice(1) };
  const project = `project file  ${findProjectFile(ctx.cwd) ?? 'none (vehi init writes one)'}`;
  const user = `user file     ${join(findUserConfigDir(ctx.env), 'config.json')}`;
  await write(ctx.stdout, `${renderPlainTable(head, rows, look)}\n\n${project}\n${user}\n`);
}

/** Reads the settings, without a project file that cannot be used: the user's own file can be changed nevertheless. */
function readOthers(ctx: CliContext): Settings {
  try {
    return readSettings({}, ctx);
  } catch {
    return readSettings({}, ctx, null);
  }
}

/**
 * Returns the value to store: null to remove the setting, for which nothing was typed.
 * @throws VehiError usage if the next command would refuse it, by itself, by the price tables, or by another setting
 */
async function readChange(key: SettingName, typed: string | undefined, ctx: CliContext) {
  const given = typed === undefined ? null : readSetting(key, typed, 'config set');
  const value = given !== null && isPathSetting(key) ? resolve(ctx.cwd, String(given)) : given;
  if (value === null && key !== 'regions') return null;
  if (key === 'models') await checkModels(String(value));
  if (key === 'font') await tryFont(String(value), ctx);
  if (key === 'data_dir') await refuseFile(String(value));
  if (key === 'base_url') readHttpAddress('config set base_url', String(value));
  const read = readOthers(ctx);
  const settings = { ...read, [key]: { value, source: 'user file', from: 'config set' } };
  if (key === 'format') chooseDefaultKind(settings, 'inspect');
  if (key === 'regions') await checkRegionsChange(settings, read);
  if (key === 'region') findRow(await loadConfiguredTables(settings), `${typed}`, 'config set: region');
  if (key === 'currency') await checkPrices(settings);
  readLimitOverrides(settings);
  return value;
}

/** Opens each model as an inspection does. @throws VehiError usage that names the first unusable file */
async function checkModels(folder: string): Promise<void> {
  const { verifyModels } = await import('../../vision/models/verify-models.ts');
  const files = await verifyModels(folder).catch((problem: Error) => [{ problem }]);
  const cause = files.find(({ problem }) => problem !== null)?.problem;
  if (cause) throw makeConfigError(`config set: models: ${cause.message}`, { field: 'models', cause });
}

/** Opens a font as a report does. @throws VehiError usage FONT_UNUSABLE, naming the file */
async function tryFont(file: string, ctx: CliContext): Promise<void> {
  const extraFont = await readFont(file, 'config set', ctx);
  const { Sheet } = await import('../../report/pdf/sheet.ts');
  try {
    new Sheet({ pageSize: 'A4', title: '', language: 'en', author: '', created: ctx.now(), extraFont });
  } catch (cause) {
    if (!(cause instanceof VehiError)) throw cause;
    const { kind, code, message, hint } = cause;
    throw new VehiError(kind, code, `config set: font: ${file}: ${message}`, { hint, field: 'font', cause });
  }
}

/** Refuses a data directory that is a file or below one; an absent one is made when it is needed. @throws VehiError usage */
async function refuseFile(path: string): Promise<void> {
  await stat(`${path}/`).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return;
    throw makeConfigError(`config set: data_dir: ${path}: ${toReason(cause)}`, { field: 'data_dir', cause });
  });
}

/** Refuses a table that cannot be read, or lacks the region that is set. @throws VehiError usage */
async function checkRegionsChange({ regions, region }: Settings, before: Settings): Promise<void> {
  const { rows } = (await loadConfiguredTables({ regions })).regions;
  const isOutranked = ['environment', 'project file'].includes(before.regions.source);
  if (isOutranked || rows.some(({ code }) => code === region.value)) return;
  const message = `config set: regions: the table lacks ${region.value}, the region that ${region.from} sets.`;
  throw makeConfigError(message, { field: 'regions', hint: 'Set another region there first.' });
}

/**
 * Sets a setting in the user file, or removes it if no value is given; a path is relative to the working folder.
 * @throws VehiError usage for an unknown setting, or a value that the next command would refuse
 */
export async function runConfigSet(key: string, given: string | undefined, _flags: object, ctx: CliContext) {
  if (!isSettingName(key)) throw makeUnknownKeyError(key, 'config set');
  const value = await readChange(key, given, ctx);
  const file = await setUserSetting(findUserConfigDir(ctx.env), key, value);
  await writeStatus(ctx, value === null ? `${key} is unset in ${file}` : `${key} = ${value} in ${file}`);
}
