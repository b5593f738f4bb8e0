export const NO_FILE = 'no such file';
export const NOT_UTF8 = 'a name that is not UTF-8';

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: NO_FILE,
  ENOTDIR: NO_FILE,
  EACCES: 'no permission to read it',
  EPERM: 'no permission to read it',
  ELOOP: 'a symbolic link that leads in a circle',
  ENAMETOOLONG: 'a path that is too long',
  ERR_INVALID_ARG_VALUE: 'a path with a NUL character in it',
  EMFILE: 'too many files open in this process',
  ENFILE: 'too many open files on this machine',
};

/** Describes a file system error as a noun phrase to follow "found" in a rejection; `toReason` returns a clause. */
export function describeFsError(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  const found = WORDS[code] ?? `a read error (${code})`;
  // Node garbles a name that is not UTF-8, so it finds no such file.
  return found === NO_FILE && String(error).includes('\uFFFD') ? NOT_UTF8 : found;
}
