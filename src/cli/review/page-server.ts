import { readdir, readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { VehiError } from '../../lib/errors.ts';
import { parseJson } from '../../lib/json.ts';
import { placeOf } from '../../lib/places.ts';

/** What a route answers. */
export interface Answer {
  readonly status?: number;
  readonly type?: string;
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Lines that are sent as they come, until the page leaves or the server ends. */
export interface LineStream {
  /** Begins to send; returns what ends it. */
  readonly follow: (send: (line: string) => void) => () => void;
}

/** A request as a route sees it; the body of JSON requests is parsed. */
interface Asked {
  readonly params: readonly string[];
  readonly query: URLSearchParams;
  readonly body: unknown;
  /** The header of the session. */
  readonly secret: unknown;
}

/** A route: method, the whole path, what answers it; `open` needs no session header. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: RegExp;
  readonly open?: boolean;
  readonly answer: (asked: Asked) => Promise<Answer | LineStream>;
}

export interface PageServer {
  readonly port: number;
  /** Milliseconds since the last request. */
  idleMs(): number;
  /** Finishes what is under way; streams of lines end at once. */
  close(): Promise<void>;
}

/** Longest body of a request: a review of hundreds of findings has some ten kB. */
const MOST_BYTES = 1024 * 1024;

/** The built page. */
const WEB = placeOf('dist/web/');

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const SAFETY: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), usb=(), payment=()',
};

/**
 * Serves the page and its routes on one address. `routes` is asked for each request: what there is to review may come
 * later than the page.
 * @throws VehiError engine PAGE_MISSING where the page was not built, usage PORT_TAKEN where the port cannot be had
 */
export async function startPageServer(
  routes: () => readonly Route[],
  options: {
    readonly host: string;
    readonly port: number;
    readonly allowedHosts: readonly string[];
    readonly holdsSession: (secret: unknown) => boolean;
  },
): Promise<PageServer> {
  const files = await readPage();
  const streams = new Set<ServerResponse>();
  let lastMs = performance.now();
  const server = createServer((request, response) => {
    lastMs = performance.now();
    answer(request, routes(), files, options)
      .catch(answerFailure)
      .then((answered) =>
        'follow' in answered ? streamLines(response, answered, streams) : send(response, answered),
      )
      .catch(() => response.destroy());
  });
  const port = await listen(server, options);
  return {
    port,
    idleMs: () => performance.now() - lastMs,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        for (const response of streams) response.end();
        server.closeIdleConnections();
        setTimeout(() => server.closeAllConnections(), 1000).unref();
      }),
  };
}

async function answer(
  request: IncomingMessage,
  routes: readonly Route[],
  files: ReadonlyMap<string, Answer>,
  options: Parameters<typeof startPageServer>[1],
): Promise<Answer | LineStream> {
  const host = request.headers.host ?? '';
  if (!isOurHost(host, options.allowedHosts))
    return answerError(421, 'WRONG_HOST', `${host} is not this command.`);
  const { origin } = request.headers;
  if (origin !== undefined && readHost(origin) !== host.toLowerCase())
    return answerError(403, 'FOREIGN_ORIGIN', 'the request comes from another page.');
  const url = new URL(request.url ?? '/', 'http://page');
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const file = method === 'GET' ? files.get(url.pathname) : undefined;
  if (file) return file;
  for (const route of routes) {
    const match = route.path.exec(url.pathname);
    if (!match || route.method !== method) continue;
    const secret = request.headers['x-vehi-session'];
    if (!route.open && !options.holdsSession(secret))
      return answerError(401, 'NO_SESSION', 'this page is not, or is no longer, the active review page.');
    const body = method === 'GET' ? undefined : await readBody(request);
    return route.answer({ params: match.slice(1), query: url.searchParams, body, secret });
  }
  return answerError(404, 'NOT_FOUND', 'there is nothing at this address.');
}

/** Returns whether a host is a loopback name of any port, so that a forwarded one works, or one that was allowed. */
function isOurHost(host: string, allowed: readonly string[]): boolean {
  const name = host.toLowerCase().replace(/:\d+$/, '');
  return ['localhost', '127.0.0.1', '[::1]', ...allowed.map((one) => one.toLowerCase())].includes(name);
}

function readHost(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? ''))
    throw new VehiError('input', 'JSON_NEEDED', 'the body must be application/json.');
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES)
      throw new VehiError('input', 'PAYLOAD_TOO_LARGE', `the body has more than ${MOST_BYTES} bytes.`);
    chunks.push(chunk);
  }
  try {
    return parseJson(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new VehiError('input', 'INVALID_JSON', 'the body is not JSON.');
  }
}

/** Returns an answer with a JSON body. */
export function answerJson(value: unknown, status = 200): Answer {
  return { status, type: 'application/json; charset=utf-8', body: JSON.stringify(value) };
}

/** Returns an answer that reports an error. */
export function answerError(status: number, code: string, message: string): Answer {
  return answerJson({ error: { code, message } }, status);
}

function answerFailure(error: unknown): Answer {
  if (!(error instanceof VehiError)) return answerError(500, 'INTERNAL', 'the command failed to answer.');
  const { code, message, hint, kind } = error;
  return answerJson({ error: { code, message, hint } }, kind === 'input' ? 422 : 500);
}

function send(response: ServerResponse, { status = 200, type, body, headers }: Answer): void {
  response.writeHead(status, {
    ...SAFETY,
    'Cache-Control': 'no-store',
    'Content-Type': type ?? 'application/octet-stream',
    'Content-Length': Buffer.byteLength(body),
    ...headers,
  });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

/** Sends lines of JSON; a page that does not read them is given up. */
function streamLines(response: ServerResponse, { follow }: LineStream, open: Set<ServerResponse>): void {
  response.writeHead(200, { ...SAFETY, 'Cache-Control': 'no-store', 'Content-Type': 'application/x-ndjson' });
  response.flushHeaders();
  open.add(response);
  const leave = follow((line) => {
    if (response.writableLength > MOST_BYTES) response.destroy();
    else response.write(`${line}\n`);
  });
  response.once('close', () => {
    open.delete(response);
    leave();
  });
}

/** Reads the files of the page by their address: there are no others, so that no path can lead elsewhere. */
async function readPage(): Promise<ReadonlyMap<string, Answer>> {
  const names = await readdir(WEB, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = await Promise.all(
    names
      .filter((entry) => entry.isFile())
      .map(async (entry): Promise<[string, Answer]> => {
        const path = join(entry.parentPath, entry.name);
        const address = path.slice(WEB.length).replaceAll('\\', '/');
        const isPage = address === 'index.html';
        const cache = isPage ? 'no-store' : 'public, max-age=31536000, immutable';
        const type = TYPES[extname(address)] ?? 'application/octet-stream';
        return [
          isPage ? '/' : `/${address}`,
          { type, body: await readFile(path), headers: { 'Cache-Control': cache } },
        ];
      }),
  );
  if (!files.some(([address]) => address === '/'))
    throw new VehiError('engine', 'PAGE_MISSING', 'the page of the review was not built.', {
      hint: 'Run npm run build, or use --decisions.',
    });
  return new Map(files);
}

function listen(server: Server, { host, port }: { host: string; port: number }): Promise<number> {
  return new Promise((done, fail) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const why = cause.code === 'EADDRINUSE' ? 'another program listens there' : cause.message;
      fail(
        new VehiError('usage', 'PORT_TAKEN', `port ${port} of ${host} cannot be used: ${why}.`, {
          hint: 'Leave out --port: a free port is chosen.',
          cause,
        }),
      );
    });
    server.listen(port, host, () => done((server.address() as AddressInfo).port));
  });
}
