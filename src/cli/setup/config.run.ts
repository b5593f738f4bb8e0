import { join } from 'node:path';
import { Chalk } from 'chalk';
import {
  findProjectFile,
  findUserConfigDir,
  isSettingName,
  makeUnknownKeyError,
  readSettings,
  SETTINGS,
  type SettingName,
} from '../../config/settings.ts';
import { setUserSetting } from '../../config/user-settings.ts';
import { toJsonText } from '../../lib/json.ts';
import { renderPlainTable } from '../../report/text/plain-table.ts';
import { countColumns } from '../terminal/columns.ts';
import type { CliContext } from '../terminal/context.ts';
import { write, writeStatus } from '../terminal/output.ts';

/** Runs `vehi config list`. */
export async function runConfigList(
  flags: { sources?: boolean; json?: boolean },
  ctx: CliContext,
): Promise<void> {
  const settings = readSettings({}, ctx);
  if (flags.json) return write(ctx.stdout, toJsonText(settings));
  const head = ['setting', 'value', ...(flags.sources ? ['from'] : []), 'what it is'];
  const rows = Object.entries(settings).map(([name, { value, from, source }]) => [
    name,
    value === null ? '–' : String(value),
    ...(flags.sources ? [source === 'default' ? 'default' : `${source}: ${from}`] : []),
    SETTINGS[name as SettingName].description,
  ]);
  const chalk = new Chalk({ level: ctx.colour.stdout });
  const look = { chalk, columns: countColumns(ctx), wrap: head.slice(1) };
  return write(ctx.stdout, `${renderPlainTable(head, rows, look)}\n`);
}

/** Runs `vehi config get`. */
export async function runConfigGet(key: string, _flags: object, ctx: CliContext): Promise<void> {
  if (!isSettingName(key)) throw makeUnknownKeyError(key, 'config get');
  const { value } = readSettings({}, ctx)[key];
  await write(ctx.stdout, value === null ? '' : `${value}\n`);
}

/** Runs `vehi config set`. */
export async function runConfigSet(
  key: string,
  value: string | undefined,
  _flags: object,
  ctx: CliContext,
): Promise<void> {
  const file = setUserSetting(findUserConfigDir(ctx.env), key, value, ctx.cwd);
  await writeStatus(
    ctx,
    value === undefined ? `${key} removed from ${file}` : `${key} = ${value} in ${file}`,
  );
}

/** Runs `vehi config path`. */
export async function runConfigPath(_flags: object, ctx: CliContext): Promise<void> {
  const project = findProjectFile(ctx.cwd);
  const user = join(findUserConfigDir(ctx.env), 'config.json');
  await write(ctx.stdout, `${project ? `${project}\n` : ''}${user}\n`);
}
