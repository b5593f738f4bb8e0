import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  findProjectFile,
  findUserConfigDir,
  isPathSetting,
  isSettingName,
  makeConfigError,
  readLimitOverrides,
  readSetting,
  readSettings,
  SETTINGS,
  type SettingName,
} from '../../config/settings.ts';
import { setUserSetting } from '../../config/user-settings.ts';
import { renderPlainTable } from '../../report/text/plain-table.ts';
import { checkPrices, loadConfiguredTables } from '../local-engine.ts';
import { chooseDefaultKind } from '../outputs/parse-output.ts';
import type { CliContext } from '../terminal/context.ts';
import { countColumns, write, writeStatus } from '../terminal/output.ts';

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
  const files = [
    `project file  ${findProjectFile(ctx.cwd) ?? 'none (vehi init writes one)'}`,
    `user file     ${join(findUserConfigDir(ctx.env), 'config.json')}`,
  ];
  await write(ctx.stdout, `${renderPlainTable(head, rows, look)}\n\n${files.join('\n')}\n`);
}

const DEFAULT_CURRENCY = { value: SETTINGS.currency.fallback, source: 'default', from: 'default' } as const;

/**
 * Refuses a value that the next command would refuse by the price tables, or by another setting.
 * @throws VehiError usage
 */
async function checkSetting(key: SettingName, value: string, ctx: CliContext): Promise<void> {
  const checked = readSetting(key, value, 'config set');
  if ((key === 'models' || key === 'font') && !existsSync(resolve(ctx.cwd, value)))
    throw makeConfigError(`config set: ${key}: there is no ${value}.`, { field: key });
  if (!['format', 'region', 'currency', 'regions', 'certain_from', 'to_check_from'].includes(key)) return;
  const read = readSettings({ [SETTINGS[key].attribute]: checked }, ctx);
  const settings = { ...read, [key]: { ...read[key], from: 'config set' } };
  if (key === 'format') chooseDefaultKind(settings, 'inspect');
  if (key === 'regions')
    await loadConfiguredTables({ regions: { ...settings.regions, value: resolve(ctx.cwd, value) } });
  // Another setting's unusable currency must not prevent the choice of a region.
  if (key === 'region') await checkPrices({ ...settings, currency: DEFAULT_CURRENCY });
  if (key === 'currency') await checkPrices(settings);
  readLimitOverrides(settings);
}

/**
 * Sets a setting in the user file, or removes it if no value is given.
 * @throws VehiError usage for an unknown setting, or a value that the next command would refuse
 */
export async function runConfigSet(
  key: string,
  value: string | undefined,
  _flags: object,
  ctx: CliContext,
): Promise<void> {
  if (value !== undefined && isSettingName(key)) await checkSetting(key, value, ctx);
  const file = setUserSetting(findUserConfigDir(ctx.env), key, value, ctx.cwd);
  const isPath = value !== undefined && isSettingName(key) && isPathSetting(key);
  const stored = isPath ? resolve(ctx.cwd, value) : value;
  const done = stored === undefined ? `${key} removed from ${file}` : `${key} = ${stored} in ${file}`;
  await writeStatus(ctx, done);
}
