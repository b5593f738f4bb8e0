/**
 * Returns why something failed, for the end of a message that names the file already. What the operating system reports
 * is given without its code, call and path: the path may be a temporary one.
 */
export function toReason(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const { code, syscall } = cause as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return cause.message;
  if (code === 'EISDIR') return 'it is a folder';
  return cause.message.replace(/^[A-Z0-9_]+: /, '').replace(/, \w+(?: '.*)?$/s, '');
}
