import { randomUUID } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Bytes that wait on the disk of this machine. */
export interface Spooled {
  read(): Promise<Buffer>;
  close(): Promise<void>;
}

/**
 * Writes a stream into a temporary file that has no name any more when it is written: whatever ends the process, nothing
 * stays behind. Memory holds a piece of the stream at a time.
 */
export async function spool(bytes: AsyncIterable<Uint8Array>): Promise<Spooled> {
  const path = join(tmpdir(), `vehi-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  try {
    await unlink(path);
    for await (const chunk of bytes) await file.writeFile(chunk);
  } catch (error) {
    await file.close();
    throw error;
  }
  return {
    async read() {
      const { size } = await file.stat();
      const whole = Buffer.alloc(size);
      let at = 0;
      while (at < size) {
        const { bytesRead } = await file.read(whole, at, size - at, at);
        if (bytesRead === 0) throw new Error('a temporary file became shorter');
        at += bytesRead;
      }
      return whole;
    },
    close: () => file.close(),
  };
}
