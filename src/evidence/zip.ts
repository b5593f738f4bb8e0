import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';

/** A file of a zip; opened on demand, so only one photo is in memory at a time. */
export interface ZippedFile {
  readonly name: string;
  readonly bytes: number;
  readonly open: () => Promise<Uint8Array>;
}

/** Writes an uncompressed zip with one fixed time, so equal files give equal bytes on every machine. */
export function zipFiles(files: readonly ZippedFile[]): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const fail = (error: Error) => output.destroy(error);
  zip.on('error', fail);
  // A zip stores local time, so only a local time is written identically on every machine.
  const mtime = new Date(1980, 0, 1, 12);
  for (const { name, bytes, open } of files) {
    const options = { size: bytes, compress: false, mtime, forceDosTimestamp: true, mode: 0o100644 };
    zip.addReadStreamLazy(name, options, (done) => {
      open().then((content) => done(null, Readable.from([content])), fail);
    });
  }
  zip.end();
  return output;
}
