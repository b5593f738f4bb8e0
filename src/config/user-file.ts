import { basename, dirname } from 'node:path';
import Conf from 'conf';
import { VehiError } from '../lib/errors.ts';

/**
 * Runs `work` with a JSON file of the user's configuration folder, readable by its owner only, created when written.
 * @throws the error of `refuse` if the file cannot be read or written; VehiErrors of `work` unchanged
 */
export function useUserFile<T extends Record<string, unknown>, R>(
  path: string,
  refuse: (path: string, cause: unknown) => VehiError,
  work: (file: Conf<T>) => R,
): R {
  try {
    const file = new Conf<T>({
      cwd: dirname(path),
      configName: basename(path, '.json'),
      configFileMode: 0o600,
      accessPropertiesByDotNotation: false,
    });
    return work(file);
  } catch (cause) {
    throw cause instanceof VehiError ? cause : refuse(path, cause);
  }
}
