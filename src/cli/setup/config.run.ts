import { join } from 'node:path';
import {
  findProjectFile,
  findUserConfigDir,
  readSettings,
  SETTINGS,
  type SettingName,
} from '../../config/settings.ts';
import { setUserSetting } from '../../config/user-settings.ts';
import { renderPlainTable } from '../../report/text/plain-table.ts';
import { checkPrices } from '../local-engine.ts';
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
 * Sets a setting in the user file, or removes it if no value is given.
 * @throws VehiError usage for an unknown setting, or a value that the next command would refuse
 */
export async function runConfigSet(
  key: string,
  value: string | undefined,
  _flags: object,
  ctx: CliContext,
): Promise<void> {
  if (value && key === 'format') chooseDefaultKind(readSettings({ format: value }, ctx), 'inspect');
  if (value && (key === 'region' || key === 'currency')) {
    const settings = readSettings({ [key]: value }, ctx);
    // Another setting's unusable currency must not prevent the choice of a region.
    const currency = key === 'region' ? DEFAULT_CURRENCY : settings.currency;
    await checkPrices({ ...settings, currency });
  }
  const file = setUserSetting(findUserConfigDir(ctx.env), key, value, ctx.cwd);
  const done = value === undefined ? `${key} removed from ${file}` : `${key} = ${value} in ${file}`;
  await writeStatus(ctx, done);
}
