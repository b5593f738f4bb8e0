import { join, resolve } from 'node:path';
import Conf from 'conf';
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

/** Opens the user's settings file, readable by its owner only. */
function openUserFile(folder: string): Conf<Record<string, string | number>> {
  // Conf would silently replace bytes that are not UTF-8 when writing the file back.
  readIfPresent(join(folder, 'config.json'));
  try {
    return new Conf({
      cwd: folder,
      configName: 'config',
      configFileMode: 0o600,
      accessPropertiesByDotNotation: false,
    });
  } catch (cause) {
    const message = `cannot change ${join(folder, 'config.json')}: ${toReason(cause)}`;
    const lost = 'A file with comments would lose them: change it by hand.';
    throw makeConfigError(message, { hint: cause instanceof SyntaxError ? lost : CONFIG_FOLDER_HINT, cause });
  }
}

/**
 * Sets one of the user's settings, or removes it without a value; a path is relative to `cwd`.
 * @returns the path of the settings file
 * @throws VehiError usage for an unknown setting, an invalid value, or a file that cannot be changed
 */
export function setUserSetting(folder: string, key: string, value: string | undefined, cwd: string): string {
  if (!isSettingName(key)) throw makeUnknownKeyError(key, 'config set');
  const file = openUserFile(folder);
  if (value === undefined) file.delete(key);
  else {
    const checked = readSetting(key, value, 'config set');
    file.set(key, isPathSetting(key) ? resolve(cwd, String(checked)) : checked);
  }
  return file.path;
}
