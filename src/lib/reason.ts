/**
 * Returns the reason of a failure for the end of a message that already names the file. Operating system errors are
 * stripped of code, call and path, because the path may be temporary.
 */
export function toReason(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const { code, syscall } = cause as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return cause.message;
  if (code === 'EISDIR') return 'it is a folder';
  return cause.message.replace(/^[A-Z0-9_]+: /, '').replace(/, \w+(?: '.*)?$/s, '');
}
