import { type Logger, pino } from 'pino';
import type { ServerSettings } from '../../server/server-settings.ts';

/** Flush interval of the buffered log; a killed process loses the lines of one interval. */
const LOG_FLUSH_MS = 250;
const LOG_BUFFER_BYTES = 8 * 1024;

const SECRETS = [
  ...['req.headers.authorization', 'headers.authorization', 'authorization'],
  ...['api_key', 'secret', 'url'].flatMap((name) => [name, `*.${name}`]),
];

/** Opens the JSON log of a process on stderr; secrets are redacted. */
export function openLog(
  flags: { readonly logLevel?: string },
  settings: Pick<ServerSettings, 'sandbox'>,
): { logger: Logger; lines: { flushSync(): void } } {
  const level = flags.logLevel ?? (settings.sandbox ? 'warn' : 'info');
  const lines = pino.destination({
    dest: 2,
    sync: false,
    minLength: LOG_BUFFER_BYTES,
    periodicFlush: LOG_FLUSH_MS,
  });
  return { logger: pino({ level, redact: { paths: SECRETS, censor: '[redacted]' } }, lines), lines };
}
