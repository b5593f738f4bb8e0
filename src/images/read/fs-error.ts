/** Describes a file system error as a noun phrase to follow "found" in a rejection; `toReason` returns a clause. */
export function describeFsError(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      // Node garbles a name that is not UTF-8, so it finds no such file.
      return String(error).includes('\uFFFD') ? 'a name that is not UTF-8' : 'no such file';
    case 'EACCES':
    case 'EPERM':
      return 'no permission to read it';
    case 'ELOOP':
      return 'a symbolic link that leads in a circle';
    case 'ENAMETOOLONG':
      return 'a path that is too long';
    case 'ERR_INVALID_ARG_VALUE':
      return 'a path with a NUL character in it';
    case 'EMFILE':
    case 'ENFILE':
      return 'too many open files on this machine';
    default:
      return `a read error (${code === '' ? String(error) : code})`;
  }
}
