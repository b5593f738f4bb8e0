import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { applyEdits, modify } from 'jsonc-parser';
import { toReason } from '../lib/errors.ts';
import { makeFolder, writeFileAtomic } from '../lib/files.ts';
import { CONFIG_FOLDER_HINT, makeConfigError, parseSettingsFile, type SettingName } from './settings.ts';

/**
 * Sets one of the user's settings, or removes it for null; comments and the other settings stay as they are.
 * @returns the path of the settings file
 * @throws VehiError usage for a file that is not an object of settings, or cannot be written
 */
export async function setUserSetting(
  folder: string,
  key: SettingName,
  value: string | number | null,
): Promise<string> {
  const path = join(folder, 'config.json');
  const { text, found } = parseSettingsFile(path);
  if (value === null && !Object.hasOwn(found, key)) return path;
  // A new setting comes first: after the last one, it would separate that from a comment on its line.
  const options = { formattingOptions: { insertSpaces: false }, getInsertionIndex: () => 0 };
  const changed = applyEdits(text, modify(text, [key], value ?? undefined, options));
  try {
    await makeFolder(folder);
    await writeFileAtomic(await realpath(path).catch(() => path), changed, { mode: 0o600 });
  } catch (cause) {
    throw makeConfigError(`cannot change ${path}: ${toReason(cause)}`, { hint: CONFIG_FOLDER_HINT, cause });
  }
  return path;
}
