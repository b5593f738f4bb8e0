import { join, resolve } from 'node:path';
import type Conf from 'conf';
import { toReason } from '../lib/errors.ts';
import {
  CONFIG_FOLDER_HINT,
  isPathSetting,
  isSettingName,
  makeConfigError,
  makeUnknownKeyError,
  readIfPresent,
  readSetting,
} from './settings.ts';
import { useUserFile } from './user-file.ts';

function refuseChange(path: string, cause: unknown) {
  const lost = 'A file with comments would lose them: change it by hand.';
  const hint = cause instanceof SyntaxError ? lost : CONFIG_FOLDER_HINT;
  return makeConfigError(`cannot change ${path}: ${toReason(cause)}`, { hint, cause });
}

/**
 * Sets one of the user's settings, or removes it without a value; a path is relative to `cwd`.
 * @returns the path of the settings file
 * @throws VehiError usage for an unknown setting, an invalid value, or a file that cannot be changed
 */
export function setUserSetting(folder: string, key: string, value: string | undefined, cwd: string): string {
  if (!isSettingName(key)) throw makeUnknownKeyError(key, 'config set');
  const path = join(folder, 'config.json');
  // Conf would silently replace bytes that are not UTF-8 when writing the file back.
  readIfPresent(path);
  useUserFile(path, refuseChange, (file: Conf<Record<string, string | number>>) => {
    if (value === undefined) return file.delete(key);
    const checked = readSetting(key, value, 'config set');
    return file.set(key, isPathSetting(key) ? resolve(cwd, String(checked)) : checked);
  });
  return path;
}
