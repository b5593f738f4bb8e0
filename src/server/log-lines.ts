/** Where log lines go: the part of pino's destination that is used here. */
interface Destination {
  write(bytes: Buffer): unknown;
  flush(done?: (error?: Error) => void): void;
}

/** Lines handed on at once at the latest; about 64 kB. */
const LINES_MAX = 256;

/**
 * Gathers log lines before a destination, which hands every write to a thread: a line by itself costs a light request as
 * much as its answer. They leave as bytes, which are made once; of text, a destination that counts bytes makes them twice.
 * Lines wait at most `flushMs`; a process that is killed loses those of this time.
 */
export function gatherLines(destination: Destination, flushMs: number) {
  let text = '';
  let lines = 0;
  const handOn = () => {
    if (lines > 0) destination.write(Buffer.from(text));
    text = '';
    lines = 0;
  };
  const timer = setInterval(handOn, flushMs).unref();
  return {
    write(line: string): void {
      text += line;
      if (++lines >= LINES_MAX) handOn();
    },
    /** Hands on what waits; `done` when the destination has written it. */
    flush(done?: (error?: Error) => void): void {
      handOn();
      destination.flush(done);
    },
    /** Hands on what waits, and from then on nothing by time. */
    end(): void {
      clearInterval(timer);
      handOn();
    },
  };
}
