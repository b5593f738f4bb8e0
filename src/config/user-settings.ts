import { join } from 'node:path';
import type Conf from 'conf';
import { toReason } from '../lib/errors.ts';
import { CONFIG_FOLDER_HINT, makeConfigError, readIfPresent, type SettingName } from './settings.ts';
import { useUserFile } from './user-file.ts';

function refuseChange(path: string, cause: unknown) {
  const plain = 'Plain JSON is needed, without comments and trailing commas: change it by hand.';
  const hint = cause instanceof SyntaxError ? plain : CONFIG_FOLDER_HINT;
  return makeConfigError(`cannot change ${path}: ${toReason(cause)}`, { hint, cause });
}

/**
 * Sets one of the user's settings, or removes it for null.
 * @returns the path of the settings file
 * @throws VehiError usage for a file that cannot be changed
 */
export function setUserSetting(folder: string, key: SettingName, value: string | number | null): string {
  const path = join(folder, 'config.json');
  // Conf would silently replace bytes that are not UTF-8 when writing the file back.
  readIfPresent(path);
  useUserFile(path, refuseChange, (file: Conf<Record<string, string | number>>) =>
    value === null ? file.delete(key) : file.set(key, value),
  );
  return path;
}
