import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';

/** A file of a zip; opened when its turn comes, so that one photo is in memory at a time. */
export interface ZippedFile {
  readonly name: string;
  readonly bytes: number;
  readonly open: () => Promise<Readable>;
}

/** The same on every machine: zip files hold local time, so only a local time is written alike everywhere. */
const makeTime = () => new Date(1980, 0, 1, 12);

/** Opens content that is in memory. */
export const openBytes = (content: string | Uint8Array) => async () => Readable.from([Buffer.from(content)]);

/**
 * Writes files as a zip, not compressed and without times: the same files are the same bytes on every machine, so that a
 * reader can make the zip once more and compare every byte, those of headers and gaps too.
 */
export function zipFiles(files: readonly ZippedFile[]): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const fail = (error: Error) => output.destroy(error);
  zip.on('error', fail);
  const mtime = makeTime();
  for (const { name, bytes, open } of files) {
    const options = { size: bytes, compress: false, mtime, forceDosTimestamp: true, mode: 0o100644 };
    zip.addReadStreamLazy(name, options, (done) => {
      // The library pipes the stream without listening for its errors.
      open().then((stream) => done(null, stream.on('error', fail)), fail);
    });
  }
  zip.end();
  return output;
}
