import Conf from 'conf';
import { check, isSettingName, type SettingName, unknownKey } from './settings.ts';

/** The user's own settings file, readable by its owner only. */
function userFile(folder: string): Conf<Record<string, string | number>> {
  return new Conf({
    cwd: folder,
    configName: 'config',
    configFileMode: 0o600,
    accessPropertiesByDotNotation: false,
  });
}

/** Sets or, without a value, removes one of the user's settings. @returns the file. @throws VehiError usage. */
export function setUserSetting(folder: string, key: string, value: string | undefined): string {
  const file = userFile(folder);
  if (!isSettingName(key)) throw unknownKey(key, file.path);
  if (value === undefined) file.delete(key);
  else file.set(key, check(key as SettingName, value, 'config set'));
  return file.path;
}
