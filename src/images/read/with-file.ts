import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** Opens a file, reads from it by `read`, and closes it. Non-blocking, because opening a named pipe would wait. */
export async function withFile<T>(path: string, read: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    return await read(file);
  } finally {
    await file.close();
  }
}
